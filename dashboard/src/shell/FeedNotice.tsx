import { useFeedLink } from "../data/feed.ts";
import { BEHIND_AFTER_MS } from "../data/limits.ts";
import { useNow } from "../lib/clock.ts";
import { clockTime } from "../lib/time.ts";
import { Spinner } from "../ui/Spinner.tsx";

/** Says that the lists may be behind, and since when. */
export function FeedNotice() {
  const now = useNow();
  const connection = useFeedLink((state) => state.connection);
  if (connection.kind === "live" || (connection.kind === "behind" && now - connection.since < BEHIND_AFTER_MS))
    return null;
  return (
    <p role="status" className="flex items-center gap-2 px-2 py-1 text-xs text-amber">
      {connection.kind === "behind" ? <Spinner size={13} /> : null}
      <span>
        Behind since {clockTime(connection.since, now)}
        {connection.kind === "behind" ? ", reconnecting" : `. ${connection.refusal.message}`}
      </span>
    </p>
  );
}
