import { existsSync } from "node:fs";
import { whichCommand } from "../agents/find.ts";
import { HOOKED_AGENTS, type HookedAgent, hookFile } from "../hooks/agents.ts";
import { type HooksState, hookedAgent, hooksState, installHooks, uninstallHooks } from "../hooks/hooks.ts";
import { CliError, EXIT } from "./exit.ts";

export interface HooksOptions {
  agent?: string;
}

const WORDS: Record<HooksState, string> = {
  installed: "installed",
  absent: "not installed yet; a session in the agent's own terminal installs them",
  off: "removed, and stay away until `agentctl hooks install`",
};

/** How it stands with the hooks of each agent. */
export function hooksStatus(options: HooksOptions): string {
  return asked(options)
    .map((agent) => {
      const state = hooksState(agent, process.env);
      return state.ok ? `${agent.agent_name}: ${WORDS[state.state]} (${state.path})` : state.message;
    })
    .join("\n");
}

/** Install the hooks of the agents that this user has, or of the one that is named. @throws CliError where one can't be */
export function hooksInstall(options: HooksOptions): string {
  const agents = asked(options).filter((agent) => options.agent !== undefined || isHere(agent));
  if (agents.length === 0) return "None of the agents that have hooks is here. Name one with --agent.";
  const results = agents.map((agent) => ({ agent, result: installHooks(agent, process.env) }));
  return report(
    results.flatMap(({ agent, result }) =>
      result.ok ? [`${agent.agent_name}: installed in ${hookFile(agent, process.env)}`] : [],
    ),
    results.flatMap(({ result }) => (result.ok ? [] : [result.message])),
  );
}

/** Remove exactly what we installed, for good. @throws CliError where something can't be removed */
export function hooksUninstall(options: HooksOptions): string {
  const results = asked(options).map((agent) => ({ agent, ...uninstallHooks(agent, process.env) }));
  return report(
    results.map(({ agent, removed }) =>
      removed.length > 0 ? `${agent.agent_name}: removed from ${removed.join(", ")}` : `${agent.agent_name}: had none`,
    ),
    results.flatMap(({ problems }) => problems),
  );
}

function asked(options: HooksOptions): readonly HookedAgent[] {
  if (options.agent === undefined) return HOOKED_AGENTS;
  const agent = hookedAgent(options.agent);
  if (agent) return [agent];
  const kinds = HOOKED_AGENTS.map((one) => one.agent_kind).join(", ");
  throw new CliError(EXIT.usage, `No hooks are known for ${options.agent}. Those that have some: ${kinds}.`);
}

/** Nobody's settings are made for an agent that they don't have. */
function isHere(agent: HookedAgent): boolean {
  return whichCommand(agent.command) !== null || existsSync(agent.folder(process.env));
}

function report(done: readonly string[], problems: readonly string[]): string {
  if (problems.length > 0) throw new CliError(EXIT.failed, [...done, ...problems].join("\n"));
  return done.join("\n");
}
