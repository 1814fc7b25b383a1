import type { CloseName, Command, NodeAnswer, NodeDown, NodeHello, NodeUp, Want } from "@reprise/protocol";
import type { Limits } from "../../limits.ts";
import type { Result } from "../../result.ts";
import type { NodeIdentity, SessionPush, TokenClaim } from "../rpc.ts";
import type { CallResult } from "./call.ts";

export type NodeEvent =
  | { type: "init"; identity: NodeIdentity }
  | { type: "replace"; machine_id: string; state_id: string }
  | { type: "rename"; name: string }
  | { type: "revoke" }
  | { type: "hello"; conn_id: string; via: "socket" | "http"; hello: NodeHello }
  | { type: "frame"; conn_id: string; frame: Exclude<NodeUp, { type: "hello" }> }
  /** A POST of a connection over plain HTTP, after its frames (N3). */
  | { type: "beat"; conn_id: string }
  | { type: "closed"; conn_id: string }
  | { type: "push"; push: SessionPush }
  | { type: "forget"; session_id: string }
  | { type: "enqueue"; command: Command }
  | { type: "dequeue"; command_id: string }
  | { type: "want"; session_id: string; reason: Want["reasons"][number]; expires_at: number }
  | { type: "unwant"; session_id: string; reason: Want["reasons"][number] }
  | ({ type: "claim_token" } & TokenClaim)
  /** The owner's word on the address that the node registered (N7). */
  | { type: "approve"; url: string; approved: boolean }
  | { type: "call_now" }
  | { type: "called"; url: string; result: CallResult }
  | { type: "told"; results: readonly { key: string; gen: number; ok: boolean }[] }
  | { type: "alarm" };

/** What the object finds out about the current link before it asks the core: sockets are the platform's. */
export type Live =
  /** The current connection's socket is there; its last sign of life. */
  | { found: true; last_answer: number }
  /** There is none (any more): seen first at that time. */
  | { found: false; missing_since: number };

export interface NodeCtx {
  now: number;
  /** A fresh unguessable value. */
  nonce: () => string;
  /** In [0, 1). */
  random: () => number;
  limits: Limits;
  live: Live;
}

export type NodeEffect =
  | { type: "send"; conn_id: string; frame: NodeDown }
  | { type: "close"; conn_id: string; why: CloseName }
  | { type: "close_all"; why: CloseName }
  /** The hello was taken: the socket may speak. */
  | { type: "welcomed"; conn_id: string }
  | { type: "warn"; message: string; details: Record<string, unknown> }
  | { type: "answer"; request_id: string; result: Result<{ answer: NodeAnswer }> };

export interface Stepped<S> {
  state: S;
  effects: NodeEffect[];
}
