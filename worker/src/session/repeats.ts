import type { SessionDown } from "@reprise/protocol";
import { REPEAT_MS } from "../limits.ts";

/**
 * What was said to a node over plain HTTP a moment ago (N3): a POST a second asks for all that is outstanding, and the
 * agent must not be asked the same each time. In memory: what is forgotten is said once more, and harmless.
 */
export class Repeats {
  readonly #said = new Map<string, number>();

  clear(): void {
    this.#said.clear();
  }

  /** These are being said, whatever was said before. */
  note(frames: readonly SessionDown[], now: number): void {
    for (const frame of frames) {
      const key = keyOf(frame);
      if (key !== null) this.#said.set(key, now);
    }
  }

  /** @returns those that were not said lately; from now on they were. */
  fresh(frames: readonly SessionDown[], now: number): SessionDown[] {
    for (const [key, at] of this.#said) if (now - at >= REPEAT_MS) this.#said.delete(key);
    return frames.filter((frame) => {
      const key = keyOf(frame);
      if (key !== null && this.#said.has(key)) return false;
      if (key !== null) this.#said.set(key, now);
      return true;
    });
  }
}

/** null: of what is never outstanding, only answered. */
function keyOf(frame: SessionDown): string | null {
  switch (frame.type) {
    case "prompt":
      return `prompt ${frame.prompt_id} ${frame.turn_id}`;
    case "cancel":
    case "approval.answer":
    case "set_mode":
    case "set_model":
      return JSON.stringify(frame);
    default:
      return null;
  }
}
