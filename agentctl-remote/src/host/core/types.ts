import type {
  ApprovalAsk,
  CommandOf,
  Failure,
  PromptBlocks,
  SessionDown,
  SpoolEventBody,
  TurnOutcome,
} from "@reprise/protocol";
import type { HostDown, HostUp } from "../wire.ts";
import type { AgentEnd, Goodbye } from "./verdict.ts";

export type Launch = CommandOf<"launch">;
export type BodyOf<T extends SpoolEventBody["type"]> = Extract<SpoolEventBody, { type: T }>;
type Down<T extends (SessionDown | HostDown)["type"]> = Extract<HostDown, { type: T }>;

export interface Turn {
  turn_id: string;
  /** Why it is being ended before its time, if it is. */
  ending: "cancel" | "limit" | null;
}

/** Why an execution is to end, and what will be said of it. Of several, `endExecution` says which stands. */
export interface EndOrder {
  end_reason: BodyOf<"execution.ended">["end_reason"];
  failure: Failure | null;
  died: BodyOf<"execution.ended">["died"];
  /** Answered with `command.done` once the end is written. */
  command_ids: string[];
}

export interface Execution {
  execution_id: string;
  launch: Launch;
  /** `ending`: its group is being killed; only the proof of its death leads on. */
  phase: "starting" | "ready" | "ending";
  turn: Turn | null;
  /** Held requests, by id, with the options that were offered (P3). */
  approvals: ReadonlyMap<string, ApprovalAsk>;
  order: EndOrder | null;
  /** It could take prompts: an exit is then an interruption, not a failed start. */
  wasReady: boolean;
  exit: { exit_code: number | null; signal: string | null } | null;
  /** Of a terminal agent: what its end is judged by (R7). */
  end: AgentEnd | null;
  goodbye: Goodbye | null;
}

export interface HostCore {
  execution: Execution | null;
  /** A launch whose permit is asked for (R3). */
  waiting: Launch | null;
  disk_full: boolean;
  /** The end of the host itself: set by a teardown or a shutdown, and final. */
  leaving: boolean;
}

/** What the host's disk and clock say at this moment. */
export interface HostContext {
  last_seq: number;
  spool_id: string;
  /** Was this execution opened here at any time (R3: a permit is used once)? */
  opened: (executionId: string) => boolean;
  /** Did this prompt reach an agent at any time (P1)? */
  prompted: (promptId: string) => boolean;
  workspaceExists: (path: string) => boolean;
}

export type HostEvent =
  | Down<"launch" | "stop" | "teardown" | "shutdown">
  | Down<"permit.granted" | "permit.refused" | "prompt" | "cancel" | "approval.answer" | "set_mode" | "set_model">
  /** A daemon listens: what waits is said again. */
  | { type: "followed" }
  | { type: "disk"; full: boolean }
  | { type: "timer"; name: TimerName; execution_id: string; turn_id: string }
  | { type: "agent"; execution_id: string; told: AgentEvent }
  /** Somebody started the session's agent in its terminal. The launch is the last one's, with an id of its own. */
  | { type: "found"; launch: Launch };

/** What a driver tells of its agent. */
export type AgentEvent =
  | BodyOf<"agent.spawned" | "agent.initialized" | "agent.ready" | "agent.settings" | "agent.title" | "notice">
  | BodyOf<"agent.token" | "agent.prompted" | "agent.attention">
  | (BodyOf<"agent.goodbye"> & { at: number })
  /** A turn that nobody ordered: somebody typed into its terminal. */
  | { type: "turn.begun"; turn_id: string }
  | Omit<BodyOf<"item">, "turn_id">
  | { type: "asked"; ask: Omit<ApprovalAsk, "turn_id"> }
  | { type: "turn.over"; turn_id: string; outcome: TurnOutcome; message: string | null }
  /** It could not be started, or its conversation not be had. The process may still be there. */
  | { type: "failed"; failure: Failure }
  /** Its process ended, or it closed its output. */
  | { type: "exited"; exit_code: number | null; signal: string | null }
  /** The same of a terminal agent, as far as anybody saw it. */
  | { type: "ended"; end: AgentEnd }
  /** Nobody of its process group is left, and all that it said is told. `stderr` is the end of its own log. */
  | { type: "dead"; stderr: string };

export type TimerName = "cancel" | "turn_limit";

export type HostEffect =
  /** All of a step's are written in one transaction, synced, before any other effect runs. */
  | { type: "append"; execution_id: string | null; body: SpoolEventBody }
  /** For the session socket. */
  | { type: "tell"; frame: Extract<HostUp, { type: "permit.request" | "prompt.refused" | "approval.unknown" }> }
  /** For the daemon. */
  | { type: "reply"; frame: Extract<HostUp, { type: "launch.taken" | "command.done" | "command.failed" }> }
  | { type: "agent.start"; launch: Launch }
  | { type: "agent.prompt"; turn_id: string; blocks: PromptBlocks }
  | { type: "agent.cancel" }
  | { type: "agent.answer"; request_id: string; option_id: string | null }
  | { type: "agent.set_mode"; mode: string }
  | { type: "agent.set_model"; model: string }
  | { type: "agent.kill" }
  | { type: "timer.set"; name: TimerName; ms: number; execution_id: string; turn_id: string }
  | { type: "timer.clear"; name: TimerName }
  | { type: "leave" };

export interface Step {
  state: HostCore;
  effects: HostEffect[];
}
