import type { AgentProfile, BuiltIn } from "@reprise/protocol";
import { Bot, ChevronRight, Plus } from "lucide-react";
import { type ReactNode, useState } from "react";
import { api } from "../data/api.ts";
import { keys, queryClient, useNodes, useProfiles } from "../data/queries.ts";
import { cx } from "../lib/cx.ts";
import { useBusy } from "../lib/useBusy.ts";
import { ListError } from "../shell/ListError.tsx";
import { Button } from "../ui/Button.tsx";
import { Card, Section } from "../ui/Card.tsx";
import { EmptyState } from "../ui/EmptyState.tsx";
import { SkeletonRows } from "../ui/Skeleton.tsx";
import { type ListedProfile, listOf } from "./agent-list.ts";
import { ProfileDialog } from "./ProfileDialog.tsx";
import { ProfileRow } from "./ProfileRow.tsx";

/** What the dialog is about: a new profile, one to change, or one to make a copy of. */
type Editing = { readonly profile: AgentProfile | null; readonly copy: boolean };

/** Agent profiles: which agent, started how. */
export function Agents() {
  const profiles = useProfiles();
  const [editing, setEditing] = useState<Editing | null>(null);
  return (
    <Section
      title="Agent profiles"
      hint="How each agent is started. A session keeps the profile's copy that it began with."
      actions={
        <Button icon={<Plus size={15} />} onClick={() => setEditing({ profile: null, copy: false })}>
          New profile
        </Button>
      }
    >
      {profiles.data === undefined ? (
        profiles.error === null ? (
          <SkeletonRows rows={3} className="h-14" />
        ) : (
          <ListError error={profiles.error} onRetry={() => void profiles.refetch()} />
        )
      ) : (
        <Profiles profiles={profiles.data} onEdit={setEditing} />
      )}
      {editing === null ? null : (
        <ProfileDialog profile={editing.profile} copy={editing.copy} onClose={() => setEditing(null)} />
      )}
    </Section>
  );
}

function Profiles({
  profiles,
  onEdit,
}: {
  readonly profiles: readonly AgentProfile[];
  readonly onEdit: (editing: Editing) => void;
}) {
  const { first, others, deleted } = listOf(profiles, useNodes().data);
  const row = (listed: ListedProfile) => (
    <ProfileRow
      key={listed.profile.id}
      listed={listed}
      onEdit={() => onEdit({ profile: listed.profile, copy: false })}
      onCopy={() => onEdit({ profile: listed.profile, copy: true })}
    />
  );
  return (
    <>
      {first.length === 0 ? (
        <EmptyState icon={<Bot size={20} />} title="No agent yet">
          No machine has an agent that Reprise knows. Install one of those below on a machine, or make a profile: any
          command that speaks the Agent Client Protocol, or has a terminal UI, will do.
        </EmptyState>
      ) : (
        <Card>
          <ul aria-label="Agent profiles">{first.map(row)}</ul>
        </Card>
      )}
      {others.length === 0 ? null : (
        <Folded title={`${others.length} more that no machine has yet`}>{others.map(row)}</Folded>
      )}
      {deleted.length === 0 ? null : (
        <Folded title={`${deleted.length} deleted`}>
          {deleted.map((builtIn) => (
            <DeletedRow key={builtIn.id} builtIn={builtIn} />
          ))}
        </Folded>
      )}
    </>
  );
}

function Folded({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  const [open, setOpen] = useState(false);
  return (
    <Card className="overflow-hidden">
      <button
        type="button"
        aria-expanded={open}
        onClick={() => setOpen(!open)}
        className="flex h-10 w-full items-center gap-2 px-4 text-sm text-text-3 -outline-offset-2 hover:bg-hover hover:text-text"
      >
        <ChevronRight size={14} className={cx("transition-transform duration-100", open && "rotate-90")} />
        {title}
      </button>
      {open ? (
        <ul aria-label={title} className="border-t border-line">
          {children}
        </ul>
      ) : null}
    </Card>
  );
}

function DeletedRow({ builtIn }: { readonly builtIn: BuiltIn }) {
  const { busy, run } = useBusy<"reset">();
  const bringBack = () =>
    void run("reset", async () => {
      await api.profiles.reset(builtIn.id);
      await queryClient.invalidateQueries({ queryKey: keys.profiles });
    });
  return (
    <li className="flex items-center gap-3 border-b border-line px-4 py-2.5 last:border-b-0">
      <span className="min-w-0 flex-1 truncate text-sm text-text-2">{builtIn.name}</span>
      <Button size="sm" busy={busy === "reset"} onClick={bringBack} aria-label={`Bring back ${builtIn.name}`}>
        Bring back
      </Button>
    </li>
  );
}
