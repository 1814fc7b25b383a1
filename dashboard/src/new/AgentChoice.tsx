import { Check, MessageSquare, RotateCcw, SquareTerminal } from "lucide-react";
import { RadioGroup } from "radix-ui";
import { useState } from "react";
import { cx } from "../lib/cx.ts";
import { type AgentGroup, atHand, groupsOf, type Offer, wayName } from "./offers.ts";

const card =
  "relative flex items-start gap-2.5 rounded-md border bg-surface px-3 py-2.5 text-left transition-colors duration-100";

/** Which agent: its version on this machine, whether it can resume, and how one talks with it. */
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
  const groups = groupsOf(offers);
  const shown = all ? groups : atHand(groups, value);
  return (
    <fieldset className="flex flex-col gap-1.5">
      <legend className="mb-1.5 text-sm font-medium">Agent</legend>
      <RadioGroup.Root value={value} onValueChange={onChange} aria-label="Agent" className="grid gap-2 sm:grid-cols-2">
        {shown.map((group) => {
          const [first] = group.ways;
          return group.ways.length > 1 || first === undefined ? (
            <Ways key={group.agent_kind} group={group} value={value} />
          ) : (
            <OneWay key={group.agent_kind} group={group} way={first} chosen={first.profile.id === value} />
          );
        })}
      </RadioGroup.Root>
      {shown.length === groups.length ? null : (
        <button
          type="button"
          onClick={() => setAll(true)}
          className="self-start rounded-xs text-xs text-text-3 hover:text-text"
        >
          {groups.length - shown.length} more that this machine doesn't have
        </button>
      )}
    </fieldset>
  );
}

/** An agent that is talked with in one way only: the whole card is the choice. */
function OneWay({ group, way, chosen }: { readonly group: AgentGroup; readonly way: Offer; readonly chosen: boolean }) {
  const { profile, usable } = way;
  return (
    <RadioGroup.Item
      value={profile.id}
      disabled={!usable}
      aria-label={profile.name}
      className={cx(
        card,
        "enabled:hover:border-text-3/60",
        chosen ? "border-accent ring-1 ring-accent" : "border-line-strong",
        !usable && "bg-transparent",
      )}
    >
      <Facts name={group.name} way={way} />
      {profile.driver === "terminal" ? <SquareTerminal size={14} className="mt-0.5 shrink-0 text-text-3" /> : null}
      {chosen ? <Check size={15} className="mt-0.5 shrink-0 text-accent" /> : null}
    </RadioGroup.Item>
  );
}

/** One that has several: a press on the card takes the first that works there. */
function Ways({ group, value }: { readonly group: AgentGroup; readonly value: string }) {
  const first = group.ways.find((way) => way.usable) ?? group.ways[0];
  const chosen = group.ways.find((way) => way.profile.id === value);
  const shown = chosen ?? first;
  if (shown === undefined) return null;
  return (
    <div
      className={cx(
        card,
        "flex-col has-[button:enabled]:hover:border-text-3/60",
        chosen ? "border-accent ring-1 ring-accent" : "border-line-strong",
        !shown.usable && "bg-transparent",
      )}
    >
      <Facts name={group.name} way={shown} />
      <div className="flex flex-wrap gap-1">
        {group.ways.map((way) => (
          <RadioGroup.Item
            key={way.profile.id}
            value={way.profile.id}
            disabled={!way.usable}
            title={way.usable ? undefined : way.note}
            aria-label={way.profile.name}
            className={cx(
              "flex h-(--control-sm) items-center gap-1.5 rounded-sm border px-2 text-xs disabled:opacity-50",
              way === chosen
                ? "border-accent bg-accent-soft text-accent"
                : "border-line-strong bg-raised text-text-2 enabled:hover:text-text",
              chosen === undefined && way === first ? "after:absolute after:inset-0" : "relative z-10",
            )}
          >
            {way.profile.driver === "terminal" ? <SquareTerminal size={13} /> : <MessageSquare size={13} />}
            {wayName(way, group)}
          </RadioGroup.Item>
        ))}
      </div>
      {chosen ? <Check size={15} className="absolute top-3 right-3 text-accent" /> : null}
    </div>
  );
}

function Facts({ name, way: { usable, version, note, resumes } }: { readonly name: string; readonly way: Offer }) {
  return (
    <span className="min-w-0 flex-1">
      <span className="flex items-baseline gap-2">
        <span className={cx("truncate text-sm font-medium", !usable && "text-text-3")}>{name}</span>
        {usable ? null : <span className="shrink-0 text-xs text-text-3">not installed</span>}
        {version === null ? null : <span className="tabular truncate text-xs text-text-3">{version}</span>}
      </span>
      <span className="mt-0.5 flex items-center gap-1 text-xs text-text-3">
        {usable && resumes === true ? <RotateCcw size={11} className="shrink-0 text-green" /> : null}
        <span className={cx(usable ? "truncate" : "font-mono text-[11px] wrap-anywhere")}>{note}</span>
      </span>
    </span>
  );
}
