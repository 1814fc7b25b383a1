import type { AgentProfile } from "@reprise/protocol";
import { Copy, MoreHorizontal, Pencil, RotateCcw, Trash2 } from "lucide-react";
import { type ReactNode, useState } from "react";
import { useNodes } from "../data/queries.ts";
import { installCommand } from "../machines/install.ts";
import { CopyButton } from "../ui/CopyButton.tsx";
import { IconButton } from "../ui/IconButton.tsx";
import { Menu, MenuItem, MenuSeparator } from "../ui/Menu.tsx";
import { Tooltip } from "../ui/Tooltip.tsx";
import type { ListedProfile } from "./agent-list.ts";
import { DeleteProfile, ResetProfile } from "./ProfileQuestions.tsx";
import { resumesWhere } from "./resumes.ts";

/** Of what is by default, nothing is said. */
const BY_ITSELF: Record<AgentProfile["auto_resume"], string | null> = {
  interrupted: null,
  always: "resumes by itself after any end but a stop",
  never: "never resumes by itself",
};

/** A profile: what it starts, what it can, where that is installed, and what can be done with it. */
export function ProfileRow({
  listed,
  onEdit,
  onCopy,
}: {
  readonly listed: ListedProfile;
  readonly onEdit: () => void;
  readonly onCopy: () => void;
}) {
  const { profile, builtIn, edited, unverified } = listed;
  const [asking, setAsking] = useState<"delete" | "reset" | null>(null);
  return (
    <li aria-label={profile.name} className="flex items-center gap-3 border-b border-line px-4 py-3 last:border-b-0">
      <div className="flex min-w-0 flex-1 flex-col gap-1">
        <div className="flex flex-wrap items-center gap-x-2 gap-y-1 text-sm font-medium">
          {profile.name}
          {builtIn === null ? null : <Tag>{edited ? "edited" : "built in"}</Tag>}
          {unverified ? (
            <Tooltip label="Its command line is as its documentation says; nobody has compared it with the program's own help yet.">
              <button type="button" className="rounded-full">
                <Tag amber>unverified</Tag>
              </button>
            </Tooltip>
          ) : null}
          <Places listed={listed} />
        </div>
        <p className="text-xs leading-4.5 text-text-3">
          <code className="wrap-anywhere">{[profile.command, ...profile.args].join(" ")}</code>
          <Resumes profile={profile} />
        </p>
        <Whereabouts listed={listed} />
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
        <MenuItem icon={<Copy size={14} />} onSelect={onCopy}>
          Duplicate
        </MenuItem>
        {edited ? (
          <MenuItem icon={<RotateCcw size={14} />} onSelect={() => setAsking("reset")}>
            Reset to default…
          </MenuItem>
        ) : null}
        <MenuSeparator />
        <MenuItem icon={<Trash2 size={14} />} danger onSelect={() => setAsking("delete")}>
          Delete…
        </MenuItem>
      </Menu>
      <DeleteProfile profile={profile} open={asking === "delete"} onClose={() => setAsking(null)} />
      <ResetProfile profile={profile} open={asking === "reset"} onClose={() => setAsking(null)} />
    </li>
  );
}

/** How it resumes, as far as its profile says that. */
function Resumes({ profile }: { readonly profile: AgentProfile }) {
  const { driver, resume_args } = profile;
  if (driver === "terminal" && resume_args == null) return " · can't resume: it has no resume args";
  const byItself = BY_ITSELF[profile.auto_resume];
  return (
    <>
      {driver === "terminal" ? (
        <>
          {" · resumes with "}
          <code>{resume_args?.join(" ")}</code>
        </>
      ) : null}
      {byItself === null ? null : ` · ${byItself}`}
    </>
  );
}

function Tag({ amber = false, children }: { readonly amber?: boolean; readonly children: ReactNode }) {
  const look = amber ? "border border-amber-line bg-amber-soft text-amber" : "bg-active text-text-2";
  return <span className={`rounded-full px-2 text-[11px] leading-4.5 font-medium ${look}`}>{children}</span>;
}

/** Where it is installed: beside its name where there is room, else below. */
function Places({ listed: { places } }: { readonly listed: ListedProfile }) {
  if (places.length === 0) return null;
  return (
    <span className="tabular min-w-0 text-xs font-normal text-text-3 max-md:basis-full md:ml-auto md:max-w-1/2 md:truncate">
      {places.map(({ name, version }) => `${name} ${version ?? ""}`.trim()).join(", ")}
    </span>
  );
}

/** What it said of itself where it ran; where no machine has it, how to get it. */
function Whereabouts({ listed: { profile, builtIn, places } }: { readonly listed: ListedProfile }) {
  const nodes = useNodes().data;
  const said =
    profile.driver === "acp" ? resumesWhere(profile, (id) => nodes?.find((node) => node.id === id)?.name) : null;
  if (said !== null) return <p className="text-xs leading-4.5 text-text-3">Its agent {said}</p>;
  const install = builtIn === null ? null : installCommand(profile, profile.driver);
  if (install === null || places.length > 0 || nodes === undefined) return null;
  return (
    <p className="flex min-w-0 items-center gap-1 text-xs text-text-3">
      <span className="shrink-0">Get it with</span>
      <code className="truncate">{install}</code>
      <CopyButton text={install} label={`Copy how to install ${profile.name}`} />
    </p>
  );
}
