import { setTimeout as delay } from "node:timers/promises";
import { marked } from "../../host/marked.ts";
import { familyOf, groupMembers, groupOf, signalGroup, signalProcess } from "../../host/process.ts";
import { DEATH_POLL_MS, KILL_REPORT_MS } from "../../limits.ts";

/** Whose processes: those below the root, and those that carry the execution's id, wherever they went. */
export interface Agents {
  execution_id: string;
  root: number | null;
  /** Its shell, which stays. */
  shell: number | null;
}

interface Targets {
  groups: Set<number>;
  /** Of the shell's own group, where that has no job control: one by one. */
  single: Set<number>;
}

function targets({ execution_id, root, shell }: Agents): Targets {
  const shells = shell === null ? null : groupOf(shell);
  const found: Targets = { groups: new Set(), single: new Set() };
  const add = (pid: number, group: number | null) => {
    if (pid === shell || group === null) return;
    if (group === shells) found.single.add(pid);
    else found.groups.add(group);
  };
  for (const { pid, group } of marked(execution_id)) add(pid, group);
  for (const pid of root === null ? [] : familyOf(root)) add(pid, groupOf(pid));
  // The leader may be gone, and its group not.
  if (root !== null && root !== shells && groupMembers(root).length > 0) found.groups.add(root);
  return found;
}

/**
 * End all that belongs to a terminal's agent, SIGTERM first, and return once nobody of it is left (X6, R3). The shell
 * and what its person runs beside it stay.
 */
export async function endAgents(
  agents: Agents,
  graceMs: number,
  log: (message: string, details?: Record<string, unknown>) => void,
): Promise<void> {
  const start = Date.now();
  let reported = false;
  const told = new Set<number>();
  for (let found = targets(agents); found.groups.size + found.single.size > 0; found = targets(agents)) {
    const passed = Date.now() - start;
    const late = passed > graceMs;
    const send = (id: number, to: typeof signalGroup) => {
      if (late) to(id, "SIGKILL");
      else if (!told.has(id)) {
        to(id, "SIGTERM");
        // A stopped job takes no notice otherwise.
        to(id, "SIGCONT");
      }
      told.add(id);
    };
    for (const group of found.groups) send(group, signalGroup);
    for (const pid of found.single) send(pid, signalProcess);
    if (passed > KILL_REPORT_MS && !reported) {
      reported = true;
      log("The agent's processes are still there after SIGKILL.", { groups: [...found.groups] });
    }
    await delay(DEATH_POLL_MS);
  }
}
