import type { SessionStatus } from "@reprise/protocol";
import { CircleAlert, Search, SquareTerminal, TriangleAlert } from "lucide-react";
import { useMemo } from "react";
import { useStore } from "zustand";
import { usePhone } from "../lib/useMedia.ts";
import type { OpenTerminal } from "../terminal/useTerminal.ts";
import type { TerminalView } from "../terminal/view.ts";
import { Banner } from "../ui/Banner.tsx";
import { Button } from "../ui/Button.tsx";
import { IconButton } from "../ui/IconButton.tsx";
import { BannerSlot } from "./BannerSlot.tsx";
import { LinkNotice } from "./LinkNotice.tsx";
import { warningsOf } from "./notices.ts";
import { waitingPrompts } from "./prompts.ts";
import { Queue, UnsurePrompts } from "./Queue.tsx";
import type { SessionStore } from "./store.ts";
import { useSessionResumption } from "./useSessionResumption.ts";

/**
 * The lower edge of an agent's terminal. It is always there, with the title in it, so that a banner which takes the
 * title's place neither covers what is read nor moves it.
 */
export function TerminalFoot({
  store,
  status,
  view,
  opened,
  aside,
}: {
  readonly store: SessionStore;
  readonly status: SessionStatus;
  readonly view: TerminalView;
  readonly opened: OpenTerminal | null;
  readonly aside: string | undefined;
}) {
  const connection = useStore(store, (state) => state.copy.connection);
  const offered = useSessionResumption(status.session_id, status);
  const phone = usePhone();
  // With the link down, it is no machine's fault that nothing is heard: the notice says so.
  const may = connection.kind === "live" || status.node.presence === "online";
  const banner = may && offered !== null && offered.banner !== null;
  return (
    <div className="shrink-0 border-t border-line bg-surface" data-testid="terminal-foot">
      <Prompts store={store} status={status} />
      {status.attention !== null ? (
        <Attention text={status.attention} onAnswer={() => opened?.screen.focus()} />
      ) : banner ? (
        <BannerSlot status={status} flush aside={aside} />
      ) : phone ? null : (
        <TitleBar store={store} status={status} view={view} opened={opened} />
      )}
      {connection.kind === "live" ? null : (
        <div className="px-4 not-empty:pb-2">
          <LinkNotice connection={connection} />
        </div>
      )}
    </div>
  );
}

/** Those sent from elsewhere that wait, or of which nobody knows whether the agent had them. */
function Prompts({ store, status }: { readonly store: SessionStore; readonly status: SessionStatus }) {
  const rows = useStore(store, (state) => state.rows);
  const outgoing = useStore(store, (state) => state.outgoing);
  const { queue, unsure } = useMemo(() => waitingPrompts(rows, outgoing, status), [rows, outgoing, status]);
  if (queue.length === 0 && unsure.length === 0) return null;
  return (
    <div className="flex flex-col gap-2 px-3 pt-2">
      <UnsurePrompts store={store} unsure={unsure} />
      <Queue store={store} queue={queue} held={status.queue_held} running={status.is_agent_running} />
    </div>
  );
}

/** What the agent asks, where only its terminal can answer. */
function Attention({ text, onAnswer }: { readonly text: string; readonly onAnswer: () => void }) {
  return (
    <Banner
      flush
      tone="amber"
      label="What the agent asks"
      icon={<CircleAlert size={16} className="text-amber" />}
      actions={
        <Button size="sm" variant="primary" onClick={onAnswer}>
          Answer in the terminal
        </Button>
      }
    >
      {text}
    </Banner>
  );
}

function TitleBar({
  store,
  status,
  view,
  opened,
}: {
  readonly store: SessionStore;
  readonly status: SessionStatus;
  readonly view: TerminalView;
  readonly opened: OpenTerminal | null;
}) {
  const title = useStore(view, (state) => state.title);
  const rows = useStore(store, (state) => state.rows);
  const warnings = useMemo(() => warningsOf(rows, status.agent_execution_id), [rows, status.agent_execution_id]);
  return (
    <div className="flex min-h-11 items-center gap-2 pr-2 pl-4 text-xs text-text-3">
      <SquareTerminal size={14} className="shrink-0" />
      <p className="min-w-0 flex-1 truncate" title={title}>
        {title === "" ? status.agent_name : title}
      </p>
      {warnings.length === 0 ? null : (
        <IconButton label={warnings.map(({ text }) => text).join(" ")} size="sm">
          <TriangleAlert size={15} className="text-amber" />
        </IconButton>
      )}
      <IconButton
        label="Find in the terminal"
        keys="mod f"
        size="sm"
        disabled={opened === null}
        onClick={() => view.setState({ finding: true })}
      >
        <Search size={15} />
      </IconButton>
    </div>
  );
}
