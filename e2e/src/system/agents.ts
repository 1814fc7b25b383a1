import { join } from "node:path";
import type { AgentProfile } from "@reprise/protocol";
import { readTap, tapped } from "../acp/tap.ts";
import { NODE_BIN } from "../agents/install.ts";
import { type AgentName, agentProfile } from "../agents/profiles.ts";
import type { Model } from "../model/server.ts";
import { scriptedAgentCommand } from "../scripted-agent/command.ts";
import { readStarts } from "../scripted-agent/start-log.ts";
import type { System } from "./system.ts";

type AutoResume = AgentProfile["auto_resume"];

const NAMES: Record<AgentName, string> = {
  claude: "Claude Code",
  codex: "Codex",
  opencode: "OpenCode",
  gemini: "Gemini CLI",
};

/**
 * A profile of a real agent that speaks to the stand-in, and what went over its stdio.
 * @param place a folder and an address of the stand-in for an agent on another machine
 */
export async function realAgent(
  system: System,
  model: Model,
  name: AgentName,
  auto_resume: AutoResume = "interrupted",
  place: { dir: string; modelUrl: string } = { dir: system.dir, modelUrl: model.url },
) {
  const log = join(place.dir, `tap-${name}-${auto_resume}.log`);
  const { modelUrl } = place;
  const { command, args, env } = agentProfile(name, { home: join(place.dir, `home-${name}`), modelUrl });
  const [tapCommand, tapArgs] = tapped(NODE_BIN, log, command, args);
  const profile = await system.client.profiles.create({
    name: `${NAMES[name]} (${auto_resume})`,
    agent_kind: `custom:${name}`,
    agent_name: NAMES[name],
    driver: "acp",
    command: tapCommand,
    args: tapArgs,
    env: { ...env },
    auto_resume,
  });
  return { profile, traffic: () => readTap(log) };
}

/** A profile of the scripted agent, and how often it was started. */
export async function scriptedAgent(
  system: System,
  name: string,
  flags: string[] = [],
  auto_resume: AutoResume = "interrupted",
) {
  const log = join(system.dir, `starts-${name}.log`);
  const { command, args } = scriptedAgentCommand(join(system.dir, `agent-${name}`), "--start-log", log, ...flags);
  const profile = await system.client.profiles.create({
    name,
    agent_kind: `custom:${name}`,
    agent_name: "Scripted",
    driver: "acp",
    command,
    args,
    env: {},
    auto_resume,
  });
  return { profile, starts: () => readStarts(log) };
}

/** The scripted agent for sessions in Docker: its conversation lies in the container, as a real one's would. */
export async function dockerAgent(
  system: System,
  name: string,
  flags: string[] = [],
  auto_resume: AutoResume = "interrupted",
) {
  const log = join(system.shared, `starts-${name}.log`);
  const { args } = scriptedAgentCommand(`/home/agent/${name}`, "--start-log", log, ...flags);
  const profile = await system.client.profiles.create({
    name,
    agent_kind: `custom:${name}`,
    agent_name: "Scripted",
    driver: "acp",
    // The image's own Node: the machine's need not be there.
    command: "node",
    args,
    env: {},
    auto_resume,
  });
  return { profile, starts: () => readStarts(log) };
}
