/** When the next POST is due (N3): what waits goes soon, together; else as often as there is something going on. */
export interface PaceLimits {
  gatherMs: number;
  busyMs: number;
  idleMs: number;
  busyForMs: number;
}

/** @param waiting frames to send @param sinceFrameMs since a frame last went either way @returns the wait in ms */
export function postDelay(waiting: boolean, sinceFrameMs: number, limits: PaceLimits): number {
  if (waiting) return limits.gatherMs;
  return sinceFrameMs < limits.busyForMs ? limits.busyMs : limits.idleMs;
}

interface Sized {
  bytes: number;
}

/** How many of the waiting frames fit one POST, in order; at least one. */
export function batchSize(waiting: readonly Sized[], maxFrames: number, maxBytes: number): number {
  let bytes = 0;
  let count = 0;
  for (const one of waiting) {
    bytes += one.bytes;
    if (count > 0 && (bytes > maxBytes || count >= maxFrames)) break;
    count += 1;
  }
  return count;
}
