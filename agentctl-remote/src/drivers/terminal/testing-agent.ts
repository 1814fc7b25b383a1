import { execFileSync, spawn } from "node:child_process";
import { appendFileSync } from "node:fs";
import { createInterface } from "node:readline";

/**
 * A small terminal agent for tests: `[--log FILE] [--quiet] [--eof] [--resume ID] [PROMPT]`. `--eof`: it ends with its input. It talks as Claude Code's hooks do,
 * and does what the lines it is given say.
 */

const args = process.argv.slice(2);

function option(name: string): string | null {
  const at = args.indexOf(name);
  return at < 0 ? null : (args.splice(at, 2)[1] ?? null);
}

function flag(name: string): boolean {
  const at = args.indexOf(name);
  if (at >= 0) args.splice(at, 1);
  return at >= 0;
}

const log = option("--log");
const quiet = flag("--quiet");
const endsWithInput = flag("--eof");
const resumed = option("--resume");
const [prompt] = args;
let id = resumed ?? `conversation-${process.pid}`;

function hook(name: string, more: Record<string, string> = {}): void {
  const report = process.env["REPRISE_REPORT"];
  if (quiet || !report) return;
  const input = JSON.stringify({ session_id: id, hook_event_name: name, ...more });
  execFileSync("/bin/sh", ["-c", `"$REPRISE_REPORT" hook claude-code`], { input });
}

function leave(reason: string, status: number): never {
  hook("SessionEnd", { reason });
  process.exit(status);
}

function obey(line: string): void {
  if (line === "/exit") leave("prompt_input_exit", 0);
  if (line === "/clear") {
    hook("SessionEnd", { reason: "clear" });
    id = `${id}-cleared`;
    hook("SessionStart", { source: "clear" });
    return;
  }
  if (line.startsWith("exit ")) process.exit(Number(line.slice(5)));
  if (line === "ask") {
    hook("Notification", { notification_type: "permission_prompt", message: "May I?" });
    return;
  }
  hook("UserPromptSubmit");
  if (line === "size") console.log(`size ${process.stdout.columns}x${process.stdout.rows};`);
  console.log(`working on ${line}`);
  if (line.includes("child")) {
    const child = spawn("sleep", ["1000"], { detached: true, stdio: "ignore" });
    console.log(`child ${child.pid};`);
  }
  if (line.includes("hang")) return;
  hook("Stop");
  console.log(`done with ${line}`);
}

if (log !== null) appendFileSync(log, `${JSON.stringify({ pid: process.pid, argv: process.argv.slice(2) })}\n`);
if (resumed === "gone") {
  console.log("No conversation found with session ID: gone");
  process.exit(1);
}
process.on("SIGHUP", () => leave("other", 129));
// A way out that needs no terminal.
process.on("SIGUSR2", () => process.exit(0));
process.stdout.write("\x1b]0;⠂ The agent's title\x07");
hook("SessionStart", { source: resumed === null ? "startup" : "resume" });
console.log(`agent ${process.pid} serves ${id};`);
if (prompt !== undefined) obey(prompt);
createInterface({ input: process.stdin }).on("line", obey);
if (!endsWithInput) setInterval(() => undefined, 60_000);
