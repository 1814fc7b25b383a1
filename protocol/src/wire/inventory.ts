import { z } from "zod";
import { Failure } from "../errors.ts";
import { ExecutionId, SessionId, SpoolId, TurnId } from "../ids.ts";
import { MAX_INVENTORY } from "../limits.ts";
import { ExecutorStatus, Runtime } from "../states.ts";

/** What a node says of one session. Evidence as of (`spool_id`, `last_seq`): older than what is known, it is ignored (T6). */
export const InventoryEntry = z.object({
  session_id: SessionId,
  runtime: Runtime,
  spool: z.object({ spool_id: SpoolId, last_seq: z.number().int().nonnegative() }).nullable(),
  host: z.object({
    /** `unknown`: it is there but does not answer: never dead (T3). `none`: not running, started on demand. */
    state: z.enum(["alive", "dead", "unknown", "none"]),
    pid: z.number().int().nullable(),
    container_id: z.string().nullable(),
  }),
  executor: z.object({
    status: ExecutorStatus,
    failure: Failure.nullable(),
    retry_at: z.number().nullable(),
  }),
  /** The execution that the spool has open, or had last. */
  execution: z
    .object({
      execution_id: ExecutionId,
      state: z.enum(["alive", "dead", "unknown"]),
      pid: z.number().int().nullable(),
      open_turn: TurnId.nullable(),
      token: z.string().nullable(),
    })
    .nullable(),
  workspace: z.object({ path: z.string(), exists: z.boolean() }),
});
export type InventoryEntry = z.infer<typeof InventoryEntry>;

export const Inventory = z.object({
  /** Every place a host could be was looked at and answered: only then is absence evidence (T3). */
  complete: z.boolean(),
  /** The newest command that this scan has seen the effect of. */
  last_command_seq: z.number().int().nonnegative(),
  entries: z.array(InventoryEntry).max(MAX_INVENTORY),
});
export type Inventory = z.infer<typeof Inventory>;
