import type { AgentCapabilities, LaunchSpec } from "@reprise/protocol";
import type { AgentEvent, Launch } from "../../../host/core/types.ts";
import { type Reporter, taken } from "./reporter.ts";
import type { Said } from "./said.ts";

export interface Identity {
  pid: number;
  start_time: string | null;
  boot_id: string;
}

/** One terminal agent, from its order to its end, as its driver knows it. What its end means is the host core's to say. */
export interface AgentState {
  /** `ordered`: its shell reads its start-up files, and its wrapper isn't there yet. */
  readonly phase: "ordered" | "starting" | "ready" | "over";
  readonly spec: LaunchSpec;
  /** The conversation that it is to resume. */
  readonly resumes: string | null;
  readonly reporter: Reporter;
  /** The conversation that it serves, as far as anybody has said. */
  readonly token: string | null;
  readonly turn: string | null;
  /** What it is to be given once it is ready, where its command line did not carry it. */
  readonly unsaid: string | null;
  /** Do its hooks tell of its turns? Where none does, a submitted line stands for a prompt (R7). */
  readonly tells_turns: boolean;
  readonly prompted: boolean;
  readonly asks: boolean;
  /** It said that it ends. Some say it several times. */
  readonly left: "explicit" | "other" | null;
}

export type AgentInput =
  /** Its wrapper is there and waits. */
  | { type: "wrapped"; who: Identity }
  /** `turn_id`: for a turn that this may begin. */
  | { type: "said"; said: Said; chain: readonly number[]; at: number; turn_id: string }
  /** It has run long enough to count as ready. */
  | { type: "settled" }
  /** Its hooks were to speak, and have not: nothing will be heard of its turns. */
  | { type: "mute" }
  /** Found by what its processes hold open. */
  | { type: "token"; token: string }
  /** Somebody typed. `submitted`: a whole line. */
  | { type: "typed"; submitted: boolean }
  | { type: "prompt"; turn_id: string; text: string }
  /** It couldn't be given that: its shell is in front. */
  | { type: "refused" }
  | { type: "cancel" }
  /** Told to stop, by Reprise or at its terminal, it came to rest. */
  | { type: "rests" }
  | { type: "over" };

export type AgentOutput =
  | { type: "tell"; event: AgentEvent }
  /** All that was told is on disk: the agent may run. */
  | { type: "go" }
  | { type: "type"; text: string }
  | { type: "escape" };

export interface AgentStep {
  state: AgentState;
  outputs: AgentOutput[];
}

/** An agent that is to be started, or that its person has started. */
export function orderedAgent({ spec, how, prompt }: Launch): AgentState {
  return {
    phase: "ordered",
    spec,
    resumes: how.type === "resume" ? how.token : null,
    reporter: { root: null, id: null, depth: null },
    token: null,
    turn: prompt?.turn_id ?? null,
    unsaid: null,
    tells_turns: true,
    prompted: prompt != null,
    asks: false,
    left: null,
  };
}

/** A terminal agent can be resumed if its profile says how (R1); all else is between it and its terminal. */
export function terminalCapabilities(spec: LaunchSpec): AgentCapabilities {
  return {
    load_session: false,
    resume_session: spec.resume_args != null,
    list_sessions: false,
    close_session: false,
    prompt_image: false,
    prompt_embedded_context: false,
  };
}

/** What follows from an input. Pure. */
export function stepAgent(state: AgentState, input: AgentInput): AgentStep {
  if (state.phase === "over") return { state, outputs: [] };
  switch (input.type) {
    case "wrapped":
      return onWrapped(state, input.who);
    case "said":
      return onSaid(state, input);
    case "settled":
      return state.phase === "starting" ? ready(state, state.token) : { state, outputs: [] };
    case "mute":
      return state.reporter.id === null ? handOver({ ...state, tells_turns: false }) : { state, outputs: [] };
    case "token":
      return input.token === state.token ? { state, outputs: [] } : learn(state, input.token);
    case "typed":
      return onTyped(state, input.submitted);
    case "prompt":
      return handOver({ ...state, turn: input.turn_id, unsaid: input.text });
    case "refused":
      return endTurn(state, "failed", "The agent is suspended in its terminal. Bring it back there (fg), then retry.");
    case "cancel":
      if (state.turn === null) return { state, outputs: [] };
      // Whatever it asks is dismissed with that.
      return then(calm(state), (next) => ({ state: next, outputs: [{ type: "escape" }] }));
    case "rests":
      // At a question it rests, too.
      return state.asks ? { state, outputs: [] } : endTurn(state, "cancelled", null);
    case "over":
      return { state: { ...state, phase: "over" }, outputs: [] };
  }
}

const tell = (event: AgentEvent): AgentOutput => ({ type: "tell", event });

/** One step after another. */
function then(first: AgentStep, next: (state: AgentState) => AgentStep): AgentStep {
  const second = next(first.state);
  return { state: second.state, outputs: [...first.outputs, ...second.outputs] };
}

