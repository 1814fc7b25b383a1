import { accessSync, constants, realpathSync, statSync } from "node:fs";
import { delimiter, isAbsolute, join } from "node:path";
import { type AgentInfo, CATALOG, type CatalogEntry } from "@reprise/protocol";
import type { NodeConfig } from "./config.ts";

/** A program that could be an agent, and what to ask it. */
export interface Candidate {
  agent_kind: string;
  agent_name: string;
  /** As it would be started; null where it isn't installed. */
  command: string | null;
  args: string[];
  env: Record<string, string>;
  version_args: readonly string[];
  /** Its own terminal UI; null where none is known. */
  terminal: TerminalProgram | null;
  /** What is missing and how to get it. */
  hint: string | null;
}

/** A program with a terminal UI; only its version is asked. */
export interface TerminalProgram {
  /** null where it isn't installed */
  command: string | null;
  version_args: readonly string[];
}

/** Where a command on PATH lies. @returns null when there is none that can be run */
export function whichCommand(command: string, path: string = process.env["PATH"] ?? ""): string | null {
  const places = isAbsolute(command) ? [command] : path.split(delimiter).map((dir) => join(dir || ".", command));
  return places.find(isProgram) ?? null;
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    // Not there or not ours to run: the next place on PATH is asked.
    return false;
  }
}

/** Changes whenever the program behind a command does. */
export function programStamp(command: string): string | null {
  const found = whichCommand(command);
  if (!found) return null;
  const real = realpathSync(found);
  const { mtimeMs, size } = statSync(real);
  return `${real} ${mtimeMs} ${size}`;
}

/** All agents this node could run: the built-in ones, then those its owner configured. */
export function candidates(config: NodeConfig): Candidate[] {
  const custom = config.agents.map((agent): Candidate => {
    const there = whichCommand(agent.command) !== null;
    return {
      agent_kind: agent.agent_kind,
      agent_name: agent.agent_name,
      command: there ? agent.command : null,
      args: agent.args ?? [],
      env: agent.env ?? {},
      version_args: ["--version"],
      terminal: null,
      hint: there ? null : `The command ${agent.command} (from config.json) isn't on this machine's PATH.`,
    };
  });
  const kinds = new Set(custom.map((agent) => agent.agent_kind));
  return [...CATALOG.filter((entry) => !kinds.has(entry.agent_kind)).map((entry) => builtIn(entry, config)), ...custom];
}

function builtIn(entry: CatalogEntry, config: NodeConfig): Candidate {
  const { agent_kind, agent_name, version_args, acp, terminal } = entry;
  const usable = acp.starts.filter((one) => one.command !== "npx" || config.npx);
  const start = usable.find((one) => whichCommand(one.command) !== null);
  return {
    agent_kind,
    agent_name,
    command: start?.command ?? null,
    args: [...(start ?? acp.starts[0]).args],
    env: {},
    version_args: start?.command === "npx" ? [...start.args, ...version_args] : version_args,
    terminal: { command: whichCommand(terminal.command) === null ? null : terminal.command, version_args },
    hint: start ? null : missingHint(entry),
  };
}

function missingHint({ agent_name, acp }: CatalogEntry): string {
  const npx = acp.starts.some((one) => one.command === "npx");
  const get = `${agent_name} needs \`${acp.starts[0].command}\` on PATH. Get it with: ${acp.install}`;
  return npx ? `${get} (or allow \`npx\` in config.json: {"npx": true}).` : `${get}.`;
}

/** What is told of an agent before it was asked anything. */
export function unprobed(candidate: Candidate): AgentInfo {
  return {
    agent_kind: candidate.agent_kind,
    agent_name: candidate.agent_name,
    command: candidate.command,
    args: candidate.args,
    version: null,
    status: candidate.command === null ? "missing" : "unprobed",
    capabilities: null,
    terminal: candidate.terminal && { command: candidate.terminal.command, version: null },
    hint: candidate.hint,
  };
}
