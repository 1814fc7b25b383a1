import { z } from "zod";
import { ErrorFrame } from "../errors.ts";

/** `GET /api/feed/ws`: which rows changed; ids and versions, no content. An open page reads them again. */
export const FeedDown = z.discriminatedUnion("type", [
  z.object({ type: z.literal("feed.hello") }),
  z.object({
    type: z.literal("session.changed"),
    session_id: z.string(),
    task_id: z.string(),
    version: z.number().int(),
  }),
  z.object({ type: z.literal("task.changed"), task_id: z.string() }),
  z.object({ type: z.literal("node.changed"), node_id: z.string() }),
  z.object({ type: z.literal("profiles.changed") }),
  ErrorFrame,
]);
export type FeedDown = z.infer<typeof FeedDown>;
