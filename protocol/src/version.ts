/**
 * Of the frames between nodes and the control plane. Raised when a message changes; version.test.ts pins the schemas'
 * hash to it.
 */
export const PROTOCOL_VERSION = 3;
/** Both sides speak this and everything newer up to their own. */
export const MIN_PROTOCOL_VERSION = 1;

/** @returns the version both sides speak, or null when there is none (4426). */
export function negotiate(theirs: number): number | null {
  const common = Math.min(theirs, PROTOCOL_VERSION);
  return common >= MIN_PROTOCOL_VERSION ? common : null;
}
