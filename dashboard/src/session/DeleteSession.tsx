import type { SessionStatus } from "@reprise/protocol";
import { useId, useState } from "react";
import { useNavigate } from "react-router";
import { api } from "../data/api.ts";
import { dropSession } from "../data/queries.ts";
import { useBusy } from "../lib/useBusy.ts";
import { Button } from "../ui/Button.tsx";
import { Dialog, DialogActions } from "../ui/Dialog.tsx";

/** Asks before a session is deleted, and says what is lost and what stays. */
export function DeleteSession({ status, onClose }: { readonly status: SessionStatus; readonly onClose: () => void }) {
  const navigate = useNavigate();
  const checkId = useId();
  const [withWorktree, setWithWorktree] = useState(false);
  const { busy, run } = useBusy<"delete">();
  const id = status.session_id;
  const away = status.node.presence !== "online";
  const remove = async () => {
    if (!(await run("delete", () => api.sessions.remove(id, { remove_worktree: withWorktree })))) return;
    onClose();
    dropSession(id);
    await navigate("/");
  };
  return (
    <Dialog
      open
      onClose={onClose}
      title="Delete this session?"
      description={
        <>
          Its conversation and the way back into it are lost for good.
          {status.is_agent_running ? ` ${status.agent_name} is ended first.` : ""}
          {away ? ` ${status.node.name} is away: what is there is removed when it is back.` : ""}
          {withWorktree ? null : (
            <>
              {" "}
              The files in{" "}
              <span className="font-mono text-[0.92em] wrap-anywhere">
                {status.worktree_path ?? status.workspace_path}
              </span>{" "}
              stay.
            </>
          )}
        </>
      }
    >
      {status.worktree_path === null ? null : (
        <label htmlFor={checkId} className="flex items-start gap-2.5 px-5 pt-4 text-sm">
          <input
            id={checkId}
            type="checkbox"
            checked={withWorktree}
            onChange={(event) => setWithWorktree(event.target.checked)}
            className="mt-1 accent-(--color-accent-solid)"
          />
          <span>
            Also remove its worktree, with everything in it that is not committed
            <span className="mt-0.5 block font-mono text-xs text-text-3 wrap-anywhere">{status.worktree_path}</span>
          </span>
        </label>
      )}
      <DialogActions>
        <Button data-autofocus onClick={onClose}>
          Keep it
        </Button>
        <Button variant="danger" busy={busy === "delete"} onClick={() => void remove()}>
          Delete session
        </Button>
      </DialogActions>
    </Dialog>
  );
}
