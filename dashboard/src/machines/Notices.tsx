import type { NodeSummary } from "@reprise/protocol";
import { Cable, Copy, PhoneCall } from "lucide-react";
import { type ReactNode, useState } from "react";
import { api } from "../data/api.ts";
import { keys, queryClient } from "../data/queries.ts";
import { useNow } from "../lib/clock.ts";
import { cx } from "../lib/cx.ts";
import { ago, fullTime, span } from "../lib/time.ts";
import { attempt } from "../session/actions.ts";
import { Button } from "../ui/Button.tsx";

/** So long after a copy was refused it is worth a word. */
const COPY_SHOWN_MS = 7 * 24 * 60 * 60_000;

/** What there is to know of a machine beside its presence: how it is reached, who poses as it, and what a person can do. */
export function Notices({ node }: { readonly node: NodeSummary }) {
  return (
    <>
      <RefusedCopy node={node} />
      {node.transport === "http" ? (
        <Notice tone="amber" icon={<Cable size={14} />}>
          It is connected over HTTP: its network breaks WebSockets. All works but terminals, a moment slower. WebSockets
          are tried again all the time.
        </Notice>
      ) : null}
      <Address node={node} />
      <Calls node={node} />
    </>
  );
}

function RefusedCopy({ node }: { readonly node: NodeSummary }) {
  const now = useNow();
  const { refused_copy: copy } = node;
  if (copy === null || now - copy.at > COPY_SHOWN_MS) return null;
  return (
    <Notice tone="red" icon={<Copy size={14} />}>
      A copy of this machine{copy.hostname === null ? "" : <> (it calls itself {copy.hostname})</>} tried to connect{" "}
      <span title={fullTime(copy.at)}>{copiedWhen(copy.at, now)}</span>, and was refused. On the copy: end its daemon,
      move its state folder away, and join it for itself.
    </Notice>
  );
}

function Address({ node }: { readonly node: NodeSummary }) {
  const [busy, setBusy] = useState(false);
  const { address } = node;
  if (address === null) return null;
  const decide = async (approved: boolean) => {
    setBusy(true);
    await attempt(() => api.nodes.approveAddress(node.id, address.url, approved));
    await queryClient.invalidateQueries({ queryKey: keys.nodes });
    setBusy(false);
  };
  return (
    <Notice
      tone={address.approved ? "quiet" : "amber"}
      icon={<PhoneCall size={14} />}
      actions={
        <Button
          size="sm"
          variant={address.approved ? "ghost" : "primary"}
          busy={busy}
          onClick={() => void decide(!address.approved)}
        >
          {address.approved ? "Withdraw" : "Approve"}
        </Button>
      }
    >
      {address.approved ? "When it is away, it is called at " : "It asks to be called, when it is away, at "}
      <code className="wrap-anywhere">{address.url}</code>
      {address.approved ? "." : ". Nobody calls there before you approve it."}
    </Notice>
  );
}

/** The calls at its address while it is away: what came of the last one, and when the next is due. */
function Calls({ node }: { readonly node: NodeSummary }) {
  const now = useNow();
  const [busy, setBusy] = useState(false);
  const { call } = node;
  if (call === null) return null;
  const callNow = async () => {
    setBusy(true);
    await attempt(() => api.nodes.callNow(node.id));
    await queryClient.invalidateQueries({ queryKey: keys.nodes });
    setBusy(false);
  };
  return (
    <Notice
      tone="quiet"
      icon={<PhoneCall size={14} />}
      actions={
        <Button size="sm" busy={busy} onClick={() => void callNow()}>
          Try now
        </Button>
      }
    >
      {call.message ?? "It will be called in a moment."}{" "}
      <span className="tabular">{nextCall(call.retry_at, call.attempt, now)}</span>
    </Notice>
  );
}

function copiedWhen(at: number, now: number): string {
  const when = ago(at, now);
  return when === "now" ? "just now" : when;
}

function nextCall(retryAt: number | null, attempts: number, now: number): string {
  if (retryAt === null) return attempts === 0 ? "" : `Called ${attempts} times; no further call by itself.`;
  return retryAt <= now ? "Calling now." : `Next call in ${span(retryAt - now + 999)} (call ${attempts + 1}).`;
}

const TONES = {
  red: "bg-red-soft text-text",
  amber: "bg-amber-soft text-text",
  quiet: "text-text-2",
} as const;
const ICONS = { red: "text-red", amber: "text-amber", quiet: "text-text-3" } as const;

interface NoticeProps {
  readonly tone: keyof typeof TONES;
  readonly icon: ReactNode;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

function Notice({ tone, icon, actions, children }: NoticeProps) {
  return (
    <div
      className={cx("flex flex-wrap items-center gap-x-3 gap-y-2 border-t border-line px-4 py-2 text-sm", TONES[tone])}
    >
      <div className="flex min-w-0 flex-1 basis-72 gap-2.5">
        <span className={cx("flex h-lh shrink-0 items-center", ICONS[tone])}>{icon}</span>
        <p className="min-w-0 flex-1">{children}</p>
      </div>
      {actions}
    </div>
  );
}
