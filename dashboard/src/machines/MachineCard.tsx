import type { NodeSummary } from "@reprise/protocol";
import { ChevronRight, Laptop, MoreHorizontal, Pencil, RefreshCw, Server, Trash2 } from "lucide-react";
import { useState } from "react";
import { Link } from "react-router";
import { api } from "../data/api.ts";
import { keys, queryClient } from "../data/queries.ts";
import { useNow } from "../lib/clock.ts";
import { cx } from "../lib/cx.ts";
import { clockTime, fullTime, span } from "../lib/time.ts";
import { attempt } from "../session/actions.ts";
import { PresenceDot } from "../state/PresenceDot.tsx";
import { buttonClass } from "../ui/Button.tsx";
import { Confirm } from "../ui/Confirm.tsx";
import { IconButton } from "../ui/IconButton.tsx";
import { Menu, MenuItem, MenuSeparator } from "../ui/Menu.tsx";
import { toast } from "../ui/toast.ts";
import { Attempts } from "./Attempts.tsx";
import { Executions } from "./Executions.tsx";
import { isInstalled } from "./install.ts";
import { MachineAgents } from "./MachineAgents.tsx";
import { Notices } from "./Notices.tsx";
import { RenameMachine } from "./RenameMachine.tsx";
import { Runtimes } from "./Runtimes.tsx";

/** One machine, in full. */
export function MachineCard({ node }: { readonly node: NodeSummary }) {
  const [open, setOpen] = useState(false);
  const Icon = node.kind === "local" ? Laptop : Server;
  return (
    <li id={node.id} className="scroll-mt-6 rounded-lg border border-line bg-surface shadow-sm">
      <header className="flex items-start gap-3 px-4 pt-4 pb-3">
        <span className="flex size-9 shrink-0 items-center justify-center rounded-md border border-line bg-sunken text-text-2">
          <Icon size={18} />
        </span>
        <div className="min-w-0 flex-1">
          <h2 className="flex items-center gap-2 text-base font-semibold">
            <span className="truncate">{node.name}</span>
            {node.kind === "local" ? (
              <span className="rounded-full bg-active px-2 text-[11px] leading-4.5 font-medium text-text-2">
                this computer
              </span>
            ) : null}
          </h2>
          <PresenceLine node={node} />
        </div>
        {node.presence === "online" ? (
          <Link to="/new" className={cx(buttonClass("secondary", "sm"), "max-md:hidden")}>
            New session
          </Link>
        ) : null}
        <MachineMenu node={node} />
      </header>
      <Notices node={node} />
      <Attempts nodeId={node.id} />
      <Runtimes node={node} />
      <MachineAgents node={node} />
      <button
        type="button"
        aria-expanded={open}
        onClick={() => setOpen(!open)}
        className={cx(
          "flex h-10 w-full items-center gap-2 border-t border-line px-4 text-sm text-text-3 -outline-offset-2 hover:bg-hover hover:text-text",
          !open && "rounded-b-lg",
        )}
      >
        <ChevronRight size={14} className={cx("transition-transform duration-100", open && "rotate-90")} />
        Executions and details
      </button>
      {open ? <Executions node={node} /> : null}
    </li>
  );
}

function PresenceLine({ node }: { readonly node: NodeSummary }) {
  const now = useNow();
  return (
    <p className="mt-0.5 flex flex-wrap items-center gap-x-3 text-sm text-text-3">
      <span className="flex items-center gap-1.5">
        <PresenceDot presence={node.presence} />
        <span
          className={cx(
            node.presence === "online" ? "text-green" : node.presence === "reconnecting" ? "text-amber" : "text-text-2",
          )}
        >
          {node.presence === "online" ? "Online" : node.presence === "reconnecting" ? "Reconnecting" : "Offline"}
        </span>
        <span className="tabular" title={fullTime(node.since)}>
          {node.presence === "offline" ? `since ${clockTime(node.since, now)}` : `for ${span(now - node.since)}`}
        </span>
      </span>
      {node.reason === null ? null : <span>{node.reason}</span>}
      {node.transport === "http" ? <span className="text-amber">over HTTP</span> : null}
      <span>{node.platform}</span>
      {node.daemon_version === null ? null : <span>agentctl {node.daemon_version}</span>}
    </p>
  );
}

function MachineMenu({ node }: { readonly node: NodeSummary }) {
  const [dialog, setDialog] = useState<"rename" | "remove" | null>(null);
  const [busy, setBusy] = useState(false);
  const refresh = () => queryClient.invalidateQueries({ queryKey: keys.nodes });
  const rescan = () =>
    void attempt(async () => {
      toast(`Looking for agents on ${node.name}…`);
      const { agents } = await api.nodes.rescan(node.id);
      await refresh();
      const found = agents.filter(isInstalled).length;
      toast(found === 1 ? `Found 1 agent on ${node.name}.` : `Found ${found} agents on ${node.name}.`);
    });
  const remove = async () => {
    setBusy(true);
    const done = await attempt(() => api.nodes.remove(node.id));
    setBusy(false);
    if (!done) return;
    setDialog(null);
    await refresh();
  };
  return (
    <>
      <Menu
        label={node.name}
        trigger={
          <IconButton plain label={`Actions for ${node.name}`} size="sm">
            <MoreHorizontal size={16} />
          </IconButton>
        }
      >
        <MenuItem icon={<Pencil size={14} />} onSelect={() => setDialog("rename")}>
          Rename
        </MenuItem>
        <MenuItem icon={<RefreshCw size={14} />} disabled={node.presence !== "online"} onSelect={rescan}>
          Look for agents again
        </MenuItem>
        <MenuSeparator />
        <MenuItem icon={<Trash2 size={14} />} danger onSelect={() => setDialog("remove")}>
          Remove…
        </MenuItem>
      </Menu>
      {dialog === "rename" ? <RenameMachine node={node} onClose={() => setDialog(null)} /> : null}
      <Confirm
        open={dialog === "remove"}
        title={`Remove ${node.name}?`}
        lost={`Its credential is revoked at once, and it must join again to come back. Its sessions stay listed, but can't be resumed while it is away. Nothing on the machine itself is deleted.`}
        action="Remove machine"
        busy={busy}
        onClose={() => setDialog(null)}
        onConfirm={() => void remove()}
      />
    </>
  );
}
