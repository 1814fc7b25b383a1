import { type ChildProcess, spawn } from "node:child_process";
import { tmpdir } from "node:os";
import type { AgentCapabilities } from "@reprise/protocol";
import { z } from "zod";
import { signalGroup } from "../host/process.ts";
import { MAX_PROBE_BYTES, PROBE_DRAIN_MS, PROBE_LIMIT_MS, VERSION_LIMIT_MS } from "../limits.ts";

const flag = z.unknown().transform((value) => value !== undefined && value !== null && value !== false);

/** The part of an agent's `initialize` answer that says what it can (R1); the rest may be as it likes. */
const Initialized = z.object({
  id: z.literal(0),
  result: z.object({
    agentCapabilities: z
      .object({
        loadSession: flag,
        sessionCapabilities: z.object({ resume: flag, list: flag, close: flag }).partial().nullish(),
        promptCapabilities: z.object({ image: flag, embeddedContext: flag }).partial().nullish(),
      })
      .partial()
      .nullish(),
    agentInfo: z.object({ version: z.string() }).partial().nullish(),
  }),
});
const Refused = z.object({ id: z.literal(0), error: z.object({ message: z.string() }) });

export type Probe =
  | { ok: true; capabilities: AgentCapabilities; version: string | null }
  | { ok: false; message: string };

interface Program {
  command: string;
  args: readonly string[];
  env: Readonly<Record<string, string>>;
}

function start(program: Program): ChildProcess {
  return spawn(program.command, [...program.args], {
    cwd: tmpdir(),
    env: { ...process.env, ...program.env },
    detached: true,
    stdio: ["pipe", "pipe", "pipe"],
  });
}

function endGroup(child: ChildProcess): void {
  if (child.pid !== undefined) signalGroup(child.pid, "SIGKILL");
}

/** Start an agent shortly, ask `initialize`, and end its whole group: what it can is learned, never assumed (R1). */
export function probeAgent(program: Program): Promise<Probe> {
  return new Promise((resolve) => {
    const child = start(program);
    let out = "";
    let errors = "";
    let over = false;
    let drained: NodeJS.Timeout | undefined;
    const finish = (probe: Probe) => {
      if (over) return;
      over = true;
      clearTimeout(timer);
      clearTimeout(drained);
      endGroup(child);
      resolve(probe);
    };
    const ended = () => {
      const how = child.signalCode ?? `status ${child.exitCode}`;
      finish({ ok: false, message: `It ended (${how}) before it answered. ${errors}`.trim() });
    };
    const timer = setTimeout(
      () => finish({ ok: false, message: `It did not answer within ${PROBE_LIMIT_MS / 1000} s.` }),
      PROBE_LIMIT_MS,
    );
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
    child.stdout?.on("data", (chunk: Buffer) => {
      out += chunk.toString("utf8");
      const probe = readAnswer(out);
      if (probe) finish(probe);
      else if (out.length > MAX_PROBE_BYTES) finish({ ok: false, message: "It answers something else than ACP." });
    });
    child.stdin?.write(
      `${JSON.stringify({
        jsonrpc: "2.0",
        id: 0,
        method: "initialize",
        params: {
          protocolVersion: 1,
          clientCapabilities: { fs: { readTextFile: false, writeTextFile: false }, terminal: false },
          clientInfo: { name: "reprise", title: "Reprise", version: "0.1.0" },
        },
      })}\n`,
    );
  });
}

/** @returns null while no whole line is the answer */
export function readAnswer(out: string): Probe | null {
  for (const line of out.split("\n").slice(0, -1)) {
    const json = parseLine(line);
    const refused = Refused.safeParse(json);
    if (refused.success) return { ok: false, message: `It refused to start: ${refused.data.error.message}` };
    const parsed = Initialized.safeParse(json);
    if (!parsed.success) continue;
    const { agentCapabilities: can, agentInfo } = parsed.data.result;
    return {
      ok: true,
      version: agentInfo?.version ?? null,
      capabilities: {
        load_session: can?.loadSession ?? false,
        resume_session: can?.sessionCapabilities?.resume ?? false,
        list_sessions: can?.sessionCapabilities?.list ?? false,
        close_session: can?.sessionCapabilities?.close ?? false,
        prompt_image: can?.promptCapabilities?.image ?? false,
        prompt_embedded_context: can?.promptCapabilities?.embeddedContext ?? false,
      },
    };
  }
  return null;
}

function parseLine(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    // Agents print other things too; only the answer counts.
    return null;
  }
}

/** The first thing that looks like a version in what the program prints. @returns null when it prints none in time */
export function askVersion(command: string, args: readonly string[]): Promise<string | null> {
  return new Promise((resolve) => {
    const child = start({ command, args, env: {} });
    let out = "";
    const finish = (version: string | null) => {
      clearTimeout(timer);
      endGroup(child);
      resolve(version);
    };
    const timer = setTimeout(() => finish(null), VERSION_LIMIT_MS);
    child.stdin?.on("error", () => undefined);
    child.stdin?.end();
    child.stderr?.resume();
    child.stdout?.on("data", (chunk: Buffer) => {
      out = `${out}${chunk.toString("utf8")}`.slice(0, 4_000);
    });
    child.once("error", () => finish(null));
    child.once("close", () => finish(/\d+\.\d+(?:\.\d+)?(?:[-+][\w.]+)?/.exec(out)?.[0] ?? null));
  });
}
