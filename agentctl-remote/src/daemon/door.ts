import { rmSync } from "node:fs";
import { connect, createServer, type Server } from "node:net";
import { AgentInfo, InventoryEntry } from "@reprise/protocol";
import { z } from "zod";
import { LineCutter } from "../host/ndjson.ts";
import { DOOR_LIMIT_MS } from "../limits.ts";

/** What `agentctl status` shows. */
export const DaemonStatus = z.object({
  version: z.string(),
  pid: z.number(),
  started_at: z.number(),
  state: z.string(),
  node: z.object({ node_id: z.string(), name: z.string(), url: z.string() }),
  link: z.object({
    connected: z.boolean(),
    since: z.number(),
    transport: z.enum(["websocket", "http"]),
    trouble: z.string().nullable(),
    message: z.string(),
    retry_at: z.number().nullable(),
  }),
  agents: z.array(AgentInfo),
  sessions: z.array(InventoryEntry),
  waiting_starts: z.number(),
});
export type DaemonStatus = z.infer<typeof DaemonStatus>;

const DoorRequest = z.object({ op: z.enum(["status", "stop"]) });
const DoorAnswer = z.union([z.object({ status: DaemonStatus }), z.object({ error: z.string() })]);

/** The daemon's local door: a unix socket that only its user can open. One question a connection. */
export function openDoor(path: string, status: () => DaemonStatus, stop: () => void): Promise<Server> {
  rmSync(path, { force: true });
  const server = createServer((socket) => {
    const cutter = new LineCutter();
    socket.setTimeout(DOOR_LIMIT_MS, () => socket.destroy());
    // A visitor that leaves early takes nothing with it.
    socket.on("error", () => undefined);
    socket.on("data", (chunk: Buffer) => {
      const line = cutter.push(chunk)?.[0];
      if (line === undefined) return;
      const request = DoorRequest.safeParse(parse(line));
      if (!request.success) return socket.end(`${JSON.stringify({ error: "That isn't a question I know." })}\n`);
      socket.end(`${JSON.stringify({ status: status() })}\n`);
      if (request.data.op === "stop") stop();
      return undefined;
    });
  });
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(path, () => resolve(server));
  });
}

function parse(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    // Answered like any other question that isn't one.
    return null;
  }
}

/** Ask a running daemon. @returns null when none answers */
export function askDoor(path: string, op: "status" | "stop"): Promise<DaemonStatus | null> {
  return new Promise((resolve) => {
    const socket = connect(path);
    const parts: Buffer[] = [];
    socket.setTimeout(DOOR_LIMIT_MS, () => socket.destroy());
    socket.once("connect", () => socket.write(`${JSON.stringify({ op })}\n`));
    socket.on("data", (chunk: Buffer) => parts.push(chunk));
    socket.once("error", () => resolve(null));
    socket.once("close", () => {
      const answer = DoorAnswer.safeParse(parse(Buffer.concat(parts).toString("utf8")));
      resolve(answer.success && "status" in answer.data ? answer.data.status : null);
    });
  });
}
