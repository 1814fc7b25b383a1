import { afterAll, beforeAll, describe, it } from "vitest";
import { hasDocker } from "../../../scripts/docker/test-docker.ts";
import { wantsRealAgents } from "../agents/install.ts";
import { type Executor, isDocker, isRemote } from "./executors.ts";
import { ROW_MS } from "./limits.ts";
import type { MachineOptions } from "./machine.ts";
import { Room, type RoomOptions } from "./room.ts";
import { Stage } from "./stage.ts";

/** A row of the table of faults: what is done, what is true meanwhile and afterwards, and where it applies. */
export interface Row {
  fault: string;
  meanwhile?: string;
  afterwards: string;
  executors: readonly Executor[];
  /** Rules and cases that it proves. */
  cases: readonly string[];
  /** Runs a real agent. */
  real?: boolean;
  /** Shortens limits of its machine. */
  limits?: MachineOptions["limits"];
  run(stage: Stage): Promise<void>;
}

export interface TableOptions extends RoomOptions {
  /** Rows that touch what others stand on, such as the control plane, run one after the other. */
  oneByOne?: boolean;
}

/** What a test tells the reporter, which prints the table. */
export interface RowResult {
  fault: string;
  meanwhile: string;
  afterwards: string;
  executor: Executor;
}

declare module "vitest" {
  interface TaskMeta {
    recovery?: RowResult;
  }
}

/** One test for each row and each of these executors that it applies to, in one room; each has a machine of its own. */
export function table(
  name: string,
  executors: readonly Executor[],
  rows: readonly Row[],
  options: TableOptions = {},
): void {
  const docker = executors.some(isDocker);
  describe(name, { concurrent: !options.oneByOne, timeout: ROW_MS }, () => {
    let room: Room;
    beforeAll(async () => {
      room = await Room.open({ ...options, docker: docker && hasDocker() });
    });
    afterAll(() => room?.close());

    for (const [n, row] of rows.entries()) {
      for (const executor of executors.filter((one) => row.executors.includes(one))) {
        const { fault, meanwhile = "", afterwards } = row;
        const title = `${row.cases.join(", ")}: ${fault}, ${executor}: ${afterwards}`;
        const missing = isDocker(executor) ? !hasDocker() : row.real && !wantsRealAgents();
        it.skipIf(missing)(title, async ({ task }) => {
          task.meta.recovery = { fault, meanwhile, afterwards, executor };
          const kind = isRemote(executor) ? "remote" : "local";
          const machine = await room.machine({ kind, ...(row.limits && { limits: row.limits }) }, isDocker(executor));
          const stage = new Stage(room, machine, executor, `row${n + 1}-${executor.replace(" ", "-")}`);
          try {
            await row.run(stage);
          } finally {
            await stage.close();
          }
        });
      }
    }
  });
}
