import { tmpdir } from "node:os";
import type { AgentCapabilities } from "@reprise/protocol";
import { z } from "zod";
import { PROBE_LIMIT_MS, VERSION_LIMIT_MS } from "../limits.ts";
import { endGroup, exchange, type Program, startProgram } from "./exchange.ts";

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

/** Start an agent shortly and ask `initialize`: what it can is learned, never assumed (R1). */
export async function probeAgent(program: Program): Promise<Probe> {
  const exchanged = await exchange<Probe>(program, { cwd: tmpdir(), limitMs: PROBE_LIMIT_MS }, (json) => {
    const result = readInitialized(json);
    return result ? { type: "done", result } : { type: "wait" };
  });
  return exchanged.ok ? exchanged.result : exchanged;
}

/** @returns null when this isn't the answer to `initialize` */
export function readInitialized(json: unknown): Probe | null {
  const refused = Refused.safeParse(json);
  if (refused.success) return { ok: false, message: `It refused to start: ${refused.data.error.message}` };
  const parsed = Initialized.safeParse(json);
  if (!parsed.success) return null;
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

/** The first thing that looks like a version in what the program prints. @returns null when it prints none in time */
export function askVersion(command: string, args: readonly string[]): Promise<string | null> {
  return new Promise((resolve) => {
    const child = startProgram({ command, args, env: {} }, tmpdir());
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
