import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { z } from "zod";
import { startTimeOf } from "./process-id.ts";

const Entry = z.object({ pid: z.int().positive(), started: z.string() });
type Entry = z.infer<typeof Entry>;

/** Notes a process of ours, by pid and start time: a pid alone may be somebody else's by the time it is read. */
export function writePidFile(file: string, pid: number): void {
  const started = startTimeOf(pid);
  if (started === null) throw new Error(`Process ${pid} ended before it could be noted in ${file}.`);
  mkdirSync(dirname(file), { recursive: true });
  const fresh = `${file}.${process.pid}`;
  writeFileSync(fresh, `${JSON.stringify({ pid, started } satisfies Entry)}\n`);
  renameSync(fresh, file);
}

/** The pid that the file names, if that very process still runs; else null. */
export function readPidFile(file: string): number | null {
  const entry = parse(file);
  return entry && startTimeOf(entry.pid) === entry.started ? entry.pid : null;
}

/** Takes the note away. */
export function removePidFile(file: string): void {
  rmSync(file, { force: true });
}

function parse(file: string): Entry | null {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw error;
  }
  try {
    return Entry.parse(JSON.parse(text));
  } catch (error) {
    // A note that can't be read names no process; killing by guess would be worse than leaving it.
    if (error instanceof SyntaxError || error instanceof z.ZodError) return null;
    throw error;
  }
}
