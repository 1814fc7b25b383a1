import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import { connectHost } from "../host/client.ts";
import type { SessionPaths } from "../host/paths.ts";
import { readOrMakeNonce } from "../host/spawn.ts";
import type { Listener } from "./executor.ts";

/** Connect to whoever listens on a session's socket, as its daemon. */
export function dial(paths: SessionPaths, socket: string, listener: Listener) {
  return connectHost({
    socket,
    nonce: readOrMakeNonce(paths.nonceFile),
    role: "daemon",
    onFrame: listener.onFrame,
    onBadFrame: (message) => listener.log.warn({ message }, "bad frame from a host"),
  });
}

/** The last lines of a host's log, for the message. */
export function tail(path: string): string {
  const LAST = 800;
  try {
    const file = openSync(path, "r");
    try {
      const size = fstatSync(file).size;
      const buffer = Buffer.alloc(Math.min(size, LAST));
      readSync(file, buffer, 0, buffer.length, Math.max(0, size - LAST));
      return buffer.toString("utf8").trim();
    } finally {
      closeSync(file);
    }
  } catch {
    // No log, nothing to add.
    return "";
  }
}
