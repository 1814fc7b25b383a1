import { CLOSE, reconnectDelay } from "@reprise/protocol";

/**
 * One connection to the control plane, as a pure state machine (N2, N4, N5). Whatever happens, exactly one timer is
 * armed in every phase but `ended` and `idle`, and it leads back to a healthy socket.
 */
export interface LinkLimits {
  connectMs: number;
  /** On trial, a socket has this long for its first answer, and must then hold this long before it may say hello. */
  proveMs: number;
  helloMs: number;
  pingMs: number;
  silenceMs: number;
  healthyMs: number;
  slowMs: number;
  yieldMs: number;
}

/** Why there is no link, for people and logs. */
export type LinkTrouble =
  | "starting"
  | "lost"
  | "unreachable"
  /** Something on the way answers the upgrade with an HTTP status of its own. */
  | "refused"
  /** The socket opened, and nothing came through it. */
  | "mute"
  | "silent"
  | "woke"
  | "bad_frame"
  | "credential_expired"
  | "forbidden"
  | "not_found"
  | "stale"
  | "replaced"
  | "too_old";

interface Common {
  /** Counts sockets: what an older one still says is ignored. */
  conn: number;
  /** Attempts since the last healthy link. */
  attempt: number;
  lostAt: number;
  trouble: LinkTrouble;
  /** It yielded to another daemon (4409) and has not been welcomed since. */
  yielded: boolean;
}

export type LinkState =
  | { phase: "idle" }
  | (Common & { phase: "waiting"; timerAt: number })
  | (Common & { phase: "connecting"; timerAt: number })
  | (Common & { phase: "proving"; timerAt: number; heard: boolean })
  | (Common & { phase: "greeting"; timerAt: number })
  | (Common & { phase: "up"; timerAt: number; since: number; heardAt: number; pingAt: number })
  | { phase: "ended"; why: "closed" | "too_old" };

export type LinkEvent =
  | { type: "start" }
  | { type: "timer" }
  | { type: "opened"; conn: number }
  | { type: "welcomed"; conn: number }
  | { type: "heard"; conn: number }
  | { type: "closed"; conn: number; code: number }
  /** The upgrade was answered with an HTTP status. */
  | { type: "refused"; conn: number; status: number }
  /** Name look-up, TCP or TLS failed. */
  | { type: "failed"; conn: number }
  | { type: "woke" }
  /** There is new reason to try: waits that only pace us are cut short. */
  | { type: "nudge" }
  /** The control plane itself asked for a call (N7): no wait and no link that only seems to be up counts against that. */
  | { type: "knock" }
  | { type: "close" };

export type LinkEffect =
  | { type: "connect"; conn: number }
  | { type: "hello"; conn: number; afterYield: boolean }
  | { type: "ping"; conn: number }
  /** Forget this socket, whatever state it is in. */
  | { type: "drop"; conn: number }
  | { type: "arm"; at: number }
  | { type: "disarm" }
  | { type: "up"; conn: number }
  | { type: "down"; trouble: LinkTrouble; retryAt: number | null };

export interface LinkContext {
  /** A clock that never jumps back, in milliseconds. */
  now: number;
  /** In [0, 1). */
  random: number;
  limits: LinkLimits;
  /** Another link carries us (N3): a new socket must prove itself before it takes over. */
  onTrial: boolean;
}

export interface LinkStep {
  state: LinkState;
  effects: LinkEffect[];
}

/** Before `start`. */
export const IDLE: LinkState = { phase: "idle" };

type Live = Extract<LinkState, { conn: number }>;

