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
    const have = this.get(p.item_id);
    const known = have?.execution_id === p.execution_id ? have : undefined;
    const length = known?.text.length ?? 0;
    if (p.offset === 0) {
      this.#open.set(p.item_id, p);
      return p;
    }
    if (!known || p.offset > length) return "gap";
    const fresh = p.text.slice(length - p.offset);
    // A host cuts an item there, too: what a wrong one says beyond it must not grow this memory.
    if (fresh === "" || length + fresh.length > MAX_ITEM_TEXT) return "known";
    this.#open.set(p.item_id, { ...known, text: known.text + fresh });
    return { ...p, offset: length, text: fresh };
  }

  /** All that has streamed of one item, from its beginning. */
  get(item_id: string): Preview | undefined {
    return this.#open.get(item_id);
  }

  /** A finished item needs no preview any more, nor do those whose execution is over. */
  settle(row: LogRow): void {
    if (row.body.kind === "message" && row.body.item.status !== "open") this.#open.delete(row.body.item.item_id);
    if (row.body.kind === "execution_end") {
      for (const p of this.all()) if (p.execution_id === row.execution_id) this.#open.delete(p.item_id);
    }
  }

  /** For a viewer that attaches in the middle: all that has streamed, from the beginning. */
  all(): Preview[] {
    return [...this.#open.values()];
  }
}
