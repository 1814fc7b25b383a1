import { type LogRow, MAX_ITEM_TEXT, type SessionUp } from "@reprise/protocol";

export type Preview = Extract<SessionUp, { type: "preview" }>;

/**
 * The open items' text as far as it has streamed (L3): memory only. What is lost with the object's memory is asked for
 * again as a whole.
 */
export class Previews {
  readonly #open = new Map<string, Preview>();

  /** @returns the stretch to pass on, or `gap` when a stretch before it is missing here. */
  take(p: Preview): Preview | "gap" | "known" {
    const have = this.#open.get(p.item_id);
    const length = have?.text.length ?? 0;
    if (p.offset === 0) {
      this.#open.set(p.item_id, p);
      return p;
    }
    if (!have || p.offset > length) return "gap";
    const fresh = p.text.slice(length - p.offset);
    if (fresh === "") return "known";
    if (length + fresh.length <= MAX_ITEM_TEXT) this.#open.set(p.item_id, { ...have, text: have.text + fresh });
    return { ...p, offset: length, text: fresh };
  }

  /** A finished item needs no preview any more. */
  settle(row: LogRow): void {
    if (row.body.kind === "message" && row.body.item.status !== "open") this.#open.delete(row.body.item.item_id);
  }

  /** For a viewer that attaches in the middle: all that has streamed, from the beginning. */
  all(): Preview[] {
    return [...this.#open.values()];
  }
}
