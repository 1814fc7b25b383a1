import { readFileSync } from "node:fs";
import { cpus } from "node:os";
import { descendants } from "../processes.ts";

/** Ticks a second: what every Linux that runs these tests has. */
const TICKS = 100;
const SECOND_MS = 1_000;

interface Sample {
  at: number;
  /** Of the whole machine, and of this test with all that it started; in ms of one core. */
  busy: number;
  own: number;
}

function ownTicks(pid: number): number {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? [];
    return Number(fields[11]) + Number(fields[12]);
  } catch {
    // It ended while we looked.
    return 0;
  }
}

function sample(): Sample {
  const busy = cpus().reduce((sum, { times }) => sum + times.user + times.nice + times.sys + times.irq, 0);
  const own = [process.pid, ...descendants(process.pid).map(({ pid }) => pid)].reduce(
    (sum, pid) => sum + ownTicks(pid),
    0,
  );
  return { at: performance.now(), busy, own: (own * SECOND_MS) / TICKS };
}

/** How much of the machine other programs take while something is measured. */
export class Cores {
  readonly #from = sample();

  /** @returns the share of all cores that was somebody else's, and what this test used, in seconds of one core */
  read(): { others: number; own_s: number } {
    const to = sample();
    const wall = Math.max(1, to.at - this.#from.at) * cpus().length;
    const own = to.own - this.#from.own;
    const others = Math.max(0, to.busy - this.#from.busy - own) / wall;
    return { others: Math.min(others, 1), own_s: own / SECOND_MS };
  }
}