/** One step of the machine. Never throws; an event that does not concern the state leaves it. */
export function linkStep(state: LinkState, event: LinkEvent, ctx: LinkContext): LinkStep {
  if (state.phase === "ended") return { state, effects: [] };
  if (state.phase === "idle") {
    if (event.type === "close") return { state: { phase: "ended", why: "closed" }, effects: [] };
    if (event.type !== "start") return { state, effects: [] };
    return connect({ conn: 0, attempt: 0, lostAt: ctx.now, trouble: "starting", yielded: false }, ctx, []);
  }
  if ("conn" in event && event.conn !== state.conn) return { state, effects: [] };
  switch (event.type) {
    case "start":
      return { state, effects: [] };
    case "close":
      return {
        state: { phase: "ended", why: "closed" },
        effects: [...dropIfOpen(state), { type: "disarm" }, ...downIfUp(state, "lost", null)],
      };
    case "woke":
      // Whatever was open across a sleep is suspect; a yielded daemon keeps its turn.
      if (state.yielded && state.phase === "waiting") return { state, effects: [] };
      return connect(commonOf(state, "woke", ctx), ctx, [...dropIfOpen(state), ...downIfUp(state, "woke", ctx.now)]);
    case "nudge":
      if (state.phase !== "waiting" || isHeld(state.trouble)) return { state, effects: [] };
      return connect(state, ctx, []);
    case "knock":
      if (state.phase === "waiting") return connect(state, ctx, []);
      // They would not knock if they heard us. A link that has only just come up may have crossed the knock on its way.
      if (state.phase !== "up" || ctx.now - state.since < ctx.limits.healthyMs) return { state, effects: [] };
      return connect(commonOf(state, "silent", ctx), ctx, [
        ...dropIfOpen(state),
        ...downIfUp(state, "silent", ctx.now),
      ]);
    case "timer":
      return onTimer(state, ctx);
    case "opened":
      if (state.phase !== "connecting") return { state, effects: [] };
      return ctx.onTrial ? prove(state, ctx) : greet(state, ctx);
    case "welcomed":
      return onWelcome(state, ctx);
    case "heard":
      return onHeard(state, ctx);
    case "closed":
      return onLoss(state, troubleOfClose(event.code), ctx);
    case "refused":
      return onLoss(state, troubleOfStatus(event.status), ctx);
    case "failed":
      return onLoss(state, "unreachable", ctx);
    default:
      return event satisfies never;
  }
}

function greet(state: Live, ctx: LinkContext): LinkStep {
  const timerAt = ctx.now + ctx.limits.helloMs;
  return {
    state: { ...commonKeep(state), phase: "greeting", timerAt },
    effects: [
      { type: "hello", conn: state.conn, afterYield: state.yielded },
      // The heartbeat's first is right behind the hello (N2): it leaves the timestamp that presence needs.
      { type: "ping", conn: state.conn },
      { type: "arm", at: timerAt },
    ],
  };
}

function prove(state: Live, ctx: LinkContext): LinkStep {
  const timerAt = ctx.now + ctx.limits.proveMs;
  return {
    state: { ...commonKeep(state), phase: "proving", heard: false, timerAt },
    effects: [
      { type: "ping", conn: state.conn },
      { type: "arm", at: timerAt },
    ],
  };
}

function onHeard(state: Live, ctx: LinkContext): LinkStep {
  if (state.phase === "up") return { state: { ...state, heardAt: ctx.now }, effects: [] };
  if (state.phase !== "proving" || state.heard) return { state, effects: [] };
  const timerAt = ctx.now + ctx.limits.proveMs;
  return { state: { ...state, heard: true, timerAt }, effects: [{ type: "arm", at: timerAt }] };
}

function onWelcome(state: Live, ctx: LinkContext): LinkStep {
  if (state.phase !== "greeting") return { state, effects: [] };
  const up: LinkState = {
    ...commonKeep(state),
    yielded: false,
    phase: "up",
    since: ctx.now,
    heardAt: ctx.now,
    pingAt: ctx.now + ctx.limits.pingMs,
    timerAt: ctx.now + Math.min(ctx.limits.pingMs, ctx.limits.silenceMs),
  };
  return {
    state: up,
    effects: [
      { type: "up", conn: state.conn },
      { type: "arm", at: up.timerAt },
    ],
  };
}

function onTimer(state: Live, ctx: LinkContext): LinkStep {
  if (ctx.now < state.timerAt) return { state, effects: [{ type: "arm", at: state.timerAt }] };
  if (state.phase === "waiting") return connect(state, ctx, []);
  if (state.phase === "proving" && state.heard) return greet(state, ctx);
  if (state.phase === "connecting") return onLoss(state, "unreachable", ctx);
  if (state.phase !== "up") return onLoss(state, "mute", ctx);
  if (ctx.now - state.heardAt >= ctx.limits.silenceMs) return onLoss(state, "silent", ctx);
  const due = ctx.now >= state.pingAt;
  const pingAt = due ? ctx.now + ctx.limits.pingMs : state.pingAt;
  const timerAt = Math.min(pingAt, state.heardAt + ctx.limits.silenceMs);
  return {
    state: { ...state, pingAt, timerAt },
    effects: [...(due ? [{ type: "ping" as const, conn: state.conn }] : []), { type: "arm", at: timerAt }],
  };
}

