/** Limits of starting, stopping and deploying. Each with its reason. */

/** The person's own port of choice when none is given: wrangler's, so that nothing has to be learnt. */
export const DEFAULT_PORT = 8787;
/** workerd listens after about a second; a machine under load takes several. */
export const CONTROL_PLANE_READY_MS = 60_000;
/** A daemon that starts looks for agents and adopts hosts before it says hello. */
export const NODE_ONLINE_MS = 30_000;
/** `agentctl join`: one request. */
export const JOIN_MS = 20_000;
/** Between two looks at something that is about to change. */
export const LOOK_MS = 50;
/** A process that was told to end in order; workerd closes its databases, the daemon its sockets. */
export const END_MS = 5_000;
/** A host ends its agent's group first, which may take its own grace. */
export const HOST_END_MS = 15_000;
/** Lines of a log that are shown when its process ended by itself. */
export const LAST_LINES = 20;
/** A log that is larger is moved aside at the next start: one older one is kept. */
export const MAX_LOG_BYTES = 5 * 1024 * 1024;
