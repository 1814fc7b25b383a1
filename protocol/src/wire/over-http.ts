import { z } from "zod";
import { NodeDown, NodeHello, NodeUp } from "./node-link.ts";
import { SessionDown, SessionHello, SessionUp } from "./session-link.ts";

/**
 * The same frames by plain HTTP, for a network that breaks WebSockets (N3). A POST carries what a socket would have
 * carried since the last one, and its answer what came down meanwhile. The first of a connection says hello, the later
 * ones name the connection that the welcome gave them. `close` is the code that a socket would have been closed with.
 */
const MAX_FRAMES = 200;
const close = z.number().int().nullable().default(null);

/** `POST /api/agentctl/heartbeat` */
export const HeartbeatBody = z
  .object({
    hello: NodeHello.nullish(),
    conn_id: z.string().max(128).nullish(),
    frames: z.array(NodeUp).max(MAX_FRAMES).default([]),
  })
  .refine((body) => body.hello || body.conn_id, { message: "a hello, or the connection's id", path: ["hello"] });
export type HeartbeatBody = z.infer<typeof HeartbeatBody>;
export const HeartbeatAnswer = z.object({ frames: z.array(NodeDown), close });
export type HeartbeatAnswer = z.infer<typeof HeartbeatAnswer>;

/** `POST /api/agentctl/sessions/:id/events` */
export const ExchangeBody = z.object({
  hello: SessionHello.nullish(),
  frames: z.array(SessionUp).max(MAX_FRAMES),
});
export type ExchangeBody = z.infer<typeof ExchangeBody>;
export const ExchangeAnswer = z.object({ frames: z.array(SessionDown), close });
export type ExchangeAnswer = z.infer<typeof ExchangeAnswer>;

/** What a node's knock secret is made with, from its credential's hash (N7). */
export const KNOCK_LABEL = "reprise knock 1";

/** The header that names a node's control connection at its sessions' doors: another daemon's are refused there. */
export const CONN_HEADER = "x-reprise-conn";
