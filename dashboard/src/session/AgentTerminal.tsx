import { AGENT_TERMINAL, type SessionStatus } from "@reprise/protocol";
import { SquareTerminal } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { useStore } from "zustand";
import { isTouch } from "../lib/useMedia.ts";
import { TerminalBox } from "../terminal/TerminalBox.tsx";
import { type TerminalSpec, useTerminal } from "../terminal/useTerminal.ts";
import { Button } from "../ui/Button.tsx";
import { EmptyState } from "../ui/EmptyState.tsx";
import { Late } from "../ui/Skeleton.tsx";
import { Spinner } from "../ui/Spinner.tsx";
import {
  type AgentScreen,
  agentScreen,
  hasTerminal,
  isComing,
  isPast,
  isShellLeft,
  takesKeys,
} from "./agent-screen.ts";
import type { SessionStore } from "./store.ts";
import { TerminalFoot } from "./TerminalFoot.tsx";

const AGENT: TerminalSpec = {
  terminalId: AGENT_TERMINAL,
  label: "The agent's terminal",
  agent: true,
  notices: {
    // The next execution's screen in the same place is what was asked for.
    renewed: null,
    lost_input: "What you typed meanwhile was for the agent that ended, and went nowhere.",
  },
};

/**
 * A terminal agent's own screen, in place of a conversation. It stays the same pane through every resume.
 * @param seen the status as this page can know it: with its link down, the machine is as good as silent
 */
export default function AgentTerminal({
  store,
  status,
  seen,
}: {
  readonly store: SessionStore;
  readonly status: SessionStatus;
  readonly seen: SessionStatus;
}) {
  const [wanted, setWanted] = useState(false);
  if (!wanted && hasTerminal(seen)) setWanted(true);
  const terminal = useTerminal(store, AGENT, wanted);
  const { opened, view } = terminal;
  const pane = useStore(view, (state) => state.pane);
  const stream = pane?.stream_id ?? null;
  const [settled, setSettled] = useState(stream);
  if (!isComing(seen) && settled !== stream) setSettled(stream);
  const screen = agentScreen(seen, pane, settled);
  const { agent_execution_id, is_agent_running, state } = status;
  // biome-ignore lint/correctness/useExhaustiveDependencies: each of these may mean that there is a terminal again
  useEffect(() => opened?.pane.again(), [opened, agent_execution_id, is_agent_running, state]);
  const before = useRef(screen.kind);
  useEffect(() => {
    const begun = before.current === "coming" && screen.kind === "live";
    before.current = screen.kind;
    // Whoever pressed Resume goes on here; a finger would bring up the keyboard.
    if (begun && document.activeElement === document.body && !isTouch()) opened?.screen.focus();
  }, [screen.kind, opened]);
  return (
    <section
      aria-label={`${status.agent_name}'s terminal`}
      data-testid="agent-terminal"
      data-screen={screen.kind}
      className="flex h-full min-h-0 min-w-0 flex-1 flex-col bg-canvas"
    >
      <TerminalBox terminal={terminal} takesKeys={takesKeys(screen)} past={isPast(screen)}>
        <Over screen={screen} onRetry={() => opened?.pane.start()} />
      </TerminalBox>
      <TerminalFoot
        store={store}
        status={status}
        view={view}
        opened={opened}
        aside={isShellLeft(seen, screen) ? "Its shell is still open." : undefined}
      />
    </section>
  );
}

/** What is to be said over the screen. */
function Over({ screen, onRetry }: { readonly screen: AgentScreen; readonly onRetry: () => void }) {
  switch (screen.kind) {
    case "live":
    case "past":
    case "silent":
      return null;
    case "linking":
      return (
        <Late>
          <Chip className="absolute top-2 right-4 text-xs">Connecting again</Chip>
        </Late>
      );
    case "opening":
      return (
        <Late>
          <Chip className="absolute inset-0 m-auto size-fit text-sm">Opening the terminal</Chip>
        </Late>
      );
    case "coming":
      return <Chip className="absolute inset-0 m-auto size-fit text-sm">{screen.words}</Chip>;
    case "none":
      return (
        <div className="absolute inset-0 flex items-start justify-center overflow-y-auto bg-canvas">
          <EmptyState
            icon={<SquareTerminal size={20} />}
            title={screen.title}
            action={screen.retry ? <Button onClick={onRetry}>Try again</Button> : undefined}
          >
            <span className="wrap-anywhere">{screen.text}</span>
          </EmptyState>
        </div>
      );
  }
}

function Chip({ className, children }: { readonly className: string; readonly children: string }) {
  return (
    <p
      role="status"
      className={`${className} flex items-center gap-2 rounded-md border border-line bg-raised px-3 py-2 text-text-2 shadow-md`}
    >
      <Spinner size={14} /> {children}
    </p>
  );
}
