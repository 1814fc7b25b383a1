import { z } from "zod";
import { MAX_TITLE_CHARS } from "../limits.ts";

/** An agent's own session id. On a command line one that begins with a dash would be a flag of anybody's choice. */
export const ResumeId = z.string().min(1).max(500).regex(/^[^-]/, "not an id: it begins like a flag");

/** A conversation that an agent has kept: what `resume_session_id` takes. */
export const KeptConversation = z.object({
  id: z.string().min(1).max(500),
  title: z.string().max(MAX_TITLE_CHARS).nullable(),
  updated_at: z.number().nullable(),
});
export type KeptConversation = z.infer<typeof KeptConversation>;
