import { isAgentTerminal, type PaneState, type TERMINAL_REFUSALS } from "@reprise/protocol";
import type { Pane } from "@reprise/sdk";
import { SquareTerminal } from "lucide-react";
import { useState } from "react";
import { useStore } from "zustand";
import type { SessionStore } from "../session/store.ts";
import { TerminalBox } from "../terminal/TerminalBox.tsx";
import { type TerminalSpec, useTerminal } from "../terminal/useTerminal.ts";
import { Button } from "../ui/Button.tsx";
import { EmptyState } from "../ui/EmptyState.tsx";
import { Late } from "../ui/Skeleton.tsx";
import { Spinner } from "../ui/Spinner.tsx";

/** A shell that every page of the session shares. */
const SHELL: Omit<TerminalSpec, "terminalId"> = {
  label: "Shell",
  agent: false,
  notices: {
    renewed: "The earlier shell ended with its host. This is a new one.",
    lost_input: "What you typed meanwhile was for the earlier shell, and went nowhere.",
  },
};

/**
 * A shell in the session's workspace, on its machine.
 * @param live false: it is shown as it was last @param terminalId the same for the component's life
 */
export default function Shell({
  store,
  live,
  terminalId,
}: {
  readonly store: SessionStore;
  readonly live: boolean;
  readonly terminalId: string;
}) {
  const [spec] = useState(() => ({ ...SHELL, terminalId }));
  const terminal = useTerminal(store, spec);
  const begins = !isAgentTerminal(terminalId);
  const state = useStore(terminal.view, ({ pane }) => pane);
  const takesKeys = live && state?.phase !== "ended" && state?.phase !== "refused";
  return (
    <div
      className="relative flex h-full min-h-0 flex-col"
      data-testid="shell"
      data-phase={live ? state?.phase : "silent"}
    >
      <TerminalBox terminal={terminal} takesKeys={takesKeys}>
        {terminal.opened === null || state === null ? null : (
          <Over state={state} live={live} pane={terminal.opened.pane} />
        )}
      </TerminalBox>
      {terminal.opened !== null && state?.phase === "ended" ? (
        <div className="flex shrink-0 items-center gap-3 border-t border-line bg-surface px-4 py-2 text-sm text-text-2">
          <p role="status" className="min-w-0 flex-1">
            {ended(state)}
          </p>
          {begins ? (
            <Button size="sm" variant="primary" disabled={!live} onClick={() => terminal.opened?.pane.start()}>
              New shell
            </Button>
          ) : null}
        </div>
      ) : null}
    </div>
  );
}

/** Refusals that another try changes nothing about. */
const FINAL: ReadonlySet<string> = new Set<keyof typeof TERMINAL_REFUSALS>(["shell_off", "terminal_ended"]);

/** What is to be said over the terminal: that it isn't there yet, or can't be had. */
function Over({ state, live, pane }: { readonly state: PaneState; readonly live: boolean; readonly pane: Pane }) {
  switch (state.phase) {
    case "attached":
    case "ended":
      return null;
    case "waiting":
    case "attaching":
      if (!live) return null;
      return (
        <Late>
          <p
            role="status"
            className="absolute top-2 right-4 flex items-center gap-2 rounded-md border border-line bg-raised px-2.5 py-1.5 text-xs text-text-2 shadow-md"
          >
            <Spinner size={13} /> {state.stream_id === null ? "Opening a shell" : "Connecting again"}
          </p>
        </Late>
      );
    case "refused":
      return (
        <div className="absolute inset-0 flex items-start justify-center bg-canvas">
          <EmptyState
            icon={<SquareTerminal size={20} />}
            title="No shell"
            action={
              FINAL.has(state.refusal?.code ?? "") ? undefined : (
                <Button disabled={!live} onClick={() => pane.start()}>
                  Try again
                </Button>
              )
            }
          >
            <span className="wrap-anywhere">{state.refusal?.message}</span>
          </EmptyState>
        </div>
      );
  }
}

function ended({ exit }: PaneState): string {
  if (exit?.signal) return `The shell was ended by ${exit.signal}.`;
  return exit?.exit_code ? `The shell ended with exit code ${exit.exit_code}.` : "The shell ended.";
}
