import { onBeat } from "./beat.ts";
import { approveAddress, called, callNow } from "./call.ts";
import { dequeue, enqueue } from "./commands.ts";
import type { NodeCtx, NodeEvent, Stepped } from "./event.ts";
import { onFrame } from "./frame.ts";
import { onHello } from "./hello.ts";
import { rowChanged, settleOutgoing, tell } from "./outbox.ts";
import { checkLease, REASONS, withPresence } from "./presence.ts";
import { tokenKey } from "./report.ts";
import { heard } from "./rival.ts";
import type { NodeState } from "./state.ts";
import { setWant } from "./wants.ts";

/** What a step answers to who asked for it. */
export interface Answered extends Stepped<NodeState> {
  answer?: number | boolean;
}

/** The NodeObject's state machine: delivers, and never decides a session's state. */
export function step(state: NodeState, event: NodeEvent, ctx: NodeCtx): Answered {
  const { now } = ctx;
  switch (event.type) {
    case "init": {
      if (state.identity !== null) return quiet(state);
      const presence = {
        value: "offline" as const,
        since: now,
        reason: "It has joined, and hasn't connected yet.",
        heard_at: now,
      };
      return quiet({ ...state, identity: event.identity, presence });
    }
    case "replace":
      return replace(state, event, ctx);
    case "rename":
      return quiet(state.identity ? { ...state, identity: { ...state.identity, name: event.name } } : state);
    case "revoke": {
      const cut = { ...state, revoked: true, link: null, wants: {}, commands: new Map() };
      const presence = { value: "offline" as const, since: now, reason: REASONS.revoked, heard_at: now };
      return { state: withPresence(cut, presence, now), effects: [{ type: "close_all", why: "credential_expired" }] };
    }
    case "hello":
      return onHello(state, event, ctx);
    case "beat":
      return onBeat(heard(state, event.conn_id), event.conn_id, ctx);
    case "frame":
      if (state.link?.conn_id !== event.conn_id) {
        return { state, effects: [{ type: "close", conn_id: event.conn_id, why: "replaced" }] };
      }
      return onFrame(heard(state, event.conn_id), event.frame, ctx);
    case "closed": {
      if (state.link?.conn_id !== event.conn_id) return quiet(state);
      const presence = { value: "reconnecting" as const, since: now, reason: REASONS.closed, heard_at: now };
      return quiet(withPresence({ ...state, link: null }, presence, now));
    }
    case "push": {
      const known = state.pushes.get(event.push.session_id);
      if (known && known.version > event.push.version) return quiet(state);
      const next = { ...state, pushes: new Map(state.pushes).set(event.push.session_id, event.push) };
      return quiet(known?.settled && !event.push.settled ? catchUp(next, event.push.session_id, now) : next);
    }
    case "forget":
      return quiet(forget(state, event.session_id));
    case "enqueue": {
      const queued = enqueue(state, event.command);
      return { state: queued.state, effects: queued.effects, answer: queued.seq };
    }
    case "dequeue": {
      const taken = dequeue(state, event.command_id);
      return { state: taken.state, effects: [], answer: taken.taken };
    }
    case "want":
      return setWant(state, event.session_id, event.reason, event.expires_at, now);
    case "unwant":
      return setWant(state, event.session_id, event.reason, null, now);
    case "claim_token": {
      const key = tokenKey(event.agent_kind, event.token);
      const holder = state.tokens.get(key);
      if (holder !== undefined && holder !== event.from)
        return { ...quiet(state), answer: holder === event.session_id };
      return { ...quiet({ ...state, tokens: new Map(state.tokens).set(key, event.session_id) }), answer: true };
    }
    case "approve":
      return approveAddress(state, event, now);
    case "call_now":
      return callNow(state, ctx);
    case "called":
      return called(state, event, ctx);
    case "told":
      return quiet(settleOutgoing(state, event.results, now, ctx.limits));
    case "alarm":
      return checkLease(state, ctx);
  }
}

/** Its state folder was lost: what the old one said proves nothing any more, and nothing of it may speak (T3). */
function replace(state: NodeState, event: { machine_id: string; state_id: string }, ctx: NodeCtx): Answered {
  if (state.identity === null) return quiet(state);
  const fresh: NodeState = {
    ...state,
    identity: { ...state.identity, machine_id: event.machine_id, state_id: event.state_id },
    nonce: { current: null, previous: null },
    link: null,
    cloned_at: null,
    afresh: true,
    cloned_from: null,
    doubt: null,
    entries: new Map(),
    inventory: { as_of: ctx.now, complete: false, last_command_seq: 0 },
  };
  const presence =
    state.presence.value === "online"
      ? { value: "reconnecting" as const, since: ctx.now, reason: REASONS.closed, heard_at: ctx.now }
      : state.presence;
  const cuts = [...state.pushes.keys()].map((session_id) => ({ kind: "cut" as const, session_id }));
  const next = tell(rowChanged(withPresence(fresh, presence, ctx.now), ctx.now), cuts, ctx.now);
  return { state: next, effects: [{ type: "close_all", why: "credential_expired" }] };
}

/** A deleted session: its order to tear down stays in the queue, all else goes. */
function forget(state: NodeState, sessionId: string): NodeState {
  const pushes = new Map(state.pushes);
  pushes.delete(sessionId);
  const tokens = new Map([...state.tokens].filter(([, holder]) => holder !== sessionId));
  const outbox = Object.fromEntries(
    Object.entries(state.outbox).filter(([, { what }]) => what.kind === "row" || what.session_id !== sessionId),
  );
  const { [sessionId]: _gone, ...wants } = state.wants;
  return { ...state, pushes, tokens, outbox, wants };
}

/** While it was over and nobody looked, it was told nothing of its node: now it matters again. */
function catchUp(state: NodeState, session_id: string, now: number): NodeState {
  const news = [
    { kind: "presence", session_id },
    { kind: "evidence", session_id },
  ] as const;
  return tell(state, news, now);
}

function quiet(state: NodeState): Answered {
  return { state, effects: [] };
}
