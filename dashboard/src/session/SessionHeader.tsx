import type { SessionStatus } from "@reprise/protocol";
import {
  Archive,
  ArchiveRestore,
  ChevronLeft,
  CircleCheck,
  GitBranch,
  MessageSquarePlus,
  MoreHorizontal,
  PanelRight,
  Pencil,
  Square,
  Trash2,
} from "lucide-react";
import { useState } from "react";
import { Link, useNavigate } from "react-router";
import { api } from "../data/api.ts";
import { RUNTIME_NAMES } from "../lib/runtimes.ts";
import { usePhone } from "../lib/useMedia.ts";
import { StateBadge } from "../state/StateBadge.tsx";
import { IconButton } from "../ui/IconButton.tsx";
import { Menu, MenuItem, MenuSeparator } from "../ui/Menu.tsx";
import { toast } from "../ui/toast.ts";
import { attempt } from "./actions.ts";
import { DeleteSession } from "./DeleteSession.tsx";
import { RenameDialog } from "./RenameDialog.tsx";

/** What this session is: its title, who works where, and how it stands. */
export function SessionHeader({
  status,
  panelOpen,
  onPanel,
}: {
  readonly status: SessionStatus;
  readonly panelOpen: boolean;
  readonly onPanel: () => void;
}) {
  const phone = usePhone();
  return (
    <header className="flex min-h-12 shrink-0 items-center gap-3 border-b border-line px-4 py-2 max-md:gap-1 max-md:px-2">
      {phone ? (
        <Link
          to="/"
          aria-label="Back to the inbox"
          className="flex size-10 items-center justify-center rounded-sm text-text-2"
        >
          <ChevronLeft size={20} />
        </Link>
      ) : null}
      <div className="min-w-0 flex-1">
        <h1 className="truncate text-base leading-5 font-semibold">{status.title}</h1>
        <p className="mt-0.5 flex min-w-0 items-center gap-1.5 text-xs text-text-3">
          {phone ? (
            <StateBadge status={status} />
          ) : (
            <>
              <span className="shrink-0">{status.agent_name}</span>
              <span aria-hidden>·</span>
              <span className="shrink-0">
                {status.node.name}
                {status.runtime === "docker" ? `, in ${RUNTIME_NAMES.docker}` : ""}
              </span>
              <span aria-hidden>·</span>
              {status.worktree_branch === null ? (
                <span className="truncate font-mono text-[11.5px]">{status.workspace_path}</span>
              ) : (
                <span className="flex min-w-0 items-center gap-1">
                  <GitBranch size={12} className="shrink-0" />
                  <span className="truncate font-mono text-[11.5px]">{status.worktree_branch}</span>
                </span>
              )}
            </>
          )}
        </p>
      </div>
      {phone ? null : <StateBadge status={status} />}
      <SessionMenu status={status} />
      {phone ? null : (
        <IconButton
          label={panelOpen ? "Hide the workspace" : "Show the workspace"}
          keys="mod ."
          aria-pressed={panelOpen}
          onClick={onPanel}
        >
          <PanelRight size={17} />
        </IconButton>
      )}
    </header>
  );
}

function isOver(status: SessionStatus): boolean {
  return status.state === "CANCELLED" || status.state === "COMPLETED";
}

function SessionMenu({ status }: { readonly status: SessionStatus }) {
  const id = status.session_id;
  const navigate = useNavigate();
  const [dialog, setDialog] = useState<"rename" | "delete" | null>(null);
  const stop = () =>
    void attempt(() => api.sessions.stop(id)).then(
      (done) => done && toast(`${status.agent_name} is being stopped. You can resume it.`),
    );
  const archive = (on: boolean) =>
    void attempt(() => api.sessions.archive(id, on)).then((done) => {
      if (done && on) toast("Archived.", { action: { label: "Undo", run: () => archive(false) } });
    });
  return (
    <>
      <Menu
        label="Session"
        trigger={
          <IconButton plain label="Session actions">
            <MoreHorizontal size={17} />
          </IconButton>
        }
      >
        <MenuItem icon={<Pencil size={14} />} onSelect={() => setDialog("rename")}>
          Rename
        </MenuItem>
        <MenuItem icon={<MessageSquarePlus size={14} />} onSelect={() => void navigate(`/new?from=${id}`)}>
          New session here
        </MenuItem>
        <MenuSeparator />
        <MenuItem icon={<Square size={14} />} disabled={isOver(status)} onSelect={stop}>
          Stop
        </MenuItem>
        <MenuItem
          icon={<CircleCheck size={14} />}
          disabled={isOver(status)}
          onSelect={() => void attempt(() => api.sessions.complete(id))}
        >
          Mark done
        </MenuItem>
        {status.archived_at === null ? (
          <MenuItem icon={<Archive size={14} />} onSelect={() => archive(true)}>
            Archive
          </MenuItem>
        ) : (
          <MenuItem icon={<ArchiveRestore size={14} />} onSelect={() => archive(false)}>
            Take out of the archive
          </MenuItem>
        )}
        <MenuSeparator />
        <MenuItem icon={<Trash2 size={14} />} danger onSelect={() => setDialog("delete")}>
          Delete…
        </MenuItem>
      </Menu>
      {dialog === "rename" ? <RenameDialog status={status} onClose={() => setDialog(null)} /> : null}
      {dialog === "delete" ? <DeleteSession status={status} onClose={() => setDialog(null)} /> : null}
    </>
  );
}
