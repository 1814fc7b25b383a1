import { type JoinAnswer, type JoinRequest, RepriseError } from "@reprise/protocol";
import type { z } from "zod";
import {
  findNode,
  insertNode,
  joinTokenValid,
  type NodeRow,
  newNodeCredential,
  nodeOfMachine,
  spendJoinToken,
  writeNode,
} from "../db/nodes.ts";
import { feed } from "../env.ts";
import { makeId } from "../ids.ts";
import type { Ctx } from "./context.ts";

type Request = z.infer<typeof JoinRequest>;

/**
 * A machine joins by a single-use token: as a new node, or in the place of one whose state folder was lost (T3).
 * @throws `join_token_invalid`; `machine_joined`, with the node whose place it can take.
 */
export async function joinNode(c: Ctx, body: Request): Promise<z.infer<typeof JoinAnswer>> {
  const { db, now } = c.var;
  // Before all else, so that a stranger learns nothing about machines.
  if (!(await joinTokenValid(db, body.token, now))) throw new RepriseError("join_token_invalid");
  const place = await placeFor(c, body);
  const kind = await spendJoinToken(db, body.token, now);
  if (kind === null) throw new RepriseError("join_token_invalid");
  const node = place ?? {
    id: makeId("node"),
    name: body.name ?? body.hostname,
    kind,
    created_at: now,
  };
  const { machine_id, state_id, hostname, platform } = body;
  if (place) await writeNode(db, place.id, { machine_id, state_id, hostname, platform });
  else await insertNode(db, { id: node.id, name: node.name, kind, machine_id, state_id, hostname, platform }, now);
  const object = c.env.NODES.getByName(node.id);
  await object.init({
    node_id: node.id,
    name: node.name,
    kind: node.kind,
    machine_id,
    state_id,
    created_at: node.created_at,
  });
  if (place) await object.replace({ machine_id, state_id });
  const credential = await newNodeCredential(db, node.id, now);
  await feed(c.env).changed([{ type: "node.changed", node_id: node.id }]);
  return { node_id: node.id, name: node.name, credential };
}

async function placeFor(c: Ctx, body: Request): Promise<NodeRow | null> {
  if (body.replace) {
    const place = await findNode(c.var.db, body.replace);
    if (!place || place.revoked_at !== null) throw new RepriseError("node_not_found");
    return place;
  }
  const joined = await nodeOfMachine(c.var.db, body.machine_id);
  if (joined) throw new RepriseError("machine_joined", undefined, { node_id: joined.id, name: joined.name });
  return null;
}

/** What a person pastes into a machine's shell: it fetches agentctl from here, joins and starts the daemon. */
export function joinCommand(origin: string, token: string): string {
  return `curl -fsSL ${origin}/agentctl/join.sh | sh -s -- ${origin} ${token}`;
}
