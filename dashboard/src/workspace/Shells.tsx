import { useState } from "react";
import { cx } from "../lib/cx.ts";
import type { SessionStore } from "../session/store.ts";
import Shell from "./Shell.tsx";

const SHELL = "shell";

/** The session's shell, and beside it those of earlier agents in which something still runs. */
export default function Shells({
  store,
  live,
  kept,
}: {
  readonly store: SessionStore;
  readonly live: boolean;
  readonly kept: readonly string[];
}) {
  const [chosen, setChosen] = useState(SHELL);
  if (kept.length === 0) return <Shell store={store} live={live} terminalId={SHELL} />;
  return (
    <div className="flex h-full min-h-0 flex-col">
      <div
        role="tablist"
        aria-label="Shells"
        className="flex shrink-0 gap-1 overflow-x-auto border-b border-line px-3 py-1.5"
      >
        {[SHELL, ...kept].map((id) => (
          <button
            key={id}
            type="button"
            role="tab"
            aria-selected={chosen === id}
            onClick={() => setChosen(id)}
            className={cx(
              "h-(--control-sm) shrink-0 rounded-sm px-2 text-xs",
              chosen === id ? "bg-active font-medium text-text" : "text-text-3 hover:text-text",
            )}
          >
            {id === SHELL ? "Shell" : `Earlier agent's (${id})`}
          </button>
        ))}
      </div>
      <div className="min-h-0 flex-1">
        <Shell key={chosen} store={store} live={live} terminalId={chosen} />
      </div>
    </div>
  );
}
