import { type Inventory, type InventoryEntry, MAX_INVENTORY, type NodeUp } from "@reprise/protocol";
import { INVENTORY_COALESCE_MS } from "../limits.ts";
import type { Keeper } from "./keeper.ts";

export interface InventoryPorts {
  keepers(): Keeper[];
  keeper(sessionId: string): Keeper | null;
  lastSeq(): number;
  /** @returns false when there is no link: the next hello tells everything */
  send(frame: NodeUp): void;
}

/** What this node has: whole for a hello, then change by change. */
export class InventoryTeller {
  private readonly ports: InventoryPorts;
  /** What was told of each session, but its spool's length: that is the session socket's to tell. */
  private readonly told = new Map<string, string>();
  private readonly dirty = new Set<string>();
  private timer: NodeJS.Timeout | null = null;
  private toldSeq = 0;

  constructor(ports: InventoryPorts) {
    this.ports = ports;
  }

  whole(): Inventory {
    const entries = this.ports.keepers().map((keeper) => keeper.entry());
    this.told.clear();
    this.dirty.clear();
    for (const entry of entries) this.told.set(entry.session_id, essence(entry));
    this.toldSeq = this.ports.lastSeq();
    return {
      complete: entries.length <= MAX_INVENTORY,
      last_command_seq: this.toldSeq,
      entries: entries.slice(0, MAX_INVENTORY),
    };
  }

  changed(sessionId: string): void {
    this.dirty.add(sessionId);
    this.timer ??= setTimeout(() => this.flush(), INVENTORY_COALESCE_MS);
  }

  gone(sessionId: string): void {
    this.told.delete(sessionId);
    this.dirty.delete(sessionId);
    this.ports.send({ type: "inventory.gone", session_id: sessionId, last_command_seq: this.ports.lastSeq() });
  }

  close(): void {
    if (this.timer) clearTimeout(this.timer);
  }

  private flush(): void {
    this.timer = null;
    const last_command_seq = this.ports.lastSeq();
    for (const sessionId of this.dirty) {
      const entry = this.ports.keeper(sessionId)?.entry();
      if (!entry) continue;
      const now = essence(entry);
      if (this.told.get(sessionId) === now && last_command_seq === this.toldSeq) continue;
      this.told.set(sessionId, now);
      this.ports.send({ type: "inventory.changed", entry, last_command_seq });
    }
    this.toldSeq = last_command_seq;
    this.dirty.clear();
  }
}

function essence(entry: InventoryEntry): string {
  return JSON.stringify({ ...entry, spool: entry.spool?.spool_id ?? null });
}
