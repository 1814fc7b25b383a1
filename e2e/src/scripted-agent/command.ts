import { fileURLToPath } from "node:url";
import { NODE_BIN } from "../agents/install.ts";

/** The scripted agent's program, run by Node 24 without a build. */
export const SCRIPTED_AGENT = fileURLToPath(new URL("./main.ts", import.meta.url));

/** How to start the scripted agent with the given flags. */
export function scriptedAgentCommand(state: string, ...flags: string[]): { command: string; args: string[] } {
  return { command: NODE_BIN, args: [SCRIPTED_AGENT, "--state", state, ...flags] };
}
