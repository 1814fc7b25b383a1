import pino, { type Logger } from "pino";

export type Log = Logger;

/** Lines of JSON on stderr; `REPRISE_LOG` sets the level. */
export function makeLog(bindings: Record<string, unknown> = {}): Log {
  const level = process.env["REPRISE_LOG"] ?? "info";
  return pino({ level, base: { pid: process.pid, ...bindings } }, pino.destination({ fd: 2, sync: true }));
}
