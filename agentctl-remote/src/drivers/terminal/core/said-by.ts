import type { Said } from "./said.ts";
import { saidByClaude } from "./said-by-claude.ts";
import { saidByGemini } from "./said-by-gemini.ts";
import { saidByOpencode } from "./said-by-opencode.ts";

const READERS = new Map<string, (payload: unknown) => Said | null>([
  ["claude-code", saidByClaude],
  ["gemini", saidByGemini],
  ["opencode", saidByOpencode],
]);

/**
 * What an agent's hook or plugin meant.
 * @param agentKind whose hook it was, as its command says
 * @param payload the JSON that the agent gave its hook: anything may be in it
 * @returns null: a subagent's, not for us, or not understood
 */
export function saidBy(agentKind: string, payload: unknown): Said | null {
  return READERS.get(agentKind)?.(payload) ?? null;
}
