/** Limits of starting, stopping and deploying. Each with its reason. */

/** The person's own port of choice when none is given: wrangler's, so that nothing has to be learnt. */
export const DEFAULT_PORT = 8787;
/** After the usual port; then any that the system has. */
export const PORTS_TRIED = 20;
/** Vite's own, so that its documentation holds. */
export const DASHBOARD_DEV_PORT = 5173;
/** workerd listens after about a second; a machine under load takes several. */
export const CONTROL_PLANE_READY_MS = 60_000;
/** A daemon that starts looks for agents and adopts hosts before it says hello. */
export const NODE_ONLINE_MS = 30_000;
/** One `agentctl` command: `join` is one request, `stop-hosts` gives each agent its grace. */
export const AGENTCTL_MS = 60_000;
/** Between two looks at something that is about to change. */
export const LOOK_MS = 50;
/** A process that was told to end in order; workerd closes its databases, the daemon its sockets. */
export const END_MS = 5_000;
/** A start ends its daemon and its control plane, each with its own grace. */
export const START_END_MS = 15_000;
/** Lines of a log that are shown when its process ended by itself. */
export const LAST_LINES = 20;
/** A log that is larger is moved aside at the next start: one older one is kept. */
export const MAX_LOG_BYTES = 5 * 1024 * 1024;
/** A new address of Cloudflare's is known everywhere after seconds, its certificate sometimes after minutes. */
export const DEPLOYED_READY_MS = 5 * 60_000;
/** Between two looks at it: they go over the internet. */
export const DEPLOYED_LOOK_MS = 2_000;
