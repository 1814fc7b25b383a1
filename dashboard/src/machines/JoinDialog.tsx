import { useQuery } from "@tanstack/react-query";
import { CircleCheck } from "lucide-react";
import { useState } from "react";
import { useNavigate } from "react-router";
import { api, sentence } from "../data/api.ts";
import { useNodes } from "../data/queries.ts";
import { useNow } from "../lib/clock.ts";
import { span } from "../lib/time.ts";
import { Button } from "../ui/Button.tsx";
import { CopyButton } from "../ui/CopyButton.tsx";
import { Dialog, DialogActions } from "../ui/Dialog.tsx";
import { Skeleton } from "../ui/Skeleton.tsx";
import { Spinner } from "../ui/Spinner.tsx";
import { isInstalled } from "./install.ts";

const LOOPBACK: ReadonlySet<string> = new Set(["127.0.0.1", "localhost", "[::1]"]);

/** One command to copy; then it waits for the machine, and greets it. */
export function JoinDialog({ onClose }: { readonly onClose: () => void }) {
  const navigate = useNavigate();
  const now = useNow();
  const nodes = useNodes().data;
  // Those that were there before; whoever comes in addition is the one that was waited for.
  const [known, setKnown] = useState<ReadonlySet<string> | null>(null);
  if (known === null && nodes !== undefined) setKnown(new Set(nodes.map((node) => node.id)));
  const token = useQuery({
    queryKey: ["join-token"],
    queryFn: () => api.joinTokens.create(),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });
  const joined = known === null ? undefined : nodes?.find((node) => !known.has(node.id));
  const expired = token.data !== undefined && token.data.expires_at <= now;

  if (joined !== undefined) {
    const agents = joined.agents.filter(isInstalled).map((agent) => agent.agent_name);
    return (
      <Dialog open onClose={onClose} title={`${joined.name} has joined`}>
        <div role="status" className="flex items-start gap-3 px-5 pt-3 text-sm">
          <CircleCheck size={20} className="mt-0.5 shrink-0 text-green" />
          <div>
            <p>{joined.presence === "online" ? "It is online and ready to work." : "It will be online in a moment."}</p>
            <p className="mt-1 text-text-3">
              {agents.length === 0 ? "It is looking for agents now." : `It has ${agents.join(", ")}.`}
            </p>
          </div>
        </div>
        <DialogActions>
          <Button onClick={onClose}>Done</Button>
          <Button variant="primary" data-autofocus onClick={() => void navigate("/new")}>
            New session
          </Button>
        </DialogActions>
      </Dialog>
    );
  }
  return (
    <Dialog
      open
      onClose={onClose}
      title="Join a machine"
      description="Run this on the machine. It needs Node 24 or newer; it dials out, so no port has to be open."
      className="w-[min(600px,calc(100vw-32px))]"
    >
      <div className="flex flex-col gap-4 px-5 pt-4 pb-5">
        {token.error === null ? null : <p className="text-sm text-red">{sentence(token.error)}</p>}
        {token.data === undefined ? (
          token.error === null ? (
            <Skeleton className="h-16 w-full" />
          ) : null
        ) : (
          <div className="flex items-start gap-2 rounded-md border border-line bg-sunken py-2.5 pr-2 pl-3.5">
            <code
              className={
                expired
                  ? "min-w-0 flex-1 text-[12.5px] leading-5 wrap-anywhere line-through opacity-50"
                  : "min-w-0 flex-1 text-[12.5px] leading-5 wrap-anywhere"
              }
            >
              {token.data.command}
            </code>
            {expired ? null : <CopyButton text={token.data.command} label="Copy the command" />}
          </div>
        )}
        {LOOPBACK.has(location.hostname) ? (
          <p className="text-sm text-amber">
            This Reprise answers only on this computer. Put it on your own account (<code>npm run deploy</code>), or
            lend another machine the port first:{" "}
            <code>
              ssh -R {location.port}:127.0.0.1:{location.port} machine
            </code>
            .
          </p>
        ) : null}
        <div className="flex min-h-8 items-center gap-2 text-sm text-text-3">
          {expired ? (
            <>
              <span className="flex-1 text-amber">This command is too old now. It works for a short time only.</span>
              <Button size="sm" onClick={() => void token.refetch()}>
                Make a new one
              </Button>
            </>
          ) : token.data === undefined ? null : (
            <>
              <Spinner size={15} label="Waiting" />
              <span className="flex-1">Waiting for the machine to call…</span>
              <span className="tabular text-xs">works once, for {span(token.data.expires_at - now)} more</span>
            </>
          )}
        </div>
      </div>
    </Dialog>
  );
}
