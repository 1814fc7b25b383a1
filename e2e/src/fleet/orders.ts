import { z } from "zod";

/** From the test to a process that plays machines. Each order is answered, under its number. */
export const Order = z.discriminatedUnion("type", [
  /** Join where it hasn't yet (`token`), then run the daemons. */
  z.object({
    type: z.literal("start"),
    url: z.string(),
    machines: z.array(z.object({ name: z.string(), dir: z.string(), token: z.string().nullable() })),
  }),
  /** What is true there now: the machines' spools and process tables. */
  z.object({ type: z.literal("truth") }),
  /** The open turns of these sessions (null: all) say their last word. */
  z.object({ type: z.literal("finish"), sessions: z.array(z.string()).nullable() }),
  /** kill -9 to these sessions' agents. */
  z.object({ type: z.literal("kill_agents"), sessions: z.array(z.string()) }),
]);
export type Order = z.infer<typeof Order>;

export const Numbered = z.object({ n: z.number(), order: Order });

const State = z.enum(["NONE", "STARTING", "RUNNING", "WAITING_FOR_INPUT", "COMPLETED", "CANCELLED", "ERROR"]);

/** One session as its own machine knows it. */
export const TrueSession = z.object({
  session_id: z.string(),
  machine: z.string(),
  host_alive: z.boolean(),
  /** The agent's pid in the machine's process table, if it lives. */
  agent_pid: z.number().nullable(),
  /** Everything that its spool ever told, as states: the last is the present one. */
  timeline: z.array(z.object({ at: z.number(), state: State, end_reason: z.string().nullable() })),
  pending_approvals: z.number(),
  /** What its agent has said, by item: whole, once. */
  said: z.record(z.string(), z.string()),
});
export type TrueSession = z.infer<typeof TrueSession>;

/** One start of an agent, as the machine saw it. */
export const AgentStart = z.object({
  machine: z.string(),
  session_id: z.string(),
  automatic: z.boolean(),
  /** Its launch was handed to its host: the start has its slot from then on (X5). */
  began_at: z.number(),
  /** Ready, failed or dead; null while it goes on. */
  over_at: z.number().nullable(),
});
export type AgentStart = z.infer<typeof AgentStart>;

export const Truth = z.object({
  sessions: z.array(TrueSession),
  starts: z.array(AgentStart),
  /** When each control link was to dial, as its daemon said. */
  dials: z.array(z.number()),
  /** When each was welcomed. */
  connects: z.array(z.object({ machine: z.string(), at: z.number() })),
  node_ids: z.record(z.string(), z.string()),
});
export type Truth = z.infer<typeof Truth>;

export const Answer = z.object({ n: z.number(), error: z.string().nullable(), truth: Truth.nullable() });
export type Answer = z.infer<typeof Answer>;
