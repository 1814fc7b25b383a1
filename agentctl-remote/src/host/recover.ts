import { readdirSync, readFileSync } from "node:fs";
import type { Failure, Runtime } from "@reprise/protocol";
import { endForeignGroup, endGroup } from "../drivers/group.ts";
import type { Log } from "./log.ts";
import { bootId, groupOf, startTimeOf } from "./process.ts";
import type { Spool } from "./spool.ts";

/** In every agent's environment: finds one whose host died between its spawn and the record of it. */
export const EXECUTION_VARIABLE = "REPRISE_EXECUTION_ID";

/** The process groups whose members carry this execution's id. */
function marked(executionId: string): number[] {
  if (process.platform !== "linux") return [];
  const groups = new Set<number>();
  for (const name of readdirSync("/proc")) {
    if (!/^\d+$/.test(name)) continue;
    let environment: string;
    try {
      environment = readFileSync(`/proc/${name}/environ`, "latin1");
    } catch {
      // Gone meanwhile, or another user's: not ours.
      continue;
    }
    if (!environment.split("\0").includes(`${EXECUTION_VARIABLE}=${executionId}`)) continue;
    const group = groupOf(Number(name));
    if (group !== null) groups.add(group);
  }
  return [...groups];
}

/** Ends whatever carries this execution's id, where no host and no spool is left that could tell of it. */
export async function endMarked(executionId: string, log: (message: string) => void): Promise<void> {
  for (const group of marked(executionId)) await endGroup(group, log);
}

/** What a host knows of the one before it. */
export interface LastLife {
  found: "live" | "scan";
  lastBoot: string | null;
  runtime: Runtime;
  /** What it ran in is gone for good, and why. */
  gone: Failure | null;
}

const DIED: Failure = {
  code: "host_died",
  message: "The process that served this session died, and its agent with it.",
};

function deathOf(sameBoot: boolean, { found, runtime }: LastLife): Failure {
  if (sameBoot) return DIED;
  if (runtime === "standalone")
    return { code: "machine_restarted", message: "The machine restarted while the agent ran." };
  // Its container ends with it: that it died under a daemon's eyes, by itself, is what the daemon says (R6).
  if (found === "live") return DIED;
  return { code: "machine_restarted", message: "The session's container was stopped while the agent ran." };
}

/**
 * Close the execution that a dead host left open: first its agent's group is ended and proven dead, then it is written
 * (L1, R3). All that follows from it (turn, items, approvals) is the session's to derive.
 * @param lastBoot of the host before, when it is known
 */
export async function closeOpenExecution(spool: Spool, how: LastLife, log: Log, now: () => number): Promise<void> {
  const open = spool.facts.execution;
  if (!open?.open) return;
  const { found, lastBoot, gone } = how;
  const boot_id = bootId();
  const sameBoot = gone === null && (open.agent?.boot_id ?? lastBoot ?? boot_id) === boot_id;
  // Numbers of a container that is gone name strangers here; what ran in it went with it.
  if (open.agent && gone === null) await endForeignGroup(open.agent, { boot_id, startTimeOf }, log);
  if (sameBoot) for (const group of marked(open.execution_id)) await endGroup(group, log);
  const failure = gone ?? deathOf(sameBoot, how);
  log("Closing the execution that was open.", { execution_id: open.execution_id, failure: failure.code, found });
  spool.append(
    [
      {
        execution_id: open.execution_id,
        body: {
          type: "execution.ended",
          end_reason: "interrupted",
          failure,
          exit_code: null,
          signal: null,
          died: failure.code === "host_died" ? "host" : "machine",
          found,
          group_dead: true,
        },
      },
    ],
    now(),
  );
}
