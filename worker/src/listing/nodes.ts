import type { NodeSummary } from "@reprise/protocol";
import { nodeRows, summaryOfRow } from "../db/nodes.ts";
import { callObject, within } from "../objects.ts";
import type { ListingContext } from "./listing.ts";

/** The machines that are joined, each by its own object's word; where that is late, as last known (T3). */
export async function listNodes(ctx: ListingContext): Promise<NodeSummary[]> {
  const rows = (await nodeRows(ctx.db)).filter((row) => row.revoked_at === null);
  return Promise.all(
    rows.map(async (row) => {
      const stored = summaryOfRow(row);
      try {
        const call = callObject(() => ctx.env.NODES.getByName(row.id).summary());
        const told = await within(ctx.limits.report_ms, call);
        if (told) {
          const { boot_id: _boot, waiting_commands: _waiting, ...summary } = told;
          // Before its first hello only the join's words are known.
          return { ...summary, name: row.name, hostname: summary.hostname || row.hostname };
        }
      } catch (error) {
        console.error("node didn't answer", { node_id: row.id, error: String(error) });
      }
      if (stored.presence === "offline") return stored;
      return { ...stored, presence: "reconnecting" as const, reason: "Asking about this machine takes too long." };
    }),
  );
}
