import { z } from "zod";
import { KeptConversation } from "../agents/conversation.ts";
import { AgentInfo } from "../agents/profile.ts";
import { NodeId, SessionId } from "../ids.ts";
import { MAX_PATH_CHARS, MAX_URL_CHARS } from "../limits.ts";
import { NodeKind, Presence, Runtime } from "../states.ts";
import { NodeCall } from "../status/facts.ts";
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
  /** Where it says that it can be called, and whether its owner has approved that (N7). */
  address: z.object({ url: z.string(), approved: z.boolean() }).nullable(),
  /** How it stands with calling it; null while it is there, or has no approved address. */
  call: NodeCall.nullable(),
});
export type NodeSummary = z.infer<typeof NodeSummary>;
export const NodeList = z.object({ nodes: z.array(NodeSummary) });

export const NodeDetail = NodeSummary.extend({
  boot_id: z.string().nullable(),
  executions: z.array(InventoryEntry.extend({ title: z.string().nullable(), orphan: z.boolean() })),
  waiting_commands: z.number().int(),
});
export type NodeDetail = z.infer<typeof NodeDetail>;

/** The owner's word on the address that a machine registered; it names the address that was read. */
export const ApproveAddress = z.object({ url: z.string().max(MAX_URL_CHARS), approved: z.boolean() });

/** What a machine answers at its address (N7): `GET /capabilities`. */
export const CapabilitiesAnswer = z.object({
  supports_session_resume: z.boolean(),
  supports_workspace_only: z.boolean(),
  agents: z.array(AgentInfo).max(100),
});
export type CapabilitiesAnswer = z.infer<typeof CapabilitiesAnswer>;

/** Which agent's conversations of which folder there. */
export const ConversationsQuery = z.object({
  agent_profile_id: z.string().min(1).max(100),
  cwd: z.string().min(1).max(MAX_PATH_CHARS),
  runtime: Runtime.optional(),
});
/** `held_by`: the session that goes on with it already; a second one would be refused (C16). */
export const Conversation = KeptConversation.extend({
  held_by: z.object({ session_id: SessionId, title: z.string().nullable() }).nullable(),
});
export type Conversation = z.infer<typeof Conversation>;
export const ConversationList = z.object({ conversations: z.array(Conversation) });

export const RenameNode = z.object({ name: z.string().trim().min(1).max(80) });
export const JoinToken = z.object({ token: z.string(), expires_at: z.number(), command: z.string() });
export const PathQuery = z.object({ prefix: z.string().max(4_096) });
