import type {
  AgentCapabilities,
  AgentInfo,
  AutoResume,
  Driver,
  NodeKind,
  Presence,
  PromptTransport,
  Runtime,
  RuntimeInfo,
} from "@reprise/protocol";
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";

export const agentProfiles = sqliteTable("agent_profiles", {
  id: text().primaryKey(),
  name: text().notNull(),
  agent_kind: text().notNull(),
  agent_name: text().notNull(),
  driver: text().$type<Driver>().notNull(),
  command: text().notNull(),
  args: text({ mode: "json" }).$type<string[]>().notNull(),
  env: text({ mode: "json" }).$type<Record<string, string>>().notNull(),
  resume_args: text({ mode: "json" }).$type<string[]>(),
  prompt_transport: text().$type<PromptTransport>(),
  prompt_args: text({ mode: "json" }).$type<string[]>(),
  mode: text(),
  model: text(),
  turn_limit_s: integer(),
  auto_resume: text().$type<AutoResume>().notNull(),
  built_in: integer({ mode: "boolean" }).notNull(),
  created_at: integer().notNull(),
  updated_at: integer().notNull(),
  /** A built-in profile that a person deleted isn't seeded again. */
  deleted_at: integer(),
  /** Of a built-in one: the command line that the catalog gave it. While it holds that, a newer default takes its place. */
  default_line: text(),
});

/** What a profile's agent said of itself at its last start on a node (R1). */
export const profileCapabilities = sqliteTable(
  "profile_capabilities",
  {
    profile_id: text().notNull(),
    node_id: text().notNull(),
    runtime: text().$type<Runtime>().notNull(),
    capabilities: text({ mode: "json" }).$type<AgentCapabilities>().notNull(),
    since: integer().notNull(),
  },
  (t) => [primaryKey({ columns: [t.profile_id, t.node_id, t.runtime] })],
);

/** That a node exists, and what its NodeObject last told of it. */
export const nodes = sqliteTable(
  "nodes",
  {
    id: text().primaryKey(),
    name: text().notNull(),
    kind: text().$type<NodeKind>().notNull(),
    machine_id: text().notNull(),
    state_id: text().notNull(),
    hostname: text().notNull(),
    platform: text().notNull(),
    home: text().notNull(),
    presence: text().$type<Presence>().notNull(),
    presence_since: integer().notNull(),
    presence_reason: text(),
    daemon_version: text(),
    boot_id: text(),
    agents: text({ mode: "json" }).$type<AgentInfo[]>().notNull(),
    /** null: it never said, so it has but one. */
    runtimes: text({ mode: "json" }).$type<RuntimeInfo[]>(),
    as_of: integer().notNull(),
    created_at: integer().notNull(),
    revoked_at: integer(),
  },
  (t) => [index("nodes_machine").on(t.machine_id)],
);

export const people = sqliteTable("people", {
  id: text().primaryKey(),
  name: text().notNull(),
  /** Of Cloudflare Access; null: the owner, who came by a sign-in link. */
  email: text().unique(),
  created_at: integer().notNull(),
});

const secret = { id: text().primaryKey(), secret_hash: text().notNull(), created_at: integer().notNull() };

/** Browsers that are signed in. */
export const authSessions = sqliteTable(
  "auth_sessions",
  {
    ...secret,
    person_id: text().notNull(),
    last_used_at: integer().notNull(),
    agent: text().notNull(),
  },
  (t) => [uniqueIndex("auth_sessions_hash").on(t.secret_hash)],
);

export const apiTokens = sqliteTable(
  "api_tokens",
  {
    ...secret,
    person_id: text().notNull(),
    name: text().notNull(),
    last_used_at: integer(),
  },
  (t) => [uniqueIndex("api_tokens_hash").on(t.secret_hash)],
);

export const nodeCredentials = sqliteTable("node_credentials", { ...secret, node_id: text().notNull() }, (t) => [
  uniqueIndex("node_credentials_hash").on(t.secret_hash),
  index("node_credentials_node").on(t.node_id),
]);

export const joinTokens = sqliteTable(
  "join_tokens",
  {
    ...secret,
    kind: text().$type<NodeKind>().notNull(),
    expires_at: integer().notNull(),
    used_at: integer(),
  },
  (t) => [uniqueIndex("join_tokens_hash").on(t.secret_hash)],
);

export const signInLinks = sqliteTable(
  "sign_in_links",
  { ...secret, expires_at: integer().notNull(), used_at: integer() },
  (t) => [uniqueIndex("sign_in_links_hash").on(t.secret_hash)],
);
