import { existsSync, rmSync } from "node:fs";
import type { Failure, Runtime, SpoolEventBody } from "@reprise/protocol";
import { endForeignGroup, endGroup } from "../drivers/group.ts";
import type { Left } from "../drivers/terminal/core/left.ts";
import { exitOf, obituary } from "./core/endings.ts";
import { farewell, SIGHUP_STATUS } from "./core/verdict.ts";
import type { SpoolFacts } from "./facts.ts";
import type { Log } from "./log.ts";
import { marked } from "./marked.ts";
import { bootId, startTimeOf } from "./process.ts";
import type { Spool } from "./spool.ts";

/** Ends whatever carries this execution's id, where no host and no spool is left that could tell of it. */
export async function endMarked(executionId: string, log: (message: string) => void): Promise<void> {
  for (const group of new Set(marked(executionId).map((one) => one.group))) await endGroup(group, log);
}

/** What a host knows of the one before it. */
export interface LastLife {
  found: "live" | "scan";
  lastBoot: string | null;
  runtime: Runtime;
  /** What it ran in is gone for good, and why. */
  gone: Failure | null;
  /** Where a terminal agent's wrapper and hooks left their words. */
  reports: string;
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
 * Close the execution that a dead host left open: first its agent's group is ended and proven dead, then what that still
 * said is written, then its end (L1, R3). All that follows from it (turn, items, approvals) is the session's to derive.
 */
export async function closeOpenExecution(spool: Spool, how: LastLife, log: Log, now: () => number): Promise<void> {
  const open = spool.facts.execution;
  if (open?.open) {
    const { lastBoot, gone } = how;
    const boot_id = bootId();
    const sameBoot = gone === null && (open.agent?.boot_id ?? lastBoot ?? boot_id) === boot_id;
    // Numbers of a container that is gone name strangers here; what ran in it went with it.
    if (open.agent && gone === null) await endForeignGroup(open.agent, { boot_id, startTimeOf }, log);
    if (sameBoot) await endMarked(open.execution_id, log);
    const { execution_id } = open;
    const left = await leftOf(open, how.reports);
    const end = endOf(open, left, gone ?? deathOf(sameBoot, how), how.found);
    log("Closing the execution that was open.", { execution_id, end_reason: end.end_reason, found: how.found });
    spool.append(
      [...left.events, end].map((body) => ({ execution_id, body })),
      now(),
    );
  }
  // No execution is open and no terminal lives: what still lies there speaks of what is over (R7: it revives nothing).
  rmSync(how.reports, { recursive: true, force: true });
}

type Open = NonNullable<SpoolFacts["execution"]>;

async function leftOf({ execution_id, agent, token, open_turn, goodbye }: Open, reports: string): Promise<Left> {
  if (!existsSync(reports)) return { events: [], turnOpen: open_turn !== null, goodbye, exit: null };
  const { readLeft } = await import("../drivers/terminal/left.ts");
  return readLeft({ execution_id, root: agent?.pid ?? null, token, turn: open_turn, goodbye }, reports);
}

/** The same verdict as a live host's (R7), with what is known of the end. @param lost why, if it died with its host */
function endOf(
  open: Open,
  left: Left,
  lost: Failure,
  found: "live" | "scan",
): Extract<SpoolEventBody, { type: "execution.ended" }> {
  const { exit, goodbye, turnOpen } = left;
  const end = exit ?? { how: "unknown" as const, at: null };
  const body = { type: "execution.ended", ...exitOf(end), found, group_dead: true } as const;
  if (open.ready && farewell(end, goodbye, turnOpen) === "agent_exit")
    return { ...body, end_reason: "agent_exit", failure: null, died: "nobody" };
  // It was over before its host was; a hang-up came from the host's own death.
  if (exit && !exit.hung_up && exit.status !== SIGHUP_STATUS) {
    const message = obituary({ exit: exitOf(exit), end: exit }, "");
    return open.ready
      ? { ...body, end_reason: "interrupted", failure: { code: "agent_died", message }, died: "agent" }
      : { ...body, end_reason: "failed", failure: { code: "agent_exited", message }, died: "agent" };
  }
  return {
    ...body,
    end_reason: "interrupted",
    failure: lost,
    died: lost.code === "host_died" ? "host" : "machine",
  };
}
