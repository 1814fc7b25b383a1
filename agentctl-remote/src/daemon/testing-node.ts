import { rmSync } from "node:fs";
import { afterAll, afterEach, beforeAll, beforeEach } from "vitest";
import { buildPrograms, NodeBench, type Programs } from "./testing.ts";

/** Starting and ending real processes takes long on a busy machine. */
const HOOK_MS = 90_000;

/** Builds the programs once a test file, and gives each of its tests a node of its own, which leaves nothing behind. */
export function withNode(give: (node: NodeBench) => void): void {
  let programs: Programs | null = null;
  let node: NodeBench | null = null;
  beforeAll(async () => {
    programs = await buildPrograms();
  }, HOOK_MS);
  beforeEach(() => {
    if (!programs) throw new Error("The programs were not built.");
    node = new NodeBench(programs);
    give(node);
  });
  afterEach(async () => {
    await node?.close();
    node = null;
  }, HOOK_MS);
  afterAll(() => {
    if (programs) rmSync(programs.folder, { recursive: true, force: true });
  });
}
