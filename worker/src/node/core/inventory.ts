import type { Inventory, InventoryEntry } from "@reprise/protocol";
import type { NodeEvidence } from "../../session/rpc.ts";
import type { NodeState, Push, What } from "./state.ts";

/** Take in a hello's whole inventory. Entries that didn't change stay the same objects: they are not stored again. */
export function foldInventory(state: NodeState, inventory: Inventory, now: number): NodeState {
  const entries = new Map<string, InventoryEntry>();
  for (const entry of inventory.entries) {
    const known = state.entries.get(entry.session_id);
    entries.set(entry.session_id, known && sameEntry(known, entry) ? known : entry);
  }
  // What an incomplete scan didn't see may still be there (T3).
  if (!inventory.complete) {
    for (const [id, entry] of state.entries) if (!entries.has(id)) entries.set(id, entry);
  }
  const { complete, last_command_seq } = inventory;
  return { ...state, afresh: false, entries, inventory: { as_of: now, complete, last_command_seq } };
}

/** Take in one session's change. */
export function foldEntry(
  state: NodeState,
  sessionId: string,
  entry: InventoryEntry | null,
  lastCommandSeq: number,
  now: number,
): NodeState {
  const entries = new Map(state.entries);
  if (entry) entries.set(sessionId, entry);
  else entries.delete(sessionId);
  const last_command_seq = Math.max(state.inventory.last_command_seq, lastCommandSeq);
  return { ...state, entries, inventory: { ...state.inventory, as_of: now, last_command_seq } };
}

/**
 * Which sessions a hello has news for (N1): every one that isn't over, here or absent; every one whose spool is ahead of
 * what it has stored, or that never told us what it has; and every one whose host, executor or folder changed. The first
 * of a new state folder concerns all: from now on it is this folder's word that counts (T3).
 * @param before the node as it was known before this hello
 */
export function evidenceAtHello(before: NodeState, state: NodeState): What[] {
  const ids = new Set<string>();
  for (const push of state.pushes.values()) if (!push.settled || before.afresh) ids.add(push.session_id);
  for (const entry of state.entries.values()) {
    if (isNews(state, before.entries.get(entry.session_id), entry)) ids.add(entry.session_id);
  }
  return [...ids].map((session_id) => ({ kind: "evidence", session_id }));
}

/** Whether one changed entry is news. */
export function evidenceOfChange(state: NodeState, before: InventoryEntry | undefined, entry: InventoryEntry): What[] {
  return isNews(state, before, entry) ? [{ kind: "evidence", session_id: entry.session_id }] : [];
}

/** More than its spool's growth while that is being fetched anyway. Also of a session that is over: its workspace lives. */
function isNews(state: NodeState, before: InventoryEntry | undefined, entry: InventoryEntry): boolean {
  const push = state.pushes.get(entry.session_id);
  const changed = before ? !sameEntry(withoutMark(before), withoutMark(entry)) : push?.settled === false;
  return changed || spoolAhead(entry, push);
}

/** What a session is told, as of now: made when it is sent, so that it is never older than what is known. */
export function evidenceFor(state: NodeState, sessionId: string): NodeEvidence | null {
  if (!state.identity) return null;
  return {
    node_id: state.identity.node_id,
    state_id: state.identity.state_id,
    entry: state.entries.get(sessionId) ?? null,
    complete: state.inventory.complete,
    last_command_seq: state.inventory.last_command_seq,
  };
}

function spoolAhead(entry: InventoryEntry, push: Push | undefined): boolean {
  if (!push) return true;
  if (!entry.spool) return false;
  return entry.spool.spool_id !== push.spool_id || entry.spool.last_seq > push.acked;
}

function withoutMark(entry: InventoryEntry): InventoryEntry {
  return { ...entry, spool: entry.spool && { ...entry.spool, last_seq: 0 } };
}

function sameEntry(a: InventoryEntry, b: InventoryEntry): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
