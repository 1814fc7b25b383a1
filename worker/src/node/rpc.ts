import type {
  Command,
  HeartbeatAnswer,
  HeartbeatBody,
  InventoryEntry,
  NodeAnswer,
  NodeKind,
  NodeRequest,
  NodeSummary,
  NodeView,
  Want,
} from "@reprise/protocol";
import type { Result } from "../result.ts";

export interface NodeIdentity {
  node_id: string;
  name: string;
  kind: NodeKind;
  machine_id: string;
  state_id: string;
  created_at: number;
}

/** What a SessionObject last told its node's object: compared at hello and by T1. */
export interface SessionPush {
  session_id: string;
  version: number;
  /** COMPLETED, CANCELLED or ERROR with nothing claimed: needs no evidence at a hello. */
  settled: boolean;
  spool_id: string | null;
  acked: number;
  /** Somebody has it open. */
  attached: boolean;
}

/** One call's worth of a node, read without writing anything (T1, T2). */
export interface NodeReport {
  node: Omit<NodeView, "entry">;
  entries: Record<string, InventoryEntry>;
  versions: Record<string, number>;
  /** Those that somebody had open when they last said so: whether that is so still, each knows itself. */
  attached: string[];
}

export interface TokenClaim {
  agent_kind: string;
  token: string;
  session_id: string;
  /** The session that has let go of it: only from that one it is taken over. */
  from: string | null;
}

export interface NodeRpc {
  init(identity: NodeIdentity): Promise<void>;
  /** Joined again with a new state folder: old sessions' absence proves nothing (T3). */
  replace(identity: { machine_id: string; state_id: string }): Promise<void>;
  rename(name: string): Promise<void>;
  /** Every socket is cut with 4401, its commands are dropped (K2). */
  revoke(): Promise<void>;
  report(sessionIds: string[] | null): Promise<NodeReport>;
  summary(): Promise<NodeSummary & { boot_id: string | null; waiting_commands: number }>;
  push(push: SessionPush): Promise<void>;
  forget(sessionId: string): Promise<void>;
  /** @returns the command's number. The same command_id again is the same command. */
  enqueue(command: Command): Promise<number>;
  /** Taken back before the node had it: true; else it may already be there. */
  dequeue(commandId: string): Promise<boolean>;
  want(sessionId: string, reason: Want["reasons"][number], ttlMs: number): Promise<void>;
  unwant(sessionId: string, reason: Want["reasons"][number]): Promise<void>;
  /** Of these conversations, those that a session of this node holds, and which. */
  holders(agentKind: string, tokens: readonly string[]): Promise<Record<string, string>>;
  /** The protocol's version of the daemon that is connected; null: none is. */
  speaks(): Promise<number | null>;
  claimToken(claim: TokenClaim): Promise<"granted" | "refused">;
  /** Whether that connection is the one that counts: a session's door opens for no other (K2). null: it named none. */
  holds(connId: string | null): Promise<boolean>;
  /** The owner's word on the registered address (N7). @returns false where it is another one by now. */
  approve(url: string, approved: boolean): Promise<boolean>;
  /** Call the machine now. @returns false where there is nobody to call: it is there, or has no approved address. */
  callNow(): Promise<boolean>;
  /** N3: a hello, or what came since, by plain HTTP. @returns what a socket would have carried down. */
  heartbeat(body: HeartbeatBody): Promise<HeartbeatAnswer>;
  request(request: NodeRequest): Promise<Result<{ answer: NodeAnswer }>>;
}

export interface FeedRpc {
  /** Tell open pages which rows changed: ids and versions only. */
  changed(events: readonly FeedEvent[]): Promise<void>;
}

export type FeedEvent =
  | { type: "session.changed"; session_id: string; task_id: string; version: number }
  | { type: "task.changed"; task_id: string }
  | { type: "node.changed"; node_id: string }
  | { type: "profiles.changed" };
