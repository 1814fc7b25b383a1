import { spawn } from "node:child_process";
import { appendFileSync, existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { z } from "zod";

/**
 * Stands between an ACP client and an agent, and records every line of both directions:
 * `node tap.ts LOG COMMAND [ARGS...]`. For agents that keep no record of their own.
 */
const line = z.object({ pid: z.number(), at: z.number(), from: z.enum(["client", "agent"]), text: z.string() });

/** One recorded line. */
export type TappedLine = z.infer<typeof line> & { readonly method: string | undefined };

/** Reads what a tap recorded. */
export function readTap(file: string): TappedLine[] {
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, "utf8").split("\n").filter(Boolean);
  return lines.map((raw) => {
    const parsed = line.parse(JSON.parse(raw));
    const method = /"method":"([^"]+)"/.exec(parsed.text)?.[1];
    return { ...parsed, method };
  });
}

/** The command and arguments that run an agent behind a tap. */
export function tapped(node: string, log: string, command: string, args: readonly string[]): [string, string[]] {
  return [node, [fileURLToPath(import.meta.url), log, command, ...args]];
}

function run([log, command, ...args]: string[]): void {
  if (log === undefined || command === undefined) throw new Error("usage: tap.ts LOG COMMAND [ARGS...]");
  const agent = spawn(command, args, { stdio: ["pipe", "pipe", "inherit"] });
  const record = (from: "client" | "agent") => {
    let rest = "";
    return (chunk: Buffer) => {
      const lines = (rest + chunk.toString("utf8")).split("\n");
      rest = lines.pop() ?? "";
      for (const text of lines) {
        appendFileSync(log, `${JSON.stringify({ pid: process.pid, at: Date.now(), from, text })}\n`);
      }
    };
  };
  process.stdin.on("data", record("client"));
  process.stdin.pipe(agent.stdin);
  agent.stdout.on("data", record("agent"));
  agent.stdout.pipe(process.stdout);
  agent.stdin.on("error", (error) => console.error(`tap: the agent reads no more: ${error.message}`));
  agent.once("error", (error) => {
    console.error(`tap: ${command}: ${error.message}`);
    process.exit(127);
  });
  // "close", not "exit": by then its last words have been read and passed on.
  agent.once("close", (code, signal) => {
    if (signal) process.kill(process.pid, signal);
    else process.exit(code ?? 1);
  });
  process.on("SIGTERM", () => agent.kill("SIGTERM"));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) run(process.argv.slice(2));
