import { z } from "zod";
import { MAX_MESSAGE_CHARS } from "../limits.ts";
import { Runtime } from "../states.ts";

/** What a machine's owner allows sessions to run in, and whether it can be had now (S4, T4). */
export const RuntimeInfo = z.object({
  runtime: Runtime,
  status: z.enum(["ready", "unavailable"]),
  /** Why it is unavailable, in words. */
  reason: z.string().max(MAX_MESSAGE_CHARS).nullable(),
});
export type RuntimeInfo = z.infer<typeof RuntimeInfo>;

/** Of a node that says nothing of it: one of version 1. */
export const ONLY_STANDALONE: readonly RuntimeInfo[] = [{ runtime: "standalone", status: "ready", reason: null }];

export const RuntimeInfos = z.array(RuntimeInfo).max(10);
