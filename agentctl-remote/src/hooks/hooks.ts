import { existsSync } from "node:fs";
import { join } from "node:path";
import { type Env, homeOf } from "../agents/folders.ts";
import { HOOKED_AGENTS, type HookedAgent, hookFile } from "./agents.ts";
import { type Note, withNote } from "./note.ts";
import { FileProblem } from "./person-file.ts";
import { pluginIsThere, removePlugin, writePlugin } from "./plugin-hooks.ts";
import { hookSettings, settingsHaveHooks, unhookSettings } from "./settings-hooks.ts";

/**
 * What is heard of an agent: `turns`: its hooks tell its conversation (OpenCode: at its first prompt), its turns, and
 * its end if it may; `end`: nothing but its process's end.
 */
export type HooksResult = { ok: true; reports: "turns" | "end" } | { ok: false; message: string };

export type HooksState = "installed" | "absent" | "off";

const notePath = (env: Env) => join(homeOf(env), ".reprise", "hooks.db");

export function hookedAgent(agentKind: string): HookedAgent | null {
  return HOOKED_AGENTS.find((agent) => agent.agent_kind === agentKind) ?? null;
}

/**
 * See to it that an agent which starts in this environment tells what it does. Its person's configuration is changed
 * only where our hooks are missing, and not at all once they removed them.
 * @param env with what its profile sets
 * @returns not ok: why not, in words; it can be started all the same, and only its end is heard
 */
export function ensureHooks(agentKind: string, env: Env): HooksResult {
  const agent = hookedAgent(agentKind);
  if (!agent) return { ok: true, reports: "end" };
  return told(agent, () =>
    withNote(notePath(env), (note): HooksResult => {
      if (note.isOff(agentKind)) return { ok: true, reports: "end" };
      install(agent, env, note);
      return { ok: true, reports: "turns" };
    }),
  );
}

/** A person wants an agent's hooks (again). */
export function installHooks(agent: HookedAgent, env: Env): HooksResult {
  return told(agent, () =>
    withNote(notePath(env), (note): HooksResult => {
      note.setOff(agent.agent_kind, false);
      install(agent, env, note);
      return { ok: true, reports: "turns" };
    }),
  );
}

/**
 * A person wants none of an agent: they go, wherever we put them, and don't come back by themselves.
 * @returns the files that they were in, and in words where they could not be removed
 */
export function uninstallHooks(agent: HookedAgent, env: Env): { removed: string[]; problems: string[] } {
  const removed: string[] = [];
  const problems: string[] = [];
  const done = told(agent, () =>
    withNote(notePath(env), (note) => {
      note.setOff(agent.agent_kind, true);
      for (const path of new Set([hookFile(agent, env), ...note.paths(agent.agent_kind)])) {
        // Each by itself: what can't be removed in one place is no reason to keep it in another.
        const one = told(agent, () => ({ ok: true as const, removed: uninstall(agent, path, note) }));
        if (!one.ok) problems.push(one.message);
        else if (one.removed) removed.push(path);
      }
      return { ok: true as const };
    }),
  );
  return { removed, problems: done.ok ? problems : [done.message] };
}

/** How it stands with an agent's hooks. */
export function hooksState(
  agent: HookedAgent,
  env: Env,
): { ok: true; state: HooksState; path: string } | { ok: false; message: string } {
  return told(agent, () => {
    const path = hookFile(agent, env);
    const { place } = agent;
    const there = place.in === "settings" ? settingsHaveHooks(path, place) : pluginIsThere(path, place);
    const noted = notePath(env);
    const off = !there && existsSync(noted) && withNote(noted, (note) => note.isOff(agent.agent_kind));
    return { ok: true as const, state: there ? "installed" : off ? "off" : "absent", path };
  });
}

function install(agent: HookedAgent, env: Env, note: Note): void {
  const { place, agent_kind } = agent;
  const path = hookFile(agent, env);
  if (place.in === "settings") hookSettings(path, agent_kind, place, note);
  else writePlugin(path, { agent_kind, folder: agent.folder(env) }, place, note);
}

function uninstall({ place }: HookedAgent, path: string, note: Note): boolean {
  return place.in === "settings" ? unhookSettings(path, note) : removePlugin(path, note);
}

/** What a person can't do anything about is no fault of the agent's start: it is said. */
function told<T>(agent: HookedAgent, work: () => T): T | { ok: false; message: string } {
  try {
    return work();
  } catch (error) {
    const words = error instanceof Error ? error.message : String(error);
    const message = error instanceof FileProblem ? words : `Reprise's note of hooks can't be used: ${words}`;
    return { ok: false, message: `${agent.agent_name}'s hooks: ${message}` };
  }
}
