import type { AgentProfile } from "@reprise/protocol";
import { Bot, MoreHorizontal, Pencil, Plus, Trash2 } from "lucide-react";
import { useState } from "react";
import { api } from "../data/api.ts";
import { keys, queryClient, useNodes, useProfiles } from "../data/queries.ts";
import { attempt } from "../session/actions.ts";
import { ListError } from "../shell/ListError.tsx";
import { Button } from "../ui/Button.tsx";
import { Card, Section } from "../ui/Card.tsx";
import { Confirm } from "../ui/Confirm.tsx";
import { EmptyState } from "../ui/EmptyState.tsx";
import { IconButton } from "../ui/IconButton.tsx";
import { Menu, MenuItem, MenuSeparator } from "../ui/Menu.tsx";
import { SkeletonRows } from "../ui/Skeleton.tsx";
import { ProfileDialog } from "./ProfileDialog.tsx";
import { resumesWhere } from "./resumes.ts";

const RESUMES: Record<AgentProfile["auto_resume"], string> = {
  interrupted: "resumes after an interruption",
  always: "resumes after any end but a stop",
  never: "never resumes by itself",
};

/** Agent profiles: which agent, started how. */
export function Agents() {
  const profiles = useProfiles();
  const [editing, setEditing] = useState<AgentProfile | "new" | null>(null);
  return (
    <Section
      title="Agent profiles"
      hint="How each agent is started. A session keeps the profile's copy that it began with."
      actions={
        <Button icon={<Plus size={15} />} onClick={() => setEditing("new")}>
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
      ) : profiles.data.length === 0 ? (
        <EmptyState icon={<Bot size={20} />} title="No profiles">
          Without a profile no agent can be started. Make one: any command that speaks the Agent Client Protocol will
          do.
        </EmptyState>
      ) : (
        <Card>
          <ul>
            {profiles.data.map((profile) => (
              <ProfileRow key={profile.id} profile={profile} onEdit={() => setEditing(profile)} />
            ))}
          </ul>
        </Card>
      )}
      {editing === null ? null : (
        <ProfileDialog profile={editing === "new" ? null : editing} onClose={() => setEditing(null)} />
      )}
    </Section>
  );
}

function ProfileRow({ profile, onEdit }: { readonly profile: AgentProfile; readonly onEdit: () => void }) {
  const nodes = useNodes().data;
  const where = resumesWhere(profile, (id) => nodes?.find((node) => node.id === id)?.name);
  const [asking, setAsking] = useState(false);
  const [busy, setBusy] = useState(false);
  const remove = async () => {
    setBusy(true);
    const done = await attempt(() => api.profiles.remove(profile.id));
    setBusy(false);
    if (!done) return;
    setAsking(false);
    await queryClient.invalidateQueries({ queryKey: keys.profiles });
  };
  return (
    <li className="flex items-center gap-3 border-b border-line px-4 py-3 last:border-b-0">
      <div className="min-w-0 flex-1">
        <p className="flex items-center gap-2 text-sm font-medium">
          {profile.name}
          {profile.built_in ? (
            <span className="rounded-full bg-active px-2 text-[11px] leading-4.5 font-medium text-text-2">
              built in
            </span>
          ) : null}
        </p>
        <p className="mt-0.5 truncate text-xs text-text-3">
          <code>{[profile.command, ...profile.args].join(" ")}</code> · {RESUMES[profile.auto_resume]}
        </p>
        {where === null ? null : <p className="mt-0.5 truncate text-xs text-text-3">Its agent {where}</p>}
      </div>
      <Menu
        label={profile.name}
        trigger={
          <IconButton plain label={`Actions for ${profile.name}`} size="sm">
            <MoreHorizontal size={16} />
          </IconButton>
        }
      >
        <MenuItem icon={<Pencil size={14} />} onSelect={onEdit}>
          Edit
        </MenuItem>
        <MenuSeparator />
        <MenuItem icon={<Trash2 size={14} />} danger onSelect={() => setAsking(true)}>
          Delete…
        </MenuItem>
      </Menu>
      <Confirm
        open={asking}
        title={`Delete the profile ${profile.name}?`}
        lost="Its command, arguments and variables are lost. Sessions that began with it say so, and need another profile to go on."
        action="Delete profile"
        busy={busy}
        onClose={() => setAsking(false)}
        onConfirm={() => void remove()}
      />
    </li>
  );
}
