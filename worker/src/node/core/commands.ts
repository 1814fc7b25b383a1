import type { Command, NumberedCommand } from "@reprise/protocol";
import { MAX_REMEMBERED_COMMANDS } from "../../limits.ts";
import type { NodeEffect } from "./event.ts";
import type { NodeState } from "./state.ts";

/** Queue a command, once for its id, and send it if somebody is there. @returns its number. */
export function enqueue(state: NodeState, command: Command): { state: NodeState; effects: NodeEffect[]; seq: number } {
  const known = state.commands.get(command.command_id);
  if (known) return { state, effects: [], seq: known.seq };
  const seq = state.counters.command + 1;
  const counted = { ...state, counters: { ...state.counters, command: seq } };
  if (state.revoked) return { state: counted, effects: [], seq };
  const conn = state.link?.via === "socket" ? state.link.conn_id : null;
  const commands = new Map(state.commands).set(command.command_id, { seq, sent: conn !== null, command });
  const effects: NodeEffect[] =
    conn === null ? [] : [{ type: "send", conn_id: conn, frame: { type: "command", numbered: { seq, command } } }];
  return { state: { ...counted, commands }, effects, seq };
}

/** Take a command back. @returns whether the node can't have it: else it may be there already. */
export function dequeue(state: NodeState, commandId: string): { state: NodeState; taken: boolean } {
  const queued = state.commands.get(commandId);
  if (!queued) return { state, taken: false };
  if (queued.command === null) return { state, taken: false };
  const commands = new Map(state.commands);
  // One that may be there keeps its number, so that the same id stays the same command.
  if (queued.sent) commands.set(commandId, { ...queued, command: null });
  else commands.delete(commandId);
  return { state: { ...state, commands }, taken: !queued.sent };
}

/** The node has it on its disk: it is remembered, not sent again. */
export function received(state: NodeState, commandId: string): NodeState {
  const queued = state.commands.get(commandId);
  if (!queued || queued.command === null) return state;
  const commands = new Map(state.commands).set(commandId, { ...queued, command: null });
  const delivered = [...commands].filter(([, entry]) => entry.command === null);
  for (const [id] of delivered.slice(0, Math.max(0, delivered.length - MAX_REMEMBERED_COMMANDS))) commands.delete(id);
  return { ...state, commands };
}

/** All that waits, in order, as sent with a welcome; from now on each may be there. */
export function handOut(state: NodeState): { state: NodeState; commands: NumberedCommand[] } {
  const handed: NumberedCommand[] = [];
  const commands = new Map(state.commands);
  for (const [id, queued] of state.commands) {
    if (queued.command === null) continue;
    handed.push({ seq: queued.seq, command: queued.command });
    if (!queued.sent) commands.set(id, { ...queued, sent: true });
  }
  handed.sort((a, b) => a.seq - b.seq);
  const isNew = [...commands].some(([id, queued]) => queued !== state.commands.get(id));
  return { state: isNew ? { ...state, commands } : state, commands: handed };
}

export function waitingCommands(state: NodeState): number {
  return [...state.commands.values()].filter((queued) => queued.command !== null).length;
}
