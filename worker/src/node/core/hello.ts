import { type NodeHello, negotiate } from "@reprise/protocol";
import { registerAddress } from "./call.ts";
import { handOut } from "./commands.ts";
import type { NodeCtx, NodeEffect, Stepped } from "./event.ts";
import { evidenceAtHello, foldInventory } from "./inventory.ts";
import { rowChanged, tell } from "./outbox.ts";
import { presenceAt, withPresence } from "./presence.ts";
import { judge, noteClone, processOf } from "./rival.ts";
import type { NodeState } from "./state.ts";
import { activeWants } from "./wants.ts";

/** What helps a copy (T4). */
const JOIN_ITSELF =
  "Give it a place of its own: end its daemon, move the state folder away, then `agentctl join` with a new token.";

interface Hello {
  conn_id: string;
  via: "socket" | "http";
  hello: NodeHello;
}

/** A node says who it is and what it has (N1). The newest connection with a valid nonce wins (N6). */
export function onHello(state: NodeState, event: Hello, ctx: NodeCtx): Stepped<NodeState> {
  const { conn_id, hello } = event;
  const version = negotiate(hello.protocol_version);
  if (version === null) {
    return refuse(state, conn_id, "protocol_too_old", "This daemon's version is too old; update it.", "never");
  }
  if (state.identity === null || state.revoked) {
    return refuse(state, conn_id, "credential_expired", "This machine was removed. Join again.", "never");
  }
  const clone = clonedBecause(state, hello);
  if (clone !== null) return refuseClone(state, event, clone, ctx);
  const live = state.link !== null && presenceAt(state, ctx).value === "online";
  if (hello.after_yield && live && state.link?.conn_id !== conn_id) {
    return { state, effects: [{ type: "close", conn_id, why: "replaced" }] };
  }
  const judged = judge(state, conn_id, hello, ctx);
  if (judged.type === "doubt") return judged.stepped;
  if (judged.type === "clone") return refuseClone(state, event, CONNECTED_ALREADY, ctx);
  return welcome(state, event, version, ctx);
}

function welcome(state: NodeState, { conn_id, via, hello }: Hello, version: number, ctx: NodeCtx): Stepped<NodeState> {
  const effects: NodeEffect[] = [];
  if (state.link?.via === "socket" && state.link.conn_id !== conn_id) {
    effects.push({ type: "close", conn_id: state.link.conn_id, why: "replaced" });
  }
  const nonce = ctx.nonce();
  const was = presenceAt(state, ctx);
  let next: NodeState = {
    ...state,
    nonce: { current: nonce, previous: hello.nonce },
    link: {
      conn_id,
      via,
      protocol_version: version,
      accepted_at: ctx.now,
      last_answer: ctx.now,
      process: processOf(hello),
    },
    doubt: null,
  };
  next = registerAddress({ ...next, call: null }, hello.agentctl_url, ctx.now);
  next = foldAbout(next, hello, ctx.now);
  next = foldInventory(next, hello.inventory, ctx.now);
  const since = was.value === "online" && state.presence.value === "online" ? state.presence.since : ctx.now;
  next = withPresence(next, { value: "online", since, reason: null, heard_at: ctx.now }, ctx.now);
  next = tell(next, evidenceAtHello(state, next), ctx.now);
  const handed = handOut(next);
  effects.push(
    { type: "welcomed", conn_id },
    {
      type: "send",
      conn_id,
      frame: {
        type: "welcome",
        protocol_version: version,
        node_id: state.identity?.node_id ?? "",
        node_name: state.identity?.name ?? "",
        conn_id,
        nonce,
        commands: handed.commands,
        wants: activeWants(handed.state, ctx.now),
      },
    },
  );
  return { state: handed.state, effects };
}

const CONNECTED_ALREADY = `The machine that this state folder belongs to is connected: this one is a copy of it. ${JOIN_ITSELF}`;

function refuseClone(state: NodeState, { conn_id, hello }: Hello, words: string, ctx: NodeCtx): Stepped<NodeState> {
  return refuse(noteClone(state, hello, ctx.now), conn_id, "forbidden", words, "backoff", "cloned_identity");
}

/** T3: a copy of a state folder says what the original has said already, or says it elsewhere. */
function clonedBecause(state: NodeState, hello: NodeHello): string | null {
  if (hello.machine_id !== state.identity?.machine_id) {
    return `This state folder belongs to another machine. ${JOIN_ITSELF}`;
  }
  if (hello.state_id !== state.identity.state_id) {
    return "This machine's state folder is another one than it joined with. Use `join --replace`.";
  }
  if (hello.nonce === state.nonce.current || hello.nonce === state.nonce.previous) return null;
  return `Another copy of this state folder has connected since. ${JOIN_ITSELF}`;
}

function foldAbout(state: NodeState, hello: NodeHello, now: number): NodeState {
  const about = {
    hostname: hello.hostname,
    platform: hello.platform,
    home: hello.home,
    daemon_version: hello.daemon.version,
    boot_id: hello.boot_id,
    agents: hello.agents,
    runtimes: hello.runtimes,
  };
  return JSON.stringify(about) === JSON.stringify(state.about) ? state : rowChanged({ ...state, about }, now);
}

function refuse(
  state: NodeState,
  conn_id: string,
  why: "protocol_too_old" | "credential_expired" | "forbidden",
  message: string,
  retry: "never" | "backoff",
  code: string = why,
): Stepped<NodeState> {
  return {
    state,
    effects: [
      { type: "send", conn_id, frame: { type: "error", code, message, retry } },
      { type: "close", conn_id, why },
    ],
  };
}
