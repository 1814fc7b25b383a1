import { MAX_TITLE_CHARS } from "@reprise/protocol";

/** Signs that agents turn before their title while they work. */
const SPINNER = /^(?:[\s\u2800-\u28ff\u2500-\u27bf\u2b00-\u2bff·•∙*|/\\-]|\p{Extended_Pictographic}|\ufe0f)+(?=\s)/u;

/** A terminal's title as a session's. @returns null when nothing is left of it */
export function cleanTitle(title: string): string | null {
  const words = title
    .replace(/[\p{Cc}\p{Cf}]/gu, " ")
    .replace(SPINNER, "")
    .trim()
    .slice(0, MAX_TITLE_CHARS);
  return words === "" ? null : words;
}

/** A title that changes with each frame of a spinner is told at most so often, and the last one always. */
export interface TitlePace {
  readonly told: string;
  readonly waiting: string | null;
  /** Not before then. */
  readonly next: number;
}

export const NO_TITLE: TitlePace = { told: "", waiting: null, next: 0 };

/** @returns what to tell now, and when to look again */
export function retitled(
  pace: TitlePace,
  title: string | null,
  now: number,
  everyMs: number,
): { pace: TitlePace; tell: string | null; arm: number | null } {
  const wanted = title ?? pace.waiting;
  if (wanted === null || wanted === pace.told) return { pace: { ...pace, waiting: null }, tell: null, arm: null };
  if (now < pace.next) return { pace: { ...pace, waiting: wanted }, tell: null, arm: pace.next };
  return { pace: { told: wanted, waiting: null, next: now + everyMs }, tell: wanted, arm: null };
}
