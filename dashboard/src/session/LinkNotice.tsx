import type { Connection } from "@reprise/sdk";
import { WifiOff } from "lucide-react";
import { BEHIND_AFTER_MS } from "../data/limits.ts";
import { useNow } from "../lib/clock.ts";
import { clockTime } from "../lib/time.ts";
import { Spinner } from "../ui/Spinner.tsx";

/** Says since when a page may be behind: one that looks live and is not would lie. */
export function LinkNotice({ connection }: { readonly connection: Connection }) {
  const now = useNow();
  if (connection.kind === "live") return null;
  if (connection.kind === "refused") {
    return (
      <p role="status" data-testid="link" className="flex items-center gap-2 text-xs text-amber">
        <WifiOff size={14} /> Behind since {clockTime(connection.since, now)}. {connection.refusal.message}
      </p>
    );
  }
  if (now - connection.since < BEHIND_AFTER_MS) return null;
  return (
    <p role="status" data-testid="link" className="flex items-center gap-2 text-xs text-amber">
      <Spinner size={13} /> Behind since {clockTime(connection.since, now)}, reconnecting
    </p>
  );
}
