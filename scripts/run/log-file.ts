import { closeSync, mkdirSync, openSync, readFileSync, renameSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { LAST_LINES, MAX_LOG_BYTES } from "./limits.ts";

/** Opens a log to append to; one that grew too large is moved aside first. @returns a file descriptor */
export function openLog(file: string): number {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  if (size > MAX_LOG_BYTES) renameSync(file, `${file}.1`);
  return openSync(file, "a", 0o600);
}

export function closeLog(fd: number): void {
  closeSync(fd);
}

/** The last lines of a log, to say why its process ended. */
export function lastLines(file: string, count: number = LAST_LINES): string {
  try {
    const text = readFileSync(file, "utf8").trimEnd();
    return text === "" ? "(it is empty)" : text.split("\n").slice(-count).join("\n");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return "(it is empty)";
    throw error;
  }
}
