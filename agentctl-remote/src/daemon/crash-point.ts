/**
 * Where tests let the daemon die, so that what is half done is proven to heal (launch fence). Inert unless
 * REPRISE_TEST_CRASH_AT names the point.
 */
export type CrashPoint =
  | "after_received"
  | "before_spawn"
  | "after_spawn"
  | "before_handed"
  | "after_handed"
  | "after_tombstone";

export function crashPoint(point: CrashPoint): void {
  if (process.env["REPRISE_TEST_CRASH_AT"] === point) process.kill(process.pid, "SIGKILL");
}
