import {
  AgentInfo,
  CallCode,
  CapabilitiesAnswer,
  Command,
  Failure,
  InventoryEntry,
  ONLY_STANDALONE,
  Presence,
  RuntimeInfos,
  Want,
} from "@reprise/protocol";
import { z } from "zod";

const nullable = z.string().nullable();

/** Fields that are stored as one JSON value each, so that a change writes one row. */
export const FIELDS = {
  identity: z
    .object({
      node_id: z.string(),
      name: z.string(),
      kind: z.enum(["local", "remote"]),
      machine_id: z.string(),
      state_id: z.string(),
      created_at: z.number(),
    })
    .nullable(),
  revoked: z.boolean(),
  /** T3: what the next hello must say; the one before is taken too, in case an answer was lost. */
  nonce: z.object({ current: nullable, previous: nullable }),
  /** The connection that counts. */
  link: z
    .object({
      conn_id: z.string(),
      via: z.enum(["socket", "http"]),
      protocol_version: z.number().int(),
      accepted_at: z.number(),
      /** The last answer that was stored: by the alarm, once a lease (N2). */
      last_answer: z.number(),
      /** Which daemon it is; null in states that were stored before this was kept. */
      process: nullable.default(null),
    })
    .nullable(),
  presence: z.object({
    value: Presence,
    since: z.number(),
    reason: nullable,
    /** Its last sign of life; null in states stored before this was kept. */
    heard_at: z.number().nullable().default(null),
  }),
  about: z.object({
    hostname: z.string(),
    platform: z.string(),
    home: z.string(),
    daemon_version: nullable,
    boot_id: nullable,
    agents: z.array(AgentInfo),
    runtimes: RuntimeInfos.default([...ONLY_STANDALONE]),
  }),
  inventory: z.object({ as_of: z.number(), complete: z.boolean(), last_command_seq: z.number().int() }),
  cloned_at: z.number().nullable(),
  /** It joined with a new state folder and has not said hello from it yet. */
  afresh: z.boolean(),
  /** The host name of the last copy that was refused. */
  cloned_from: nullable,
  /** The holder of the place was asked whether it lives, since another process came with its identity. */
  doubt: z.object({ holder: z.string(), asked_at: z.number(), answered: z.boolean() }).nullable(),
  /** Where the node says that it can be called; nobody calls before its owner approved it (N7). */
  address: z.object({ url: z.string(), approved_at: z.number().nullable() }).nullable(),
  /** Calls since it went away. */
  call: z
    .object({
      attempt: z.number().int(),
      retry_at: z.number().nullable(),
      failure: z.object({ code: CallCode, message: z.string() }).nullable(),
    })
    .nullable(),
  /** What it last said of itself at its address. */
  capabilities: CapabilitiesAnswer.extend({ as_of: z.number() }).nullable(),
  /** Numbers given to commands, and generations to what waits to be told. */
  counters: z.object({ command: z.number().int(), told: z.number().int() }),
  /** By session and reason, until when. */
  wants: z.record(z.string(), z.partialRecord(Want.shape.reasons.element, z.number())),
  /** What others have yet to be told, by what it is about: kept until they took it. */
  outbox: z.record(
    z.string(),
    z.object({
      gen: z.number().int(),
      attempts: z.number().int(),
      due_at: z.number(),
      what: z.discriminatedUnion("kind", [
        z.object({ kind: z.literal("evidence"), session_id: z.string() }),
        z.object({ kind: z.literal("presence"), session_id: z.string() }),
        z.object({
          kind: z.literal("command_failed"),
          session_id: z.string(),
          command_id: z.string(),
          failure: Failure,
          retry_at: z.number().nullable(),
        }),
        /** Its state folder was lost: what the old machine still has open to this session is ended (K2). */
        z.object({ kind: z.literal("cut"), session_id: z.string() }),
        /** This node's row in D1, and the open pages. */
        z.object({ kind: z.literal("row") }),
      ]),
    }),
  ),
} as const;

/** Collections that are stored a row each. */
export const MAPS = {
  entries: InventoryEntry,
  pushes: z.object({
    session_id: z.string(),
    version: z.number().int(),
    settled: z.boolean(),
    spool_id: nullable,
    acked: z.number().int(),
    attached: z.boolean().default(false),
  }),
  /** By command id. Delivered ones are remembered without their content. */
  commands: z.object({ seq: z.number().int(), sent: z.boolean(), command: Command.nullable() }),
  /** Who holds which agent's conversation, by agent kind and token (R2). */
  tokens: z.string(),
} as const;

type FieldValues = { readonly [K in keyof typeof FIELDS]: z.infer<(typeof FIELDS)[K]> };
type MapValues = { readonly [K in keyof typeof MAPS]: ReadonlyMap<string, z.infer<(typeof MAPS)[K]>> };
export type NodeState = FieldValues & MapValues;

export type Outgoing = NodeState["outbox"][string];
export type What = Outgoing["what"];
export type Push = z.infer<typeof MAPS.pushes>;

/** A node's object that was never told who it is. */
export function emptyState(): NodeState {
  return {
    identity: null,
    revoked: false,
    nonce: { current: null, previous: null },
    link: null,
    presence: { value: "offline", since: 0, reason: null, heard_at: null },
    about: {
      hostname: "",
      platform: "",
      home: "",
      daemon_version: null,
      boot_id: null,
      agents: [],
      runtimes: [...ONLY_STANDALONE],
    },
    inventory: { as_of: 0, complete: false, last_command_seq: 0 },
    cloned_at: null,
    afresh: false,
    cloned_from: null,
    doubt: null,
    address: null,
    call: null,
    capabilities: null,
    counters: { command: 0, told: 0 },
    wants: {},
    outbox: {},
    entries: new Map(),
    pushes: new Map(),
    commands: new Map(),
    tokens: new Map(),
  };
}
