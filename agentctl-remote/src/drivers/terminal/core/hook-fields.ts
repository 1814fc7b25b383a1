import { MAX_MESSAGE_CHARS } from "@reprise/protocol";
import { z } from "zod";

/** As long as a token may be. */
export const ConversationId = z.string().min(1).max(500);

/** Words of the agent for people, as much as an event holds. */
export const AgentsWords = z.string().transform((text) => text.slice(0, MAX_MESSAGE_CHARS));

/** Why it ends, in its own word. */
export const EndReason = z.string().transform((text) => text.slice(0, 100));
