import type { FeedRpc, NodeRpc } from "./node/rpc.ts";
import type { SessionRpc } from "./session/rpc.ts";

/**
 * A namespace as the Worker uses it. Cloudflare's own type loses every result that holds an `unknown`, so the contract
 * is named here instead.
 */
export interface ObjectNamespace<Methods> {
  getByName(name: string): Methods & { fetch(request: Request): Promise<Response> };
}

/** The Worker's bindings and variables (wrangler.toml; secrets by `.dev.vars` or `wrangler secret`). */
export interface Env {
  DB: D1Database;
  SESSIONS: ObjectNamespace<SessionRpc>;
  NODES: ObjectNamespace<NodeRpc>;
  FEED: ObjectNamespace<FeedRpc>;
  ASSETS: { fetch(request: Request | URL): Promise<Response> };
  VERSION?: { id: string; tag: string };
  SETUP_SECRET?: string;
  PUBLIC_ORIGIN?: string;
  ALLOWED_HOSTS?: string;
  ACCESS_TEAM?: string;
  ACCESS_AUD?: string;
  /** `allowed`: machines' addresses may be of this computer and its networks; for a control plane that runs on one (N7). */
  PRIVATE_ADDRESSES?: string;
  LIMITS?: string;
}

/** The one FeedObject. */
export function feed(env: Env): FeedRpc & { fetch(request: Request): Promise<Response> } {
  return env.FEED.getByName("main");
}
