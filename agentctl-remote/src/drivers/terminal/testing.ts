import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { AGENT_TERMINAL, type TerminalDown } from "@reprise/protocol";
import { z } from "zod";
import type { Launch } from "../../host/core/types.ts";
import { bootId, isAlive } from "../../host/process.ts";
import { type Bench, type HostBench, id, until } from "../../host/testing.ts";

import { quoted } from "./core/quote.ts";

/** Terminal agents in real hosts: a shell of nobody's, and a program that talks like one of them. */

export const AGENT = fileURLToPath(new URL("./testing-agent.ts", import.meta.url));

const Shells = z.array(z.object({ pid: z.number() }));

export const alive = (pid: number) => isAlive({ pid, start_time: null, boot_id: bootId() }, bootId());

export class TerminalBench {
  readonly host: HostBench;
  readonly log: string;
  private readonly env: Record<string, string>;
  private n = 0;
  readonly pane = { terminal_id: AGENT_TERMINAL, pane_id: "pane-aaaa", viewer_id: "vwr_1" };

  /** @param shell the person's */
  constructor(
    bench: Bench,
    { shell = "/bin/bash", limits = {} }: { shell?: string; limits?: Record<string, number> } = {},
  ) {
    this.host = bench.session({ ENTER_MS: 20, PASTE_WAIT_MS: 0, AGENT_POLL_MS: 100, ...limits });
    this.log = join(this.host.agentState, "starts");
    const home = join(this.host.agentState, "home");
    mkdirSync(home);
    this.env = { SHELL: shell, HOME: home, PS1: "$ " };
  }

  async start(found: "live" | "scan" = "live"): Promise<this> {
    await this.host.start(found, this.env);
    return this;
  }

  /** The host dies, and another one comes. */
  async killHost(found: "live" | "scan" = "live"): Promise<void> {
    await this.host.killHost();
    await this.start(found);
  }

  /** What the person's shell does first. */
  profile(text: string): void {
    writeFileSync(join(this.env["HOME"] ?? "", ".bash_profile"), text);
  }

  workspaceFile(name: string): void {
    writeFileSync(join(this.host.workspace, name), "");
  }

  hasWorkspaceFile(name: string): boolean {
    return existsSync(join(this.host.workspace, name));
  }

  launch(part: Partial<Launch> = {}, spec: Partial<Launch["spec"]> = {}): Launch {
    const command = this.host.launch(part);
    return {
      ...command,
      spec: {
        agent_kind: "claude-code",
        agent_name: "Claude Code",
        driver: "terminal",
        command: process.execPath,
        args: [AGENT, "--log", this.log],
        env: {},
        resume_args: ["--resume"],
        ...spec,
      },
    };
  }

  /** Launch, and wait until it is ready or over. */
  run(part: Partial<Launch> = {}, spec: Partial<Launch["spec"]> = {}): Promise<string> {
    return this.host.run(this.launch(part, spec));
  }

  resume(token: string): Promise<string> {
    return this.run({ how: { type: "resume", token, had_turns: true } });
  }

  prompt(text: string): NonNullable<Launch["prompt"]> {
    return { prompt_id: id("prompt"), turn_id: id("turn"), text };
  }

  /** Every agent that ran, oldest first. */
  starts(): { pid: number; argv: string[] }[] {
    try {
      return readFileSync(this.log, "utf8")
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line));
    } catch {
      // None has run.
      return [];
    }
  }

  /** The newest agent itself, below its wrapper. */
  agent(): number {
    const pid = this.starts().at(-1)?.pid;
    if (pid === undefined) throw new Error("no agent ran");
    return pid;
  }

  attach(part: Partial<Extract<TerminalDown, { type: "terminal.attach" }>> = {}): void {
    const size = { cols: 100, rows: 30 };
    this.host.send({ type: "terminal.attach", ...this.pane, ...size, start: true, have: null, ...part });
  }

  /** As a person at the pane. */
  type(text: string): void {
    this.host.send({ type: "terminal.input", ...this.pane, n: ++this.n, data: Buffer.from(text).toString("base64") });
  }

  /** Count a pane's inputs on from what the newest screen said. */
  async attached(): Promise<void> {
    this.attach();
    const frame = await this.host.frame("terminal.snapshot");
    this.n = frame.input;
  }

  /** All that the pane was told since `from` (a number of frames), as text. */
  shown(from = 0): string {
    return this.host.frames
      .slice(from)
      .flatMap((frame) => {
        if (frame.type === "terminal.snapshot") return [frame.screen];
        return frame.type === "terminal.output" ? [Buffer.from(frame.data, "base64").toString()] : [];
      })
      .join("");
  }

  shows(pattern: RegExp, from = 0): Promise<RegExpExecArray> {
    return until(`${pattern} in the terminal`, () => pattern.exec(this.shown(from)));
  }

  /** The agent, as a person would start it in the shell. */
  command(): string {
    return [process.execPath, AGENT, "--log", this.log].map(quoted).join(" ");
  }

  /** A hook that is called from nowhere, as of a process that lost its parents. */
  straggle(agentKind: string, words: Record<string, string>): void {
    const name = join(this.host.paths.reports, `hook-${++this.n}-0`);
    writeFileSync(`${name}.tmp`, `hook ${agentKind} 4000000\n${JSON.stringify(words)}`);
    renameSync(`${name}.tmp`, `${name}.report`);
  }

  /** Those that nobody has taken. */
  reports(): string[] {
    return readdirSync(this.host.paths.reports);
  }

  /** The screen of a life that began since. */
  async newScreen(from: number) {
    const screen = await until("a new screen", () =>
      this.host.frames.slice(from).find((frame) => frame.type === "terminal.snapshot"),
    );
    this.n = screen.input;
    return screen;
  }

  /** The shell of the agent's terminal, as noted for the next host. */
  shellPid(): number {
    const [shell] = Shells.parse(JSON.parse(readFileSync(this.host.paths.shells, "utf8")));
    if (!shell) throw new Error("no shell");
    return shell.pid;
  }

  /** The same, asked in the shell itself. */
  async shell(): Promise<number> {
    const from = this.host.frames.length;
    this.type("echo shell:$$:\r");
    return Number((await this.shows(/shell:(\d+):/, from))[1]);
  }
}
