import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { createServer as createTcp, type Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { freePort, waitForHttp } from "./net.ts";
import { readPidFile, removePidFile, writePidFile } from "./pid-file.ts";
import { startTimeOf } from "./process-id.ts";
import { run } from "./run.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "reprise-lib-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

async function listen<T extends Server>(server: T, port: number): Promise<T> {
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  return server;
}

describe("ports", () => {
  it("gives the wished one while it is free, and another when it is not", async () => {
    const port = await freePort();
    expect(await freePort(port)).toBe(port);
    const taken = await listen(createTcp(), port);
    expect(await freePort(port)).not.toBe(port);
    taken.close();
  });
});

describe("waiting for a server", () => {
  it("passes over refusals and 5xx until it answers", async () => {
    const port = await freePort();
    const waiting = waitForHttp(`http://127.0.0.1:${port}/`, 10_000);
    let asked = 0;
    const server = await listen(
      createServer((_, response) => response.writeHead(++asked < 3 ? 503 : 401).end()),
      port,
    );
    await waiting;
    expect(asked).toBe(3);
    server.close();
  });

  it("says what it last saw when time is up", async () => {
    const url = `http://127.0.0.1:${await freePort()}/`;
    await expect(waitForHttp(url, 200)).rejects.toThrow(/not ready after .*ECONNREFUSED/);
  });

  it("ends early when it is aborted", async () => {
    const stopped = AbortSignal.abort(new Error("the server exited"));
    await expect(waitForHttp("http://127.0.0.1:1/", 60_000, stopped)).rejects.toThrow("the server exited");
  });
});

describe("pid files", () => {
  it("name a process that runs", () => {
    const file = join(folder, "deep", "a.pid");
    writePidFile(file, process.pid);
    expect(readPidFile(file)).toBe(process.pid);
    removePidFile(file);
    expect(readPidFile(file)).toBeNull();
  });

  it("don't name another process that has the pid now", () => {
    const file = join(folder, "a.pid");
    writeFileSync(file, JSON.stringify({ pid: process.pid, started: "another life" }));
    expect(readPidFile(file)).toBeNull();
  });

  it.each(["", "{", "{}", '{"pid":-1,"started":"x"}', "null"])("that hold %j name none", (text) => {
    const file = join(folder, "a.pid");
    writeFileSync(file, text);
    expect(readPidFile(file)).toBeNull();
  });

  it("can't be written for a process that is gone", async () => {
    const { output } = await run(process.execPath, ["-p", "process.pid"], { output: { kind: "capture" } });
    const pid = Number(output);
    expect(startTimeOf(pid)).toBeNull();
    expect(() => writePidFile(join(folder, "a.pid"), pid)).toThrow("ended before");
  });
});
