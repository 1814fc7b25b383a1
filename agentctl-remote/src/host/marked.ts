import { readdirSync, readFileSync } from "node:fs";
import { groupOf } from "./process.ts";

/** In every agent's environment: finds one whose host died between its spawn and the record of it. */
export const EXECUTION_VARIABLE = "REPRISE_EXECUTION_ID";

/** The processes that carry this execution's id, with their groups. Where the platform shows no environments: none. */
export function marked(executionId: string): { pid: number; group: number }[] {
  if (process.platform !== "linux") return [];
  return readdirSync("/proc").flatMap((name) => {
    if (!/^\d+$/.test(name) || !carries(name, executionId)) return [];
    const pid = Number(name);
    const group = groupOf(pid);
    return group === null ? [] : [{ pid, group }];
  });
}

function carries(name: string, executionId: string): boolean {
  try {
    const environment = readFileSync(`/proc/${name}/environ`, "latin1");
    return environment.split("\0").includes(`${EXECUTION_VARIABLE}=${executionId}`);
  } catch {
    // Gone meanwhile, or another user's: not ours.
    return false;
  }
}
