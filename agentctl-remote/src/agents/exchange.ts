import { type ChildProcess, spawn } from "node:child_process";
import { signalGroup } from "../host/process.ts";
import { MAX_PROBE_BYTES, PROBE_DRAIN_MS } from "../limits.ts";

export interface Program {
  command: string;
  args: readonly string[];
  env: Readonly<Record<string, string>>;
}

/** What follows from a line that the agent wrote. */
export type Step<T> =
  | { type: "wait" }
  | { type: "ask"; id: number; method: string; params: unknown }
  | { type: "done"; result: T };

export type Exchanged<T> = { ok: true; result: T } | { ok: false; message: string };

/** Start a program in a process group of its own. */
export function startProgram(program: Program, cwd: string): ChildProcess {
  return spawn(program.command, [...program.args], {
    cwd,
    env: { ...process.env, ...program.env },
    detached: true,
    stdio: ["pipe", "pipe", "pipe"],
  });
}

export function endGroup(child: ChildProcess): void {
  if (child.pid !== undefined) signalGroup(child.pid, "SIGKILL");
}

/**
 * Start an ACP agent shortly, ask `initialize` and what follows from its answers, and end its whole group.
 * @param heard decides by each line that is JSON; what else agents print doesn't count
 */
export function exchange<T>(
  program: Program,
  bounds: { cwd: string; limitMs: number },
  heard: (json: unknown) => Step<T>,
): Promise<Exchanged<T>> {
  return new Promise((resolve) => {
    const child = startProgram(program, bounds.cwd);
    let rest = "";
    let unanswered = 0;
    let errors = "";
    let over = false;
    let drained: NodeJS.Timeout | undefined;
    const finish = (result: Exchanged<T>) => {
      if (over) return;
      over = true;
      clearTimeout(timer);
      clearTimeout(drained);
      endGroup(child);
      resolve(result);
    };
    const ended = () => {
      const how = child.signalCode ?? `status ${child.exitCode}`;
      finish({ ok: false, message: `It ended (${how}) before it answered. ${errors}`.trim() });
    };
    const timer = setTimeout(
      () => finish({ ok: false, message: `It did not answer within ${bounds.limitMs / 1000} s.` }),
      bounds.limitMs,
    );
    const ask = (id: number, method: string, params: unknown) =>
      child.stdin?.write(`${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`);
    child.once("error", (error) => finish({ ok: false, message: `It could not be started: ${error.message}` }));
    // "close" comes after its last words; a child of its own that keeps the pipes open must not keep us waiting.
    child.once("close", ended);
    child.once("exit", () => {
      drained = setTimeout(ended, PROBE_DRAIN_MS);
    });
    // A program that ends before it reads is told by its exit.
    child.stdin?.on("error", () => undefined);
    child.stderr?.on("data", (chunk: Buffer) => {
      errors = `${errors}${chunk.toString("utf8")}`.slice(-800);
    });
    child.stdout?.setEncoding("utf8").on("data", (chunk: string) => {
      const lines = `${rest}${chunk}`.split("\n");
      rest = lines.pop() ?? "";
      unanswered += chunk.length;
      for (const line of lines) {
        const step = over ? { type: "wait" as const } : heard(parseLine(line));
        if (step.type === "done") finish({ ok: true, result: step.result });
        if (step.type !== "ask") continue;
        unanswered = 0;
        ask(step.id, step.method, step.params);
      }
      if (unanswered > MAX_PROBE_BYTES) finish({ ok: false, message: "It answers something else than ACP." });
    });
    ask(0, "initialize", {
      protocolVersion: 1,
      clientCapabilities: { fs: { readTextFile: false, writeTextFile: false }, terminal: false },
      clientInfo: { name: "reprise", title: "Reprise", version: "0.1.0" },
    });
  });
}

function parseLine(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    // Agents print other things too; only answers count.
    return null;
  }
}
