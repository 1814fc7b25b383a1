import { openDb } from "../db/db.ts";
import { writeNode } from "../db/nodes.ts";
import { sessionsOfNode } from "../db/sessions.ts";
import { type Env, feed } from "../env.ts";
import { callObject, within } from "../objects.ts";
import type { NodeCtx } from "./core/event.ts";
import { evidenceFor } from "./core/inventory.ts";
import { nodeNow, summaryOf } from "./core/report.ts";
import type { NodeState, What } from "./core/state.ts";

/** A session's object that takes longer is told again later. */
const TELL_MS = 10_000;

/**
 * Tell one piece of news to whom it concerns.
 * @returns whether it is delivered: news for a session that isn't this node's concerns nobody.
 */
export async function tellOne(
  env: Env,
  state: NodeState,
  what: What,
  ctx: Pick<NodeCtx, "now" | "limits" | "live">,
): Promise<boolean> {
  const nodeId = state.identity?.node_id;
  if (nodeId === undefined) return true;
  const told = await within(TELL_MS, send(env, nodeId, state, what, ctx));
  return told !== null;
}

async function send(
  env: Env,
  nodeId: string,
  state: NodeState,
  what: What,
  ctx: Pick<NodeCtx, "now" | "limits" | "live">,
): Promise<true> {
  if (what.kind === "row") {
    await tellRow(env, nodeId, state, ctx);
    return true;
  }
  // A session that never pushed may be an orphan of another control plane: its object must not be woken for nothing.
  const known = state.pushes.has(what.session_id) || (await isOurs(env, nodeId, what.session_id));
  if (!known) return true;
  const session = () => env.SESSIONS.getByName(what.session_id);
  switch (what.kind) {
    case "evidence": {
      const evidence = evidenceFor(state, what.session_id);
      if (evidence) await callObject(() => session().nodeEvidence(evidence));
      return true;
    }
    case "presence": {
      const { as_of: _asOf, ...node } = nodeNow(state, ctx);
      await callObject(() => session().nodePresence(node, state.revoked ? "credential_expired" : null));
      return true;
    }
    case "cut": {
      const { as_of: _asOf, ...node } = nodeNow(state, ctx);
      // Whoever has a credential may come back at once; the old machine has none any more.
      await callObject(() => session().nodePresence(node, "stale"));
      return true;
    }
    case "command_failed":
      await callObject(() => session().commandFailed(what.command_id, what.failure, what.retry_at));
      return true;
  }
}

async function isOurs(env: Env, nodeId: string, sessionId: string): Promise<boolean> {
  return (await sessionsOfNode(openDb(env.DB), nodeId, [sessionId])).has(sessionId);
}

async function tellRow(
  env: Env,
  nodeId: string,
  state: NodeState,
  ctx: Pick<NodeCtx, "now" | "limits" | "live">,
): Promise<void> {
  const self = summaryOf(state, ctx);
  await writeNode(openDb(env.DB), nodeId, {
    // Before the first hello, the row's own words from the join stand.
    ...(self.boot_id === null ? {} : { hostname: self.hostname, platform: self.platform, home: self.home }),
    presence: self.presence,
    presence_since: self.since,
    presence_reason: self.reason,
    daemon_version: self.daemon_version,
    boot_id: self.boot_id,
    agents: self.agents,
    runtimes: self.runtimes,
    as_of: self.as_of,
  });
  await feed(env).changed([{ type: "node.changed", node_id: nodeId }]);
}
