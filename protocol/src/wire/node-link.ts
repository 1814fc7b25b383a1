import { z } from "zod";
import { KeptConversation } from "../agents/conversation.ts";
import { AgentInfo, LaunchSpec } from "../agents/profile.ts";
import { ErrorFrame, Failure } from "../errors.ts";
import { CommandId, NodeId, SessionId } from "../ids.ts";
import { MAX_CONVERSATIONS, MAX_PATH_CHARS, MAX_URL_CHARS } from "../limits.ts";
import { Runtime } from "../states.ts";
import { TerminalBytes, TerminalId } from "../terminal/frames.ts";
import { FilesAnswer, InnerPath } from "../workspace/files.ts";
import { GitAnswer } from "../workspace/git.ts";
import { NumberedCommand, Want } from "./command.ts";
import { Inventory, InventoryEntry } from "./inventory.ts";
import { ONLY_STANDALONE, RuntimeInfos } from "./runtime.ts";

const path = z.string().min(1).max(MAX_PATH_CHARS);

/** Asked of a live node and answered at once, or not at all. */
export const NodeRequest = z.discriminatedUnion("op", [
  /** Folders that complete a typed path; `~` is the node's home. */
  z.object({ op: z.literal("complete_path"), prefix: z.string().max(MAX_PATH_CHARS) }),
  /** What a folder is: does it exist, is it a git checkout, its branch. */
  z.object({ op: z.literal("inspect_path"), path }),
  /** Start the agent shortly and learn what it can (R1); hidden from lists. */
  z.object({ op: z.literal("probe_agent"), spec: LaunchSpec }),
  z.object({ op: z.literal("rescan_agents") }),
  /** Of a session's workspace (version 2): a folder's listing, or a file's text. */
  z.object({ op: z.literal("files"), session_id: SessionId, path: InnerPath }),
  /** Of its git repository (version 2): the status, or one file's diff. */
  z.object({ op: z.literal("git"), session_id: SessionId, path: InnerPath.nullable() }),
  /** Conversations that an agent has kept of a folder, newest first (version 3). */
  z.object({ op: z.literal("list_conversations"), spec: LaunchSpec, cwd: path, runtime: Runtime }),
  /** Into a live terminal that nobody need have attached (B1, version 3). */
  z.object({ op: z.literal("terminal_input"), session_id: SessionId, terminal_id: TerminalId, data: TerminalBytes }),
]);
export type NodeRequest = z.infer<typeof NodeRequest>;

/** The version of the protocol in which a question came: an older node would take it for nonsense. */
export function requestSince(request: NodeRequest): number {
  switch (request.op) {
    case "list_conversations":
    case "terminal_input":
      return 3;
    case "files":
    case "git":
      return 2;
    default:
      return 1;
  }
}

export const NodeAnswer = z.discriminatedUnion("op", [
  z.object({ op: z.literal("complete_path"), folders: z.array(path).max(100) }),
  z.object({
    op: z.literal("inspect_path"),
    path,
    exists: z.boolean(),
    allowed: z.boolean(),
    git: z.object({ root: path, branch: z.string().nullable(), dirty: z.boolean() }).nullable(),
  }),
  z.object({ op: z.literal("probe_agent"), agent: AgentInfo }),
  z.object({ op: z.literal("rescan_agents"), agents: z.array(AgentInfo).max(100) }),
  z.object({ op: z.literal("files"), files: FilesAnswer }),
  z.object({ op: z.literal("git"), git: GitAnswer }),
  z.object({ op: z.literal("list_conversations"), conversations: z.array(KeptConversation).max(MAX_CONVERSATIONS) }),
  z.object({ op: z.literal("terminal_input") }),
]);
export type NodeAnswer = z.infer<typeof NodeAnswer>;

