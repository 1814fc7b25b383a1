import { MAX_MESSAGE_CHARS, ResumeId } from "@reprise/protocol";
import { z } from "zod";

/** As a person may give one, too: it will stand on a command line. */
export const ConversationId = ResumeId;

/** Words of the agent for people, as much as an event holds. */
export const AgentsWords = z.string().transform((text) => text.slice(0, MAX_MESSAGE_CHARS));

/** Why it ends, in its own word. */
export const EndReason = z.string().transform((text) => text.slice(0, 100));
