import { GitCompare, MessageSquare, SquareTerminal } from "lucide-react";
import { cx } from "../lib/cx.ts";

const TABS = [
  { id: "talk", label: "Talk", icon: MessageSquare },
  { id: "changes", label: "Changes", icon: GitCompare },
  { id: "shell", label: "Shell", icon: SquareTerminal },
] as const;

export type PhoneTab = (typeof TABS)[number]["id"];

/** On a phone the conversation and the workspace take turns. */
export function PhoneTabs({
  value,
  onChange,
}: {
  readonly value: PhoneTab;
  readonly onChange: (tab: PhoneTab) => void;
}) {
  return (
    <div
      role="tablist"
      aria-label="Session"
      className="safe-bottom grid shrink-0 grid-cols-3 border-t border-line bg-surface"
    >
      {TABS.map(({ id, label, icon: Icon }) => (
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
          <Icon size={19} />
          {label}
        </button>
      ))}
    </div>
  );
}
