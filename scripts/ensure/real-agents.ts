import { existsSync } from "node:fs";
import { join } from "node:path";
import { Explained } from "../lib/explained.ts";
import { run } from "../lib/run.ts";

/** Set to "0", it leaves the real agents out of the end-to-end tests (e2e/src/agents/install.ts reads it too). */
export const REAL_AGENTS_ENV = "REPRISE_REAL_AGENTS";

/** Installs the pinned real agents of e2e/agents, unless they are there; its first line tells their size. */
export async function ensureRealAgents(root: string): Promise<void> {
  const file = join(root, "e2e", "src", "agents", "install.ts");
  if (!existsSync(file))
    throw new Explained("e2e/src/agents/install.ts is missing: the real agents can't be installed.");
  const { code } = await run(process.execPath, [file], { cwd: root });
  if (code !== 0) {
    throw new Explained(
      "The real agents could not be installed (npm's own words are above). `npm test -- --without-real-agents` leaves them out.",
    );
  }
}
