import { RepriseError } from "@reprise/protocol";
import { findNode, type NodeRow } from "../db/nodes.ts";
import type { Ctx } from "./context.ts";

/** A machine that is joined: a removed one is unknown. @throws `node_not_found` */
export async function nodeOrThrow(c: Ctx, id: string): Promise<NodeRow> {
  const found = await findNode(c.var.db, id);
  if (!found || found.revoked_at !== null) throw new RepriseError("node_not_found");
  return found;
}
