import { copyFileSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { TerminalDown } from "@reprise/protocol";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { isAlive } from "./process.ts";
import { type Bench, HostBench, openBench, until } from "./testing.ts";

let bench: Bench;
beforeAll(async () => {
  bench = await openBench();
});
afterAll(() => bench?.close());

const pane = { terminal_id: "shell", pane_id: "pane-aaaa", viewer_id: "vwr_1" };
const ENV = { SHELL: "/bin/sh", PS1: "$ " };
let n = 0;

function attach(part: Partial<Extract<TerminalDown, { type: "terminal.attach" }>> = {}): TerminalDown {
  return { type: "terminal.attach", ...pane, cols: 80, rows: 24, start: true, have: null, ...part };
}

function type(host: HostBench, text: string): void {
  host.send({ type: "terminal.input", ...pane, n: ++n, data: Buffer.from(text).toString("base64") });
}

/** All that a pane was told since `from` (a number of frames), as text. */
function shown(host: HostBench, from = 0): string {
  return host.frames
    .slice(from)
    .flatMap((frame) => {
      if (frame.type === "terminal.snapshot") return [frame.screen];
      return frame.type === "terminal.output" ? [Buffer.from(frame.data, "base64").toString()] : [];
    })
    .join("");
}

async function opened(limits: Record<string, number> = {}): Promise<HostBench> {
  n = 0;
  const host = bench.session(limits);
  await host.start("live", ENV);
  host.send(attach());
  await host.frame("terminal.snapshot");
  return host;
}

/** Runs a line in the shell and waits for what it prints. */
async function says(host: HostBench, line: string, pattern: RegExp): Promise<string> {
  const from = host.frames.length;
  type(host, `${line}\n`);
  return await until(`${pattern} after ${line}`, () => pattern.exec(shown(host, from))?.[1]);
}

const there = (pid: number) => isAlive({ pid, start_time: null, boot_id: "" }, "");

describe("X3: a shell in the host, without any agent", () => {
  it("B1: runs in the workspace as the person's own shell, and each input is confirmed", async () => {
    const host = await opened();
    expect(await says(host, "echo at:$(pwd):", /at:(\/.*):/)).toBe(host.workspace);
    expect(await says(host, "echo term:$TERM:$REPRISE_LIMITS:", /term:([^$]*):/)).toBe("xterm-256color:");
    await until("its confirmation", () => host.frames.some((f) => f.type === "terminal.input_taken" && f.n === n));
    expect(host.state()?.terminals).toEqual({ support: { ok: true }, panes: 1, alive: 1 });
  });

  it("B1: outlives the daemon: the next one finds the same shell, and the pane goes on from its offset", async () => {
    const host = await opened();
    await says(host, "here=I-am-the-same; echo ok:$((1+1)):", /ok:(2):/);
    const last = host.frames.findLast((frame) => frame.type === "terminal.output");
    const first = host.frames.find((frame) => frame.type === "terminal.snapshot");
    if (last?.type !== "terminal.output" || first?.type !== "terminal.snapshot") throw new Error("nothing was shown");
    const offset = last.offset + Buffer.from(last.data, "base64").length;
    host.link?.close();
    await host.connect();
    host.send({ type: "follow", from_seq: 1 });
    const from = host.frames.length;
    host.send(attach({ viewer_id: "vwr_2", have: { stream_id: first.stream_id, offset } }));
    const back = await host.frame("terminal.attached");
    expect(back).toMatchObject({ stream_id: first.stream_id, input: n, viewer_id: "vwr_2" });
    host.send({
      type: "terminal.input",
      ...pane,
      viewer_id: "vwr_2",
      n: ++n,
      data: Buffer.from("echo who:$here:\n").toString("base64"),
    });
    await until("the same shell", () => shown(host, from).includes("who:I-am-the-same:"));
    expect(shown(host, from)).not.toContain("ok:2:");
  });

  it("B1: the same input delivered twice is typed once", async () => {
    const host = await opened();
    const from = host.frames.length;
    const frame: TerminalDown = {
      type: "terminal.input",
      ...pane,
      n: 1,
      data: Buffer.from("echo once:$((n=n+1)):\n").toString("base64"),
    };
    host.send(frame);
    host.send(frame);
    n = 1;
    await says(host, "echo end:$n:", /end:(1):/);
    expect(shown(host, from).split("once:1:").length - 1).toBe(1);
  });

  it("its end is told with the exit code; a new one begins only on `start`", async () => {
    const host = await opened();
    type(host, "exit 3\n");
    expect(await host.frame("terminal.ended")).toMatchObject({ exit_code: 3, signal: null });
    const from = host.frames.length;
    host.send(attach({ pane_id: "pane-bbbb", start: false }));
    await until("the end, told again", () => host.frames.slice(from).some((f) => f.type === "terminal.ended"));
    host.send(attach({ pane_id: "pane-cccc", start: true }));
    await until("a new life", () => host.frames.filter((f) => f.type === "terminal.snapshot").length === 3);
    const ids = new Set(host.frames.flatMap((f) => (f.type === "terminal.snapshot" ? [f.stream_id] : [])));
    expect(ids.size).toBe(2);
  });

  it("X6: all jobs of a shell end with its host's shutdown, each in a group of its own", async () => {
    const host = await opened({ SHELL_GRACE_MS: 200 });
    const shell = Number(await says(host, "echo pid:$$:", /pid:(\d+):/));
    const job = Number(
      await says(host, "set -m; trap '' HUP; nohup sleep 1000 >/dev/null 2>&1 & echo job:$!:", /job:(\d+):/),
    );
    expect([there(shell), there(job)]).toEqual([true, true]);
    host.send({ type: "shutdown", command_id: "cmd_1" });
    await until("their end", () => !there(shell) && !there(job));
  });

  it("X6: what a killed host's shell has left is ended by the next host", async () => {
    const host = await opened({ SHELL_GRACE_MS: 200 });
    const job = Number(await says(host, "trap '' HUP; nohup sleep 1000 >/dev/null 2>&1 & echo job:$!:", /job:(\d+):/));
    await host.killHost();
    expect(there(job)).toBe(true);
    await host.start("live", ENV);
    await until("its end", () => !there(job));
  });

  it("T4: so many shells are open, not so many have ever been: one that ended makes room", async () => {
    const host = await opened({ MAX_TERMINALS: 1 });
    const first = (terminal_id: string) =>
      until(`a word about ${terminal_id}`, () =>
        host.frames.find((frame) => "terminal_id" in frame && frame.terminal_id === terminal_id),
      );
    host.send(attach({ terminal_id: "second" }));
    expect(await first("second")).toMatchObject({ type: "terminal.refused", code: "too_many" });
    type(host, "exit\n");
    await host.frame("terminal.ended");
    host.send(attach({ terminal_id: "third" }));
    expect(await first("third")).toMatchObject({ type: "terminal.snapshot" });
  });

  it("X7: a host that closes what a lost container left ends nobody on the machine: its numbers name strangers here", async () => {
    const host = await opened({ SHELL_GRACE_MS: 200 });
    const job = Number(await says(host, "trap '' HUP; nohup sleep 1000 >/dev/null 2>&1 & echo job:$!:", /job:(\d+):/));
    await host.killHost();
    await host.start("scan", ENV, { code: "container_missing", message: "It is gone." });
    expect(there(job)).toBe(true);
    process.kill(job, "SIGKILL");
  });

  it("P1, §7: beside an agent, with a full scrollback, a host stays under 90 MB", async () => {
    const host = await opened();
    await host.run(host.launch());
    await says(
      host,
      "i=0; while [ $i -lt 2000 ]; do i=$((i+1)); echo line $i of a full scrollback of the shell; done; echo end:ok:",
      /end:(ok):/,
    );
    const status = readFileSync(`/proc/${host.host?.pid}/status`, "utf8");
    const kilobytes = Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]);
    console.info(`a host with agent and shell: ${Math.round(kilobytes / 1024)} MB`);
    expect(kilobytes / 1024).toBeLessThan(90);
  });
});

describe("a machine without the native part", () => {
  it("T4: the shell says why, and the host serves all else", async () => {
    n = 0;
    const alone = join(bench.folder, "alone");
    mkdirSync(alone);
    copyFileSync(bench.bundle, join(alone, "host.mjs"));
    const host = new HostBench(alone, join(alone, "host.mjs"), {});
    bench.sessions.push(host);
    await host.start("live", ENV);
    host.send(attach());
    const message = expect.stringMatching(/can't open a terminal: Cannot find module/);
    expect(await host.frame("terminal.refused")).toMatchObject({ code: "pty_missing", message });
    await host.run(host.launch());
    expect(host.state()?.terminals?.support).toMatchObject({ ok: false, message });
  });
});
