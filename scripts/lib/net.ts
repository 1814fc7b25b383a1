import { createServer } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import { HTTP_TRY_MS, POLL_MS } from "./limits.ts";

/** A loopback port that nobody listens on: the wished one if it is free, else one that the system picks. */
export async function freePort(wished = 0): Promise<number> {
  const tried = await tryPort(wished);
  if (tried !== null) return tried;
  const any = await tryPort(0);
  if (any === null) throw new Error("The system has no free port on 127.0.0.1.");
  return any;
}

function tryPort(port: number): Promise<number | null> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once("error", (error: NodeJS.ErrnoException) => {
      if (error.code === "EADDRINUSE" || error.code === "EACCES") resolve(null);
      else reject(error);
    });
    server.listen({ host: "127.0.0.1", port, exclusive: true }, () => {
      const address = server.address();
      const got = typeof address === "object" && address ? address.port : null;
      server.close(() => resolve(got));
    });
  });
}

/** Waits until a URL answers with a status under 500; ends early, with its reason, when `signal` is aborted. */
export async function waitForHttp(url: string, timeoutMs: number, signal?: AbortSignal): Promise<void> {
  const until = performance.now() + timeoutMs;
  let last = "no answer";
  while (performance.now() < until) {
    signal?.throwIfAborted();
    try {
      const response = await fetch(url, { signal: AbortSignal.timeout(HTTP_TRY_MS), redirect: "manual" });
      await response.body?.cancel();
      if (response.status < 500) return;
      last = `status ${response.status}`;
    } catch (error) {
      last = error instanceof Error ? String(error.cause ?? error.message) : String(error);
    }
    await wait(POLL_MS);
  }
  throw new Error(`${url} was not ready after ${Math.round(timeoutMs / 1000)} s (${last}).`);
}
