import type { WorkspaceAccess } from "@reprise/protocol";
import { CloudOff, FolderLock, FolderX } from "lucide-react";
import { Button } from "../ui/Button.tsx";
import { EmptyState } from "../ui/EmptyState.tsx";
import { Spinner } from "../ui/Spinner.tsx";

/** What stands in the place of a workspace that can't be used, and what helps (X3, T4). */
export function Gate({
  access,
  busy,
  onRetry,
}: {
  readonly access: Exclude<WorkspaceAccess, { kind: "open" }>;
  readonly busy: boolean;
  readonly onRetry: () => void;
}) {
  switch (access.kind) {
    case "starting":
      return (
        <EmptyState icon={<Spinner size={20} label="Getting ready" />} title="Getting ready">
          {access.message}
        </EmptyState>
      );
    case "error":
      return (
        <EmptyState
          icon={<FolderX size={20} className="text-red" />}
          title="The workspace can't be used"
          action={
            <Button busy={busy} onClick={onRetry}>
              Retry
            </Button>
          }
        >
          <span className="wrap-anywhere">{access.message}</span>
        </EmptyState>
      );
    case "closed":
      return (
        <EmptyState icon={<FolderLock size={20} />} title="Closed while no agent runs">
          {access.message}
        </EmptyState>
      );
    case "silent":
      return (
        <EmptyState icon={<CloudOff size={20} />} title="The machine is silent">
          {access.message}
        </EmptyState>
      );
  }
}

/** Over a panel that shows what was seen last. */
export function LastKnown({ message }: { readonly message: string }) {
  return (
    <p
      role="status"
      className="flex shrink-0 items-center gap-2 border-b border-dashed border-line-strong px-4 py-2 text-xs text-pretty text-text-3"
    >
      <CloudOff size={14} className="shrink-0" />
      <span>Last known. {message}</span>
    </p>
  );
}