function onLoss(state: Live, trouble: LinkTrouble, ctx: LinkContext): LinkStep {
  if (state.phase === "waiting") return { state, effects: [] };
  const effects = dropIfOpen(state);
  if (trouble === "too_old")
    return {
      state: { phase: "ended", why: "too_old" },
      effects: [...effects, { type: "disarm" }, { type: "down", trouble, retryAt: null }],
    };
  const common = commonOf(state, trouble, ctx);
  const yielded = trouble === "replaced" || (common.yielded && state.phase !== "up");
  const timerAt = ctx.now + delayOf(trouble, common, ctx);
  return {
    state: { ...common, yielded, attempt: common.attempt + 1, phase: "waiting", timerAt },
    effects: [...effects, { type: "down", trouble, retryAt: timerAt }, { type: "arm", at: timerAt }],
  };
}

function delayOf(trouble: LinkTrouble, common: Common, ctx: LinkContext): number {
  if (trouble === "replaced" || (common.yielded && isHeld(trouble))) return ctx.limits.yieldMs;
  if (isHeld(trouble)) return ctx.limits.slowMs;
  // "Reconnect now" holds once: said again and again it must not become a spin.
  if (trouble === "stale" && common.attempt === 0) return 0;
  return reconnectDelay(common.attempt, ctx.now - common.lostAt, ctx.random);
}

/** Troubles that no hurry mends: only a person, or the other daemon, changes them. */
function isHeld(trouble: LinkTrouble): boolean {
  return (
    trouble === "credential_expired" || trouble === "forbidden" || trouble === "not_found" || trouble === "replaced"
  );
}

function connect(from: Common, ctx: LinkContext, before: LinkEffect[]): LinkStep {
  const conn = from.conn + 1;
  const timerAt = ctx.now + ctx.limits.connectMs;
  const { attempt, lostAt, trouble, yielded } = from;
  return {
    state: { phase: "connecting", conn, attempt, lostAt, trouble, yielded, timerAt },
    effects: [...before, { type: "connect", conn }, { type: "arm", at: timerAt }],
  };
}

function commonKeep({ conn, attempt, lostAt, trouble, yielded }: Common): Common {
  return { conn, attempt, lostAt, trouble, yielded };
}

/** After a loss: the schedule starts afresh only when the link had been healthy (N4). */
function commonOf(state: Live, trouble: LinkTrouble, ctx: LinkContext): Common {
  const healthy = state.phase === "up" && ctx.now - state.since >= ctx.limits.healthyMs;
  const kept = commonKeep(state);
  return { ...kept, trouble, ...(healthy ? { attempt: 0, lostAt: ctx.now } : {}) };
}

function dropIfOpen(state: Live): LinkEffect[] {
  return state.phase === "waiting" ? [] : [{ type: "drop", conn: state.conn }];
}

function downIfUp(state: Live, trouble: LinkTrouble, retryAt: number | null): LinkEffect[] {
  return state.phase === "up" ? [{ type: "down", trouble, retryAt }] : [];
}

function troubleOfClose(code: number): LinkTrouble {
  switch (code) {
    case CLOSE.bad_frame:
      return "bad_frame";
    case CLOSE.credential_expired:
      return "credential_expired";
    case CLOSE.forbidden:
      return "forbidden";
    case CLOSE.stale:
      return "stale";
    case CLOSE.replaced:
      return "replaced";
    case CLOSE.protocol_too_old:
      return "too_old";
    default:
      return "lost";
  }
}

function troubleOfStatus(status: number): LinkTrouble {
  if (status === 401) return "credential_expired";
  if (status === 403) return "forbidden";
  if (status === 404 || status === 410) return "not_found";
  // Also 426: whoever wants another protocol than ours stands in between; the control plane says it by a close code.
  return "refused";
}
