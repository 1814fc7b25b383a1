import type { SessionStatus } from "@reprise/protocol";
import { ChevronRight, GitCompare, MessageSquare, SquareTerminal } from "lucide-react";
import { cx } from "../lib/cx.ts";

export type PhoneTab = "talk" | "changes" | "shell";

const CHANGES = { id: "changes", label: "Changes", icon: GitCompare } as const;
const SHELL = { id: "shell", label: "Shell", icon: ChevronRight } as const;
const TABS = {
  acp: [{ id: "talk", label: "Talk", icon: MessageSquare }, CHANGES, SHELL],
  terminal: [{ id: "talk", label: "Terminal", icon: SquareTerminal }, CHANGES, SHELL],
} as const satisfies Record<SessionStatus["driver"], unknown>;

/** On a phone the conversation, or the agent's terminal, and the workspace take turns. */
export function PhoneTabs({
  driver,
  asks,
  value,
  onChange,
}: {
  readonly driver: SessionStatus["driver"];
  /** The agent waits for an answer, under the first tab. */
  readonly asks: boolean;
  readonly value: PhoneTab;
  readonly onChange: (tab: PhoneTab) => void;
}) {
  return (
    <div
      role="tablist"
      aria-label="Session"
      className="safe-bottom grid shrink-0 grid-cols-3 border-t border-line bg-surface"
    >
      {TABS[driver].map(({ id, label, icon: Icon }) => (
        <button
          key={id}
          type="button"
          role="tab"
          aria-selected={value === id}
          onClick={() => onChange(id)}
          className={cx(
            "flex h-13 flex-col items-center justify-center gap-0.5 text-[11px]",
            value === id ? "text-accent" : "text-text-3",
          )}
        >
          <span className="relative">
            <Icon size={19} />
            {asks && id === "talk" && value !== id ? (
              <span className="absolute -top-0.5 -right-1.5 size-2 rounded-full bg-amber-fill" />
            ) : null}
          </span>
          {label}
        </button>
      ))}
    </div>
  );
}
