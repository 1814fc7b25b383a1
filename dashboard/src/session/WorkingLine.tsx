import type { SessionStatus } from "@reprise/protocol";
import type { Block } from "../conversation/blocks.ts";
import { useNow } from "../lib/clock.ts";
import { took } from "../lib/time.ts";
import { StateShape } from "../state/StateBadge.tsx";

/** At the conversation's end while a turn runs and nothing else there moves. */
export function WorkingLine({ status, last }: { readonly status: SessionStatus; readonly last: Block | undefined }) {
  const now = useNow();
  const running = status.state === "RUNNING" && status.pending_approvals === 0 && status.turn !== null;
  if (!running || status.turn === null || isMoving(last)) return null;
  const silent = status.node.presence !== "online";
  return (
    <p className="flex min-h-7.5 items-center gap-2 text-sm text-text-3">
      <StateShape kind="working" tone="accent" faded={silent} />
      {silent ? "Last known: working" : "Working"}
      {silent ? null : <span className="tabular text-xs">{took(Math.max(0, now - status.turn.started_at))}</span>}
    </p>
  );
}

function isMoving(block: Block | undefined): boolean {
  if (block === undefined) return false;
  if (block.type === "tool") return block.item.status === "open";
  return block.type === "text" && block.item.status === "open";
}
