import { display, type PaneState, type SessionStatus, type TERMINAL_REFUSALS } from "@reprise/protocol";

/** What stands in the place of a terminal agent's screen. */
export type AgentScreen =
  /** Its own, or the shell's that lives on after it. */
  | { readonly kind: "live" }
  /** Shown; the way to it is being made again. Keys wait for it. */
  | { readonly kind: "linking" }
  /** A start that is on its way; what was there before stays until then. */
  | { readonly kind: "coming"; readonly words: string; readonly shows: boolean }
  /** Over: the last that it showed. */
  | { readonly kind: "past" }
  /** Nobody can tell how it is now: the last that was seen. */
  | { readonly kind: "silent" }
  | { readonly kind: "opening" }
  | { readonly kind: "none"; readonly title: string; readonly text: string; readonly retry: boolean };

/**
 * A start is on its way, and no process of it yet. Once there is one, its screen is shown, ready or not: it may ask
 * something before it is.
 */
export function isComing(status: SessionStatus): boolean {
  return !status.is_agent_running && (status.state === "CREATED" || status.state === "STARTING");
}

/** Whether there is a terminal to look at: a host that was ended holds none, and is not started again to say so. */
export function hasTerminal(status: SessionStatus): boolean {
  return status.executor_status === "ready" || status.is_agent_running;
}

/**
 * @param pane null while it is not opened
 * @param settled the stream that was shown when the present start began: any other one is the new execution's
 */
export function agentScreen(status: SessionStatus, pane: PaneState | null, settled: string | null): AgentScreen {
  const shows = pane !== null && pane.stream_id !== null;
  if (status.node.presence !== "online") {
    if (shows) return { kind: "silent" };
    return none("The machine is silent", `The terminal opens when ${status.node.name} is back.`);
  }
  const begun = shows && pane.phase === "attached" && pane.stream_id !== settled;
  if (isComing(status) && !begun)
    return { kind: "coming", words: `${display(status).label} ${status.agent_name}…`, shows };
  if (pane === null) return hasTerminal(status) ? { kind: "opening" } : gone(status);
  switch (pane.phase) {
    case "attached":
      return { kind: "live" };
    case "waiting":
    case "attaching":
      return { kind: shows ? "linking" : "opening" };
    case "ended":
      return { kind: "past" };
    case "refused":
      if (isGone(pane) && !status.is_agent_running) return gone(status);
      return none("No terminal", pane.refusal?.message ?? "", true);
  }
}

const GONE: ReadonlySet<string> = new Set<keyof typeof TERMINAL_REFUSALS>(["terminal_ended", "agent_not_started"]);

function isGone({ refusal }: PaneState): boolean {
  return refusal !== null && GONE.has(refusal.code);
}

function gone(status: SessionStatus): AgentScreen {
  const agent = status.agent_name;
  return none(
    "The screen is gone",
    status.is_resumable
      ? `It ended with its terminal. The conversation is kept by ${agent}: resumed, it is all there.`
      : "It ended with its terminal.",
  );
}

function none(title: string, text: string, retry = false): AgentScreen {
  return { kind: "none", title, text, retry };
}

/** Whether keys go to the program: those typed while the way is being made again wait for it. */
export function takesKeys(screen: AgentScreen): boolean {
  return screen.kind === "live" || screen.kind === "linking";
}

/** What is seen is not how it is now. */
export function isPast(screen: AgentScreen): boolean {
  return screen.kind === "past" || screen.kind === "silent" || screen.kind === "coming";
}

/** The agent is gone, and the shell that it ran in is still there. */
export function isShellLeft(status: SessionStatus, screen: AgentScreen): boolean {
  return screen.kind === "live" && !status.is_agent_running && !isComing(status);
}
