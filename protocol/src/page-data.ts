import { z } from "zod";
import { AgentProfile } from "./agents/profile.ts";
import { Me } from "./api/account.ts";
import { NodeSummary } from "./api/nodes.ts";
import { EventsPage } from "./api/sessions.ts";
import { Task } from "./api/tasks.ts";
import { SessionStatus } from "./status/status.ts";

/**
 * What a page's HTML carries (`<script type="application/json" id="reprise-data">`), so that the first paint is the
 * truth and the socket only continues it. Null: not signed in.
 */
export const PageData = z.object({
  me: Me.nullable(),
  sessions: z.array(SessionStatus),
  nodes: z.array(NodeSummary),
  tasks: z.array(Task),
  profiles: z.array(AgentProfile),
  /** On a session's page: its newest rows, to go on from `events.cursor`. */
  session: z.object({ session_id: z.string(), status: SessionStatus, events: EventsPage }).nullable(),
  as_of: z.number(),
});
export type PageData = z.infer<typeof PageData>;
export const PAGE_DATA_ID = "reprise-data";
