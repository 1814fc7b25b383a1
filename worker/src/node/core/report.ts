import type { InventoryEntry, NodeSummary } from "@reprise/protocol";
import type { NodeReport } from "../rpc.ts";
import { waitingCommands } from "./commands.ts";
import type { NodeCtx } from "./event.ts";
import { presenceAt } from "./presence.ts";
import type { NodeState } from "./state.ts";

type ReadCtx = Pick<NodeCtx, "now" | "limits" | "live">;

/** The node as sessions see it. */
export function nodeNow(state: NodeState, ctx: ReadCtx): NodeReport["node"] {
  const presence = presenceAt(state, ctx);
  return {
    id: state.identity?.node_id ?? "",
    name: state.identity?.name ?? "",
    kind: state.identity?.kind ?? "remote",
    presence: presence.value,
    since: presence.since,
    reason: presence.reason,
    heard_at: presence.heard_at ?? presence.since,
    as_of: state.inventory.as_of,
    agentctl_url: approvedUrl(state),
    call: callOf(state, presence.value),
  };
}

function approvedUrl({ address }: NodeState): string | null {
  return address !== null && address.approved_at !== null ? address.url : null;
}

/** How it stands with calling a machine that isn't there; null where nobody calls. */
function callOf(state: NodeState, presence: NodeReport["node"]["presence"]): NodeReport["node"]["call"] {
  if (presence === "online" || approvedUrl(state) === null) return null;
  const { attempt, retry_at, failure } = state.call ?? { attempt: 0, retry_at: null, failure: null };
  return { attempt, retry_at, code: failure?.code ?? null, message: failure?.message ?? null };
}

/** A listing's one question to this node (T1). Reads only (T2). @param ids null: all. */
export function reportOf(state: NodeState, ids: readonly string[] | null, ctx: ReadCtx): NodeReport {
  const entries: Record<string, InventoryEntry> = {};
  const versions: Record<string, number> = {};
  for (const id of ids ?? new Set([...state.entries.keys(), ...state.pushes.keys()])) {
    const entry = state.entries.get(id);
    if (entry) entries[id] = entry;
    const push = state.pushes.get(id);
    if (push) versions[id] = push.version;
  }
  const attached = [...(ids ?? state.pushes.keys())].filter((id) => state.pushes.get(id)?.attached);
  return { node: nodeNow(state, ctx), entries, versions, attached };
}

/** Who holds these conversations of that agent's here (R2). */
export function holdersOf(state: NodeState, agentKind: string, tokens: readonly string[]): Record<string, string> {
  const held: Record<string, string> = {};
  for (const token of tokens) {
    const holder = state.tokens.get(tokenKey(agentKind, token));
    if (holder !== undefined) held[token] = holder;
  }
  return held;
}

/** Tokens are unique within their agent (R2). */
export function tokenKey(agentKind: string, token: string): string {
  return `${agentKind}\n${token}`;
}

/** How the node speaks with us now; null while it doesn't. */
function transportOf(state: NodeState, presence: NodeReport["node"]["presence"]): NodeSummary["transport"] {
  if (presence !== "online" || state.link === null) return null;
  return state.link.via === "http" ? "http" : "websocket";
}

/**
 * Whether a session's door may open for that connection of the node: it is the one that counts, or nobody alive holds the
 * place. A daemon of version 1 doesn't name its connection.
 */
export function holdsPlace(state: NodeState, conn_id: string | null, ctx: ReadCtx): boolean {
  const { link } = state;
  if (state.revoked) return false;
  if (link === null || presenceAt(state, ctx).value !== "online") return true;
  return conn_id === null ? link.protocol_version < 2 : conn_id === link.conn_id;
}

export interface NodeSelf extends NodeSummary {
  boot_id: string | null;
  waiting_commands: number;
}

/** The node as the machines page shows it. */
export function summaryOf(state: NodeState, ctx: ReadCtx): NodeSelf {
  const { id, name, kind, presence, since, reason, as_of, call } = nodeNow(state, ctx);
  const { boot_id, ...about } = state.about;
  return {
    id,
    name,
    kind,
    ...about,
    presence,
    since,
    reason,
    as_of,
    transport: transportOf(state, presence),
    created_at: state.identity?.created_at ?? 0,
    refused_copy: state.cloned_at === null ? null : { at: state.cloned_at, hostname: state.cloned_from },
    address: state.address && { url: state.address.url, approved: state.address.approved_at !== null },
    call: call ?? null,
    boot_id,
    waiting_commands: waitingCommands(state),
  };
}