function onWrapped(state: AgentState, who: Identity): AgentStep {
  if (state.phase !== "ordered") return { state, outputs: [] };
  const { spec, reporter } = state;
  const initialized: AgentEvent = {
    type: "agent.initialized",
    name: spec.agent_name.slice(0, 200),
    version: null,
    capabilities: terminalCapabilities(spec),
  };
  return {
    state: { ...state, phase: "starting", reporter: { ...reporter, root: who.pid } },
    outputs: [tell({ type: "agent.spawned", ...who }), tell(initialized), { type: "go" }],
  };
}

/** It serves that conversation: it is ready by that, or went to another one inside itself (R2). */
function learn(state: AgentState, token: string): AgentStep {
  if (state.phase === "ordered" || token === state.token) return { state, outputs: [] };
  if (state.phase === "starting") return ready(state, token);
  return { state: { ...state, token, left: null }, outputs: [tell({ type: "agent.token", token })] };
}

function ready(state: AgentState, token: string | null): AgentStep {
  const { resumes } = state;
  const event: AgentEvent = {
    type: "agent.ready",
    token: token ?? resumes,
    how: resumes === null ? "new" : "resume",
    replayed: 0,
    // R4: one that says another id than it was given may have begun afresh.
    verified: resumes === null || token === null || token === resumes,
  };
  return then({ state: { ...state, phase: "ready", token: token ?? resumes }, outputs: [tell(event)] }, handOver);
}

/** Give it the words that wait for it. Where nobody will tell how a turn ends, it is over with that. */
function handOver(state: AgentState): AgentStep {
  const { unsaid } = state;
  const typed: AgentOutput[] = unsaid === null ? [] : [{ type: "type", text: unsaid }];
  const given: AgentStep = { state: { ...state, unsaid: null }, outputs: typed };
  return state.tells_turns ? given : then(given, (next) => endTurn(next, "done", null));
}

function onTyped(state: AgentState, submitted: boolean): AgentStep {
  return then(calm(state), (next) => {
    const counts = submitted && !next.tells_turns && !next.prompted && next.phase !== "ordered";
    return counts
      ? { state: { ...next, prompted: true }, outputs: [tell({ type: "agent.prompted" })] }
      : { state: next, outputs: [] };
  });
}

/** Whatever it asked, somebody saw to it. */
function calm(state: AgentState): AgentStep {
  if (!state.asks) return { state, outputs: [] };
  return { state: { ...state, asks: false }, outputs: [tell({ type: "agent.attention", text: null })] };
}

function endTurn(state: AgentState, outcome: "done" | "failed" | "cancelled", message: string | null): AgentStep {
  const { turn } = state;
  if (turn === null) return { state, outputs: [] };
  return {
    state: { ...state, turn: null },
    outputs: [tell({ type: "turn.over", turn_id: turn, outcome, message })],
  };
}

function onSaid(state: AgentState, { said, chain, at, turn_id }: Extract<AgentInput, { type: "said" }>): AgentStep {
  const reporter = taken(state.reporter, { id: said.id, chain, begins: said.type === "conversation" });
  if (reporter === null || state.phase === "ordered") return { state, outputs: [] };
  const known = { ...state, reporter, tells_turns: state.tells_turns || tellsTurns(said) };
  // Any word proves that it runs, and which conversation it serves; save its last, which also one that fails to start says.
  const heard = said.type === "goodbye" ? { state: known, outputs: [] } : learn(known, said.id);
  return then(heard, (next) => {
    switch (said.type) {
      case "conversation":
        return { state: next, outputs: [] };
      case "prompted":
        return then(calm(next), (calmed) => begin(calmed, turn_id));
      case "turn_over":
        return then(calm(next), (calmed) => endTurn(calmed, said.outcome, said.message));
      case "idle":
        return then(calm(next), (calmed) => endTurn(calmed, "cancelled", null));
      case "asks":
        return {
          state: { ...next, asks: true },
          outputs: [tell({ type: "agent.attention", text: said.text.slice(0, 2_000) })],
        };
      case "goodbye":
        return then(calm(next), (calmed) => leave(calmed, said, at));
    }
  });
}

/** The first time counts, for its time does (R7); a later one only if it says more. */
function leave(state: AgentState, said: Extract<Said, { type: "goodbye" }>, at: number): AgentStep {
  const { reason, explicit } = said;
  if (state.left === "explicit" || (state.left === "other" && !explicit)) return { state, outputs: [] };
  return {
    state: { ...state, left: explicit ? "explicit" : "other" },
    outputs: [tell({ type: "agent.goodbye", reason: reason.slice(0, 100), explicit, at })],
  };
}

function tellsTurns(said: Said): boolean {
  return said.type === "prompted" || said.type === "turn_over" || said.type === "idle";
}

/** A turn of its own: somebody typed it there. One that Reprise began is heard of in the same words. */
function begin(state: AgentState, turn_id: string): AgentStep {
  if (state.turn !== null) return { state, outputs: [] };
  return {
    state: { ...state, turn: turn_id, prompted: true, left: null },
    outputs: [tell({ type: "turn.begun", turn_id })],
  };
}
