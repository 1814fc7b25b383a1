import { join } from "node:path";
import { z } from "zod";
import { type Env, FOLDERS } from "../agents/folders.ts";
import { hookCommand } from "./command.ts";
import { PLUGIN_TEXT, wouldWait } from "./opencode-plugin.ts";
import type { HookEntry } from "./settings-text.ts";

/** How an agent takes hooks, in a file of its folder. */
export type HookPlace =
  | {
      in: "settings";
      file: string;
      events: readonly string[];
      entry: HookEntry;
      /** Settings like these switch all hooks off. */
      disabled: z.ZodType;
    }
  | {
      in: "plugin";
      file: string;
      text: string;
      /** Why a plugin would hold the agent up at its start; null when it doesn't. */
      heldUp(folder: string): string | null;
    };

export interface HookedAgent {
  agent_kind: string;
  agent_name: string;
  /** Its terminal program. */
  command: string;
  /** Where its user's own settings lie. */
  folder(env: Env): string;
  place: HookPlace;
}

/** The file that holds an agent's hooks, whether it is there or not. */
export function hookFile(agent: HookedAgent, env: Env): string {
  return join(agent.folder(env), agent.place.file);
}

/** Agents that say by hooks which conversation they serve, when a turn begins and ends, and that they end. */
export const HOOKED_AGENTS: readonly HookedAgent[] = [
  {
    agent_kind: "claude-code",
    agent_name: "Claude Code",
    command: "claude",
    folder: FOLDERS.claude,
    place: {
      in: "settings",
      file: "settings.json",
      // Older versions refuse all settings for one event that they don't know: only what they all have.
      events: ["SessionStart", "UserPromptSubmit", "Stop", "Notification", "SessionEnd"],
      // In seconds; it waits for its hooks.
      entry: { type: "command", command: hookCommand("claude-code"), timeout: 2 },
      disabled: z.object({ disableAllHooks: z.literal(true) }),
    },
  },
  {
    agent_kind: "gemini",
    agent_name: "Gemini CLI",
    command: "gemini",
    folder: FOLDERS.gemini,
    place: {
      in: "settings",
      file: "settings.json",
      events: ["SessionStart", "BeforeAgent", "AfterAgent", "Notification", "SessionEnd"],
      // In milliseconds. Its name is what it shows while it waits for it.
      entry: { type: "command", command: hookCommand("gemini"), timeout: 2_000, name: "reprise" },
      disabled: z.object({ hooksConfig: z.object({ enabled: z.literal(false) }) }),
    },
  },
  {
    agent_kind: "opencode",
    agent_name: "OpenCode",
    command: "opencode",
    folder: FOLDERS.opencode,
    place: {
      in: "plugin",
      file: join("plugins", "reprise.js"),
      text: PLUGIN_TEXT,
      heldUp: (folder) =>
        wouldWait(folder)
          ? "What its plugins need isn't installed yet: it would wait for that. It installs it by itself while it runs, so from a later start on its turns are heard."
          : null,
    },
  },
];
