import { ToggleGroup } from "radix-ui";
import { Link } from "react-router";
import { cx } from "../lib/cx.ts";

const CHOICES = [
  { id: "new", label: "A new conversation" },
  { id: "kept", label: "Resume an existing one" },
] as const;

/** A new conversation, or one that the agent has kept. @param refused why this agent can't go on with an earlier one */
export function BeginWith({
  kept,
  refused,
  onChange,
}: {
  readonly kept: boolean;
  readonly refused: string | null;
  readonly onChange: (kept: boolean) => void;
}) {
  return (
    <fieldset className="flex flex-col gap-1.5">
      <legend className="mb-1.5 text-sm font-medium">Begin with</legend>
      <ToggleGroup.Root
        type="single"
        value={kept ? "kept" : "new"}
        onValueChange={(id) => {
          if (id !== "") onChange(id === "kept");
        }}
        aria-label="Begin with"
        className="grid grid-cols-2 gap-0.5 rounded-md border border-line bg-sunken p-0.5"
      >
        {CHOICES.map(({ id, label }) => (
          <ToggleGroup.Item
            key={id}
            value={id}
            disabled={id === "kept" && refused !== null && !kept}
            className={cx(
              "h-(--control-sm) truncate rounded-sm px-2 text-sm text-text-2 transition-colors enabled:hover:text-text disabled:opacity-50",
              "data-[state=on]:bg-raised data-[state=on]:font-medium data-[state=on]:text-text data-[state=on]:shadow-sm",
            )}
          >
            {label}
          </ToggleGroup.Item>
        ))}
      </ToggleGroup.Root>
      {refused === null ? null : (
        <p className="text-xs text-pretty text-text-3">
          {refused}{" "}
          <Link to="/settings/agents" className="underline underline-offset-2">
            Agents' settings
          </Link>
        </p>
      )}
    </fieldset>
  );
}