export const NodeHello = z.object({
  type: z.literal("hello"),
  protocol_version: z.number().int(),
  machine_id: z.string().min(1).max(128),
  state_id: z.string().min(1).max(128),
  boot_id: z.string().min(1).max(128),
  /** From the last welcome; null only before the first one (T3). */
  nonce: z.string().max(128).nullable(),
  /** A daemon that yielded asks again; it takes the place only if nobody live holds it. */
  after_yield: z.boolean(),
  daemon: z.object({ version: z.string(), pid: z.number().int(), started_at: z.number() }),
  hostname: z.string().max(255),
  platform: z.string().max(64),
  home: z.string().max(MAX_PATH_CHARS),
  agents: z.array(AgentInfo).max(100),
  /** Since version 2. */
  runtimes: RuntimeInfos.default([...ONLY_STANDALONE]),
  inventory: Inventory,
  /** Where it can be called, if its owner wants that; nobody calls before a person has approved it (N7). */
  agentctl_url: z.string().max(MAX_URL_CHARS).nullish(),
});
export type NodeHello = z.infer<typeof NodeHello>;

/** A node's control socket, upward: `GET /api/agentctl/connect`. The heartbeat `ping` is no frame: the platform answers it. */
export const NodeUp = z.discriminatedUnion("type", [
  NodeHello,
  /** One session's entry changed. */
  z.object({
    type: z.literal("inventory.changed"),
    entry: InventoryEntry,
    last_command_seq: z.number().int().nonnegative(),
  }),
  z.object({
    type: z.literal("inventory.gone"),
    session_id: SessionId,
    last_command_seq: z.number().int().nonnegative(),
  }),
  z.object({ type: z.literal("agents.changed"), agents: z.array(AgentInfo).max(100) }),
  /** Since version 2: only said to a control plane that speaks it. */
  z.object({ type: z.literal("runtimes.changed"), runtimes: RuntimeInfos }),
  /** Stored on the node's disk: it need not be sent again. */
  z.object({ type: z.literal("command.received"), command_id: CommandId }),
  /** Carried out (teardown, stop, ensure_host). A launch is never `done`: its spool tells. */
  z.object({ type: z.literal("command.done"), command_id: CommandId }),
  /** Could not be carried out; of a launch: before any permit was used, so the claim is undone. */
  z.object({
    type: z.literal("command.failed"),
    command_id: CommandId,
    session_id: SessionId,
    failure: Failure,
    retry_at: z.number().nullable(),
  }),
  z.object({
    type: z.literal("answer"),
    request_id: z.string(),
    result: z.discriminatedUnion("ok", [
      z.object({ ok: z.literal(true), answer: NodeAnswer }),
      z.object({ ok: z.literal(false), code: z.string(), message: z.string() }),
    ]),
  }),
  /** Its daemon ends on purpose: it will not call until somebody starts it again. Since version 2. */
  z.object({ type: z.literal("goodbye") }),
  ErrorFrame,
]);
export type NodeUp = z.infer<typeof NodeUp>;

export const NodeDown = z.discriminatedUnion("type", [
  z.object({
    type: z.literal("welcome"),
    protocol_version: z.number().int(),
    node_id: NodeId,
    node_name: z.string(),
    conn_id: z.string(),
    /** To be kept on disk and said at the next hello. */
    nonce: z.string(),
    commands: z.array(NumberedCommand),
    wants: z.array(Want),
  }),
  z.object({ type: z.literal("command"), numbered: NumberedCommand }),
  /** The whole set, each time. */
  z.object({ type: z.literal("wants"), wants: z.array(Want) }),
  z.object({ type: z.literal("request"), request_id: z.string(), request: NodeRequest }),
  ErrorFrame,
]);
export type NodeDown = z.infer<typeof NodeDown>;

export const JoinRequest = z.object({
  token: z.string().min(1).max(200),
  machine_id: z.string().min(1).max(128),
  state_id: z.string().min(1).max(128),
  hostname: z.string().min(1).max(255),
  platform: z.string().max(64),
  name: z.string().min(1).max(80).optional(),
  /** Takes the place of this node, whose state folder was lost. */
  replace: NodeId.optional(),
});
export const JoinAnswer = z.object({ node_id: NodeId, name: z.string(), credential: z.string() });
