import type { SessionStatus } from "@reprise/protocol";
import { useState } from "react";
import { Link } from "react-router";
import { api } from "../data/api.ts";
import { useSessions } from "../data/queries.ts";
import { useNow } from "../lib/clock.ts";
import { span } from "../lib/time.ts";
import { attempt } from "../session/actions.ts";
import { Button } from "../ui/Button.tsx";

/** Sessions of this machine that recovery will try again: when, how often already, and a person's two words on it (X5). */
export function Attempts({ nodeId }: { readonly nodeId: string }) {
  const due = (useSessions().data ?? []).filter((s) => s.node.id === nodeId && s.retry_at !== null);
  if (due.length === 0) return null;
  return (
    <ul aria-label="What is tried again" className="border-t border-line">
      {due.map((s) => (
        <Attempt key={s.session_id} status={s} />
      ))}
    </ul>
  );
}

function Attempt({ status }: { readonly status: SessionStatus }) {
  const now = useNow();
  const [busy, setBusy] = useState<"try_now" | "cancel" | null>(null);
  const act = async (action: "try_now" | "cancel") => {
    setBusy(action);
    await attempt(() => api.sessions.recovery(status.session_id, action));
    setBusy(null);
  };
  const at = status.retry_at ?? now;
  const tries = status.attempt > 0 ? ` (${status.attempt} of ${status.max_attempts})` : "";
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-1 px-4 py-1.5 text-sm">
      <Link
        to={`/sessions/${status.session_id}`}
        className="max-w-60 truncate font-medium hover:underline max-md:max-w-full max-md:basis-full"
      >
        {status.title}
      </Link>
      <span className="min-w-0 flex-1 basis-60 text-text-3">
        <span className="tabular">
          {at <= now ? "Trying now" : `Next try in ${span(at - now + 999)}`}
          {tries}.
        </span>{" "}
        {status.error_message}
      </span>
      <Button size="sm" busy={busy === "try_now"} disabled={busy === "cancel"} onClick={() => void act("try_now")}>
        Try now
      </Button>
      <Button
        size="sm"
        variant="ghost"
        busy={busy === "cancel"}
        disabled={busy === "try_now"}
        onClick={() => void act("cancel")}
      >
        Cancel
      </Button>
    </li>
  );
}
