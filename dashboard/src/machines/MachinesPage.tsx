import { Plus, Server } from "lucide-react";
import { useEffect } from "react";
import { useLocation, useSearchParams } from "react-router";
import { useNodes } from "../data/queries.ts";
import { useTitle } from "../lib/useTitle.ts";
import { ListError } from "../shell/ListError.tsx";
import { PageHeader } from "../shell/PageHeader.tsx";
import { Button } from "../ui/Button.tsx";
import { EmptyState } from "../ui/EmptyState.tsx";
import { SkeletonRows } from "../ui/Skeleton.tsx";
import { JoinDialog } from "./JoinDialog.tsx";
import { MachineCard } from "./MachineCard.tsx";

/** The machines that agents run on: there or not, since when, why, and what they offer. */
export function MachinesPage() {
  useTitle("Machines");
  const nodes = useNodes();
  const { hash } = useLocation();
  const [params, setParams] = useSearchParams();
  const joining = params.has("join");
  const open = () => setParams({ join: "1" });
  useEffect(() => {
    if (hash !== "" && nodes.data !== undefined)
      document.getElementById(hash.slice(1))?.scrollIntoView({ block: "start" });
  }, [hash, nodes.data]);
  return (
    <div className="flex h-full min-h-0 flex-col">
      <PageHeader title="Machines">
        <Button variant="primary" icon={<Plus size={15} />} onClick={open}>
          Join a machine
        </Button>
      </PageHeader>
      <div className="scroll-y min-h-0 flex-1">
        {nodes.data === undefined ? (
          nodes.error === null ? (
            <div className="mx-auto max-w-220 p-6">
              <SkeletonRows rows={3} className="h-40" />
            </div>
          ) : (
            <ListError error={nodes.error} onRetry={() => void nodes.refetch()} />
          )
        ) : nodes.data.length === 0 ? (
          <EmptyState
            icon={<Server size={20} />}
            title="No machine has joined yet"
            action={
              <Button variant="primary" icon={<Plus size={15} />} onClick={open}>
                Join a machine
              </Button>
            }
          >
            A machine dials out to here, so it needs no open port. One command joins it.
          </EmptyState>
        ) : (
          <ul className="mx-auto flex max-w-220 flex-col gap-4 p-6 max-md:p-4">
            {nodes.data.map((node) => (
              <MachineCard key={node.id} node={node} />
            ))}
          </ul>
        )}
      </div>
      {joining ? <JoinDialog onClose={() => setParams({}, { replace: true })} /> : null}
    </div>
  );
}
