import { Check, RotateCcw } from "lucide-react";
import { RadioGroup } from "radix-ui";
import { useState } from "react";
import { cx } from "../lib/cx.ts";
import type { Offer } from "./draft.ts";

/** Which agent: its version on this machine, and whether it can resume. */
export function AgentChoice({
  offers,
  value,
  onChange,
}: {
  readonly offers: readonly Offer[];
  readonly value: string;
  readonly onChange: (profileId: string) => void;
}) {
  const [all, setAll] = useState(false);
  const atHand = offers.filter((offer) => offer.usable || offer.profile.id === value);
  // A machine without any agent is told at once how to get one.
  const shown = all || atHand.length === 0 ? offers : atHand;
  return (
    <fieldset className="flex flex-col gap-1.5">
      <legend className="mb-1.5 text-sm font-medium">Agent</legend>
      <RadioGroup.Root value={value} onValueChange={onChange} aria-label="Agent" className="grid gap-2 sm:grid-cols-2">
        {shown.map(({ profile, version, usable, note }) => (
          <RadioGroup.Item
            key={profile.id}
            value={profile.id}
            disabled={!usable}
            aria-label={profile.name}
            className={cx(
              "flex items-start gap-2.5 rounded-md border bg-surface px-3 py-2.5 text-left transition-colors duration-100 enabled:hover:border-text-3/60",
              profile.id === value ? "border-accent ring-1 ring-accent" : "border-line-strong",
              !usable && "bg-transparent",
            )}
          >
            <span className="min-w-0 flex-1">
              <span className="flex items-baseline gap-2">
                <span className={cx("truncate text-sm font-medium", !usable && "text-text-3")}>{profile.name}</span>
                {usable ? null : <span className="text-xs text-text-3">not installed</span>}
                {version === null ? null : <span className="tabular truncate text-xs text-text-3">{version}</span>}
              </span>
              <span className="mt-0.5 flex items-center gap-1 text-xs text-text-3">
                {note.startsWith("Can resume") ? <RotateCcw size={11} className="shrink-0 text-green" /> : null}
                <span className={cx(usable ? "truncate" : "font-mono text-[11px] wrap-anywhere")}>{note}</span>
              </span>
            </span>
            {profile.id === value ? <Check size={15} className="mt-0.5 shrink-0 text-accent" /> : null}
          </RadioGroup.Item>
        ))}
      </RadioGroup.Root>
      {shown.length === offers.length ? null : (
        <button
          type="button"
          onClick={() => setAll(true)}
          className="self-start rounded-xs text-xs text-text-3 hover:text-text"
        >
          {offers.length - shown.length} more that this machine doesn't have
        </button>
      )}
    </fieldset>
  );
}
