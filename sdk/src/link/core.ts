import { CLOSE, reconnectDelay } from "@reprise/protocol";
import { CONNECT_MS, FORBIDDEN_RETRY_MS, HEALTHY_MS, PING_AFTER_MS, PONG_MS } from "../limits.ts";

/** Why a link gave up for good: asking again would get the same answer. */
export interface Refusal {
  code: string;
  message: string;
}

/** `n` numbers the sockets, so that what an old one still says is told apart. */
export type LinkState =
  | { kind: "stopped"; n: number; refusal: Refusal | null }
  | { kind: "waiting"; n: number; attempt: number; lostAt: number }
  | { kind: "connecting"; n: number; attempt: number; lostAt: number }
  | { kind: "open"; n: number; attempt: number; lostAt: number; openedAt: number; heardAt: number; pinged: boolean };

export type LinkEvent =
  | { type: "start" }
  | { type: "stop" }
  | { type: "timer" }
  | { type: "opened"; n: number }
  | { type: "heard"; n: number }
  | { type: "closed"; n: number; code: number }
  /** The system woke up, or says that it is online again. */
  | { type: "wake" }
  /** The server wants this socket to begin anew. */
  | { type: "restart" }
  | { type: "refused"; refusal: Refusal };

export type LinkEffect =
  | { type: "open"; n: number }
  | { type: "close"; n: number }
  | { type: "ping"; n: number }
  /** The one timer: a new one takes the place of the old. */
  | { type: "timer"; ms: number | null }
  /** A connect failed without a word: HTTP can tell whether it is for good. */
  | { type: "ask_why" };

export interface LinkContext {
  now: number;
  /** In [0, 1). */
  random: number;
}

export interface LinkStep {
  state: LinkState;
  effects: LinkEffect[];
}

export const stoppedLink: LinkState = { kind: "stopped", n: 0, refusal: null };

const REFUSALS: ReadonlyMap<number, Refusal> = new Map([
  [CLOSE.credential_expired, { code: "unauthenticated", message: "You were signed out." }],
  [CLOSE.protocol_too_old, { code: "protocol_too_old", message: "This page is older than the server. Reload it." }],
]);

/** N4 for a viewer: at every moment some timer leads back to a healthy socket, until it is stopped or refused. */
export function stepLink(state: LinkState, event: LinkEvent, ctx: LinkContext): LinkStep {
  switch (event.type) {
    case "start":
      return state.kind === "stopped" ? connect(state.n, 0, ctx.now) : stay(state);
    case "stop":
      return end(state, null);
    case "refused":
      return state.kind === "stopped" ? stay(state) : end(state, event.refusal);
    case "restart":
      return state.kind === "open" || state.kind === "connecting"
        ? lost(state, CLOSE.stale, ctx, [{ type: "close", n: state.n }])
        : stay(state);
    case "wake":
      return wake(state, ctx);
    case "timer":
      return timer(state, ctx);
    case "opened":
      if (state.kind !== "connecting" || state.n !== event.n) return stay(state);
      return {
        state: { ...state, kind: "open", openedAt: ctx.now, heardAt: ctx.now, pinged: false },
        effects: [{ type: "timer", ms: PING_AFTER_MS }],
      };
    case "heard":
      if (state.kind !== "open" || state.n !== event.n) return stay(state);
      return stay({ ...state, heardAt: ctx.now, pinged: false });
    case "closed":
      if (state.n !== event.n || (state.kind !== "open" && state.kind !== "connecting")) return stay(state);
      return lost(state, event.code, ctx, []);
  }
}

function stay(state: LinkState): LinkStep {
  return { state, effects: [] };
}

function connect(n: number, attempt: number, lostAt: number): LinkStep {
  return {
    state: { kind: "connecting", n: n + 1, attempt, lostAt },
    effects: [
      { type: "open", n: n + 1 },
      { type: "timer", ms: CONNECT_MS },
    ],
  };
}

function end(state: LinkState, refusal: Refusal | null): LinkStep {
  const live = state.kind === "open" || state.kind === "connecting";
  const effects: LinkEffect[] = live ? [{ type: "close", n: state.n }] : [];
  return { state: { kind: "stopped", n: state.n, refusal }, effects: [...effects, { type: "timer", ms: null }] };
}

type Live = Extract<LinkState, { kind: "open" | "connecting" }>;

function lost(state: Live, code: number, ctx: LinkContext, effects: LinkEffect[]): LinkStep {
  const refusal = REFUSALS.get(code);
  if (refusal)
    return { state: { kind: "stopped", n: state.n, refusal }, effects: [...effects, { type: "timer", ms: null }] };
  const healthy = state.kind === "open" && ctx.now - state.openedAt >= HEALTHY_MS;
  const attempt = healthy ? 0 : state.attempt + 1;
  const lostAt = healthy ? ctx.now : state.lostAt;
  if (healthy && code === CLOSE.stale) {
    const next = connect(state.n, attempt, lostAt);
    return { ...next, effects: [...effects, ...next.effects] };
  }
  const ms = code === CLOSE.forbidden ? FORBIDDEN_RETRY_MS : reconnectDelay(attempt, ctx.now - lostAt, ctx.random);
  const ask: LinkEffect[] = state.kind === "connecting" || code === CLOSE.forbidden ? [{ type: "ask_why" }] : [];
  return {
    state: { kind: "waiting", n: state.n, attempt, lostAt },
    effects: [...effects, { type: "timer", ms }, ...ask],
  };
}

function timer(state: LinkState, ctx: LinkContext): LinkStep {
  switch (state.kind) {
    case "stopped":
      return stay(state);
    case "waiting":
      return connect(state.n, state.attempt, state.lostAt);
    case "connecting":
      return lost(state, CLOSE.stale, ctx, [{ type: "close", n: state.n }]);
    case "open": {
      if (state.pinged) return lost(state, CLOSE.stale, ctx, [{ type: "close", n: state.n }]);
      const silent = ctx.now - state.heardAt;
      if (silent < PING_AFTER_MS) return { state, effects: [{ type: "timer", ms: PING_AFTER_MS - silent }] };
      return ping(state);
    }
  }
}

function ping(state: Extract<LinkState, { kind: "open" }>): LinkStep {
  return {
    state: { ...state, pinged: true },
    effects: [
      { type: "ping", n: state.n },
      { type: "timer", ms: PONG_MS },
    ],
  };
}

function wake(state: LinkState, ctx: LinkContext): LinkStep {
  if (state.kind === "waiting") return connect(state.n, state.attempt, state.lostAt);
  if (state.kind === "open" && !state.pinged && ctx.now - state.heardAt > PONG_MS) return ping(state);
  return stay(state);
}
