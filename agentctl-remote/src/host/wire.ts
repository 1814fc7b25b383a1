import { createHmac, timingSafeEqual } from "node:crypto";
import {
  Command,
  ExecutionId,
  Failure,
  MAX_PATH_CHARS,
  Runtime,
  SessionDown,
  SessionId,
  SessionUp,
  SpoolId,
  TerminalBytes,
  TerminalId,
  TerminalSupport,
  TurnId,
} from "@reprise/protocol";
import { z } from "zod";

/**
 * Between the daemon and a host, over the host's unix socket: one JSON a line, both ways.
 *
 * A host lives for weeks and meets daemons of later versions. The frozen core never changes, in any version: both
 * hellos, `ping`/`pong`, `state` with the fields below, `stop`, `teardown`, `shutdown` with their `command.done`.
 * New fields are optional, new frames need a higher `host_protocol`, and both sides ignore unknown fields.
 */
export const HOST_PROTOCOL = 3;
/** Since then a host takes input for a terminal that nobody has attached (B1). */
export const WRITES_SINCE = 3;

/** All that an inventory entry needs (T6), as of (`spool_id`, `last_seq`). */
export const HostState = z.object({
  session_id: SessionId,
  runtime: Runtime,
  spool_id: SpoolId,
  last_seq: z.number().int().nonnegative(),
  /** The control plane has stored everything up to here. */
  acked: z.number().int().nonnegative(),
  boot_id: z.string(),
  pid: z.number().int(),
  start_time: z.string().nullable(),
  /** The execution that the spool has open, or had last. */
  execution: z
    .object({
      execution_id: ExecutionId,
      state: z.enum(["alive", "dead"]),
      /** Of the agent, once it is spawned. */
      pid: z.number().int().nullable(),
      open_turn: TurnId.nullable(),
      token: z.string().nullable(),
    })
    .nullable(),
  /** A launch that waits for its permit: it needs a session socket (K1). */
  permit_pending: ExecutionId.nullable(),
  /** Questions that the agent holds open: they need a session socket (K1). */
  pending_approvals: z.number().int().nonnegative(),
  /** The spool can't be written; prompts are refused (P5). */
  disk_full: z.boolean(),
  workspace: z.object({ path: z.string().max(MAX_PATH_CHARS), exists: z.boolean() }),
  /** Absent: a host of version 1. An open pane needs a session socket (K1). */
  terminals: z.object({ support: TerminalSupport, panes: z.number().int(), alive: z.number().int() }).optional(),
});
export type HostState = z.infer<typeof HostState>;

const Launch = Command.options[0];
const Stop = Command.options[1];

/** Daemon to host. The session socket's frames are passed on as they came; their `session.welcome` and `idle.ok` mean nothing here. */
export const HostDown = z.discriminatedUnion("type", [
  /** The first line, always. The host proves with the nonce that it is ours (X7). */
  z.object({
    type: z.literal("hello"),
    host_protocol: z.number().int(),
    challenge: z.string().min(16).max(256),
    /** `daemon`: takes the place of the one before. `visitor` looks on (status, stop) and displaces nobody. */
    role: z.enum(["daemon", "visitor"]),
  }),
  z.object({ type: z.literal("ping") }),
  /** Send all events from `from_seq` on, then each new one. Also: say again what waits (a permit request). */
  z.object({ type: z.literal("follow"), from_seq: z.number().int().positive() }),
  /** The session socket is closed: no events, no previews until the next `follow`. */
  z.object({ type: z.literal("unfollow") }),
  /** Answered by `launch.taken`, or `command.failed` while no permit is used. */
  z.object({ type: z.literal("launch"), command: Launch }),
  Stop.omit({ session_id: true }),
  /** The tombstone: the agent's group is ended, `disposed` is written, then the host ends itself (X6). */
  z.object({ type: z.literal("teardown"), command_id: z.string() }),
  /** A person ends everything on this machine (`npm stop`): as if the host had died, but in order. */
  z.object({ type: z.literal("shutdown"), command_id: z.string() }),
  /** Since version 3: into a live terminal, whoever has attached it. Answered by `terminal.written`. */
  z.object({ type: z.literal("terminal.write"), request_id: z.string(), terminal_id: TerminalId, data: TerminalBytes }),
  SessionDown,
]);
export type HostDown = z.infer<typeof HostDown>;

/** Host to daemon. `events`, `preview`, `permit.request`, `prompt.refused`, `approval.unknown` are for the session socket. */
export const HostUp = z.discriminatedUnion("type", [
  HostState.extend({
    type: z.literal("hello"),
    host_protocol: z.number().int(),
    /** HMAC-SHA256 of the challenge with the nonce, in hex. */
    proof: z.string(),
  }),
  z.object({ type: z.literal("state"), state: HostState }),
  z.object({ type: z.literal("pong") }),
  /** Known, and delivered as often as you like it is one agent. `over`: this execution has ended already. */
  z.object({
    type: z.literal("launch.taken"),
    command_id: ExecutionId,
    phase: z.enum(["waiting_permit", "running", "over"]),
  }),
  z.object({ type: z.literal("command.done"), command_id: z.string() }),
  z.object({ type: z.literal("command.failed"), command_id: z.string(), failure: Failure }),
  z.object({
    type: z.literal("terminal.written"),
    request_id: z.string(),
    outcome: z.enum(["written", "ended", "not_found"]),
  }),
  /** Another daemon took the place; this connection is closed. */
  z.object({ type: z.literal("replaced") }),
  SessionUp,
]);
export type HostUp = z.infer<typeof HostUp>;

/** What proves that whoever answers on the socket was started with this nonce. */
export function proofOf(nonce: string, challenge: string): string {
  return createHmac("sha256", nonce).update(challenge).digest("hex");
}

/** Compare a proof in constant time. */
export function proofHolds(nonce: string, challenge: string, proof: string): boolean {
  const want = Buffer.from(proofOf(nonce, challenge));
  const got = Buffer.from(proof);
  return want.length === got.length && timingSafeEqual(want, got);
}
