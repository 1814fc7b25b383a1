import { z } from "zod";
import { AgentInfo } from "../agents/profile.ts";
import { NodeId } from "../ids.ts";
import { NodeKind, Presence } from "../states.ts";
import { InventoryEntry } from "../wire/inventory.ts";
import { RuntimeInfo } from "../wire/runtime.ts";

export const NodeSummary = z.object({
  id: NodeId,
  name: z.string(),
  kind: NodeKind,
  hostname: z.string(),
  platform: z.string(),
  home: z.string(),
  presence: Presence,
  since: z.number(),
  reason: z.string().nullable(),
  daemon_version: z.string().nullable(),
  agents: z.array(AgentInfo),
  runtimes: z.array(RuntimeInfo),
  /** When the last inventory came. */
  as_of: z.number(),
  created_at: z.number(),
  /** How it speaks with the control plane now; `http` where its network breaks WebSockets (N3). Null while it is away. */
  transport: z.enum(["websocket", "http"]).nullable(),
  /** The last time that a copy of it was refused (T3), and where that called itself from. */
  refused_copy: z.object({ at: z.number(), hostname: z.string().nullable() }).nullable(),
});
export type NodeSummary = z.infer<typeof NodeSummary>;
export const NodeList = z.object({ nodes: z.array(NodeSummary) });

export const NodeDetail = NodeSummary.extend({
  boot_id: z.string().nullable(),
  executions: z.array(InventoryEntry.extend({ title: z.string().nullable(), orphan: z.boolean() })),
  waiting_commands: z.number().int(),
});
export type NodeDetail = z.infer<typeof NodeDetail>;

export const RenameNode = z.object({ name: z.string().trim().min(1).max(80) });
export const JoinToken = z.object({ token: z.string(), expires_at: z.number(), command: z.string() });
export const PathQuery = z.object({ prefix: z.string().max(4_096) });
