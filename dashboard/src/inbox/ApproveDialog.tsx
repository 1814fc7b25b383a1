import type { Approval, SessionStatus } from "@reprise/protocol";
import { useQuery } from "@tanstack/react-query";
import { Link } from "react-router";
import { ApprovalCard } from "../conversation/ApprovalCard.tsx";
import { api, sentence } from "../data/api.ts";
import { attempt } from "../session/actions.ts";
import { buttonClass } from "../ui/Button.tsx";
import { Dialog } from "../ui/Dialog.tsx";
import { Skeleton } from "../ui/Skeleton.tsx";

/** How far back an open question can be: everything after it waits for its answer. */
const LOOK_BACK_ROWS = 100;

async function pendingApprovals(sessionId: string, signal: AbortSignal): Promise<Approval[]> {
  const page = await api.sessions.events(sessionId, { limit: LOOK_BACK_ROWS }, signal);
  return page.rows.flatMap(({ body }) =>
    body.kind === "permission" && body.approval.state !== "answered" && body.approval.state !== "expired"
      ? [body.approval]
      : [],
  );
}

/** Shows what a session asks leave for, and answers it, without leaving the list. Nothing is approved unseen. */
export function ApproveDialog({ status, onClose }: { readonly status: SessionStatus; readonly onClose: () => void }) {
  const id = status.session_id;
  const { data, error, refetch } = useQuery({
    queryKey: ["approvals", id, status.version],
    queryFn: ({ signal }) => pendingApprovals(id, signal),
    gcTime: 0,
  });
  const answer = async (approval: Approval, option_id: string) => {
    const done = await attempt(() =>
      api.sessions.answer(id, approval.request_id, { execution_id: approval.execution_id, option_id }),
    );
    if (done && (data?.length ?? 0) <= 1) onClose();
    else await refetch();
  };
  return (
    <Dialog
      open
      onClose={onClose}
      title={status.title}
      description={`${status.agent_name} on ${status.node.name}`}
      className="w-[min(640px,calc(100vw-32px))]"
    >
      <div className="min-h-40 overflow-y-auto px-5 pt-1 pb-4">
        {data?.map((approval, index) => (
          <ApprovalCard
            key={`${approval.execution_id}:${approval.request_id}`}
            approval={approval}
            cwd={status.worktree_path ?? status.workspace_path}
            hot={index === 0}
            focus={index === 0}
            inDialog
            onAnswer={(optionId) => answer(approval, optionId)}
          />
        ))}
        {data?.length === 0 ? (
          <p className="py-6 text-center text-sm text-text-3">It was answered already, or its turn has ended.</p>
        ) : null}
        {error === null ? null : <p className="py-6 text-center text-sm text-red">{sentence(error)}</p>}
        {data === undefined && error === null ? <Skeleton className="mt-3 h-36 w-full rounded-lg" /> : null}
        <div className="flex justify-end">
          <Link to={`/sessions/${id}`} className={buttonClass("ghost", "sm")}>
            Open the session
          </Link>
        </div>
      </div>
    </Dialog>
  );
}
