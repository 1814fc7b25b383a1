import { banner, display, type SessionStatus } from "@reprise/protocol";
import { Command } from "cmdk";
import {
  Columns3,
  Inbox,
  type LucideIcon,
  MessageSquarePlus,
  Monitor,
  Moon,
  Play,
  Server,
  Settings,
  SquarePlus,
  Sun,
} from "lucide-react";
import type { ReactNode } from "react";
import { useNavigate } from "react-router";
import { useNodes, useSessions, useTasks } from "../data/queries.ts";
import { useTheme } from "../lib/theme.ts";
import { attempt, bannerStep } from "../session/actions.ts";
import { PresenceDot } from "../state/PresenceDot.tsx";
import { StateShape } from "../state/StateBadge.tsx";
import { Dialog } from "../ui/Dialog.tsx";

function Item({
  value,
  icon,
  onSelect,
  children,
  hint,
}: {
  readonly value: string;
  readonly icon: ReactNode;
  readonly onSelect: () => void;
  readonly children: ReactNode;
  readonly hint?: string;
}) {
  return (
    <Command.Item
      value={value}
      onSelect={onSelect}
      className="flex h-9 cursor-default items-center gap-3 rounded-sm px-3 text-sm data-[selected=true]:bg-active max-md:h-11"
    >
      <span className="flex w-4 shrink-0 justify-center text-text-3">{icon}</span>
      <span className="min-w-0 flex-1 truncate">{children}</span>
      {hint === undefined ? null : <span className="shrink-0 truncate text-xs text-text-3">{hint}</span>}
    </Command.Item>
  );
}

const group =
  "px-2 pb-1 [&_[cmdk-group-heading]]:px-3 [&_[cmdk-group-heading]]:pt-3 [&_[cmdk-group-heading]]:pb-1 [&_[cmdk-group-heading]]:text-xs [&_[cmdk-group-heading]]:text-text-3";

const PLACES: readonly (readonly [to: string, name: string, icon: LucideIcon])[] = [
  ["/", "Inbox", Inbox],
  ["/board", "Board", Columns3],
  ["/machines", "Machines", Server],
  ["/settings/agents", "Agents", Settings],
  ["/settings/appearance", "Appearance", Settings],
  ["/settings/security", "Security", Settings],
];

/** Cmd-K: everything, by typing a bit of its name. */
export default function CommandMenu({ onClose }: { readonly onClose: () => void }) {
  const navigate = useNavigate();
  const sessions = useSessions().data ?? [];
  const tasks = useTasks().data ?? [];
  const nodes = useNodes().data ?? [];
  const choose = useTheme((state) => state.choose);
  const then = (work: () => void) => () => {
    onClose();
    work();
  };
  const go = (to: string) => then(() => void navigate(to));
  return (
    <Dialog
      open
      onClose={onClose}
      title="Search or jump to"
      hideTitle
      className="mt-[14vh] w-[min(620px,calc(100vw-24px))]"
    >
      <Command loop label="Search or jump to" className="flex min-h-0 flex-col">
        <Command.Input
          autoFocus
          placeholder="Search or jump to…"
          className="h-13 w-full border-b border-line bg-transparent px-5 text-base outline-none"
        />
        <Command.List className="scroll-y max-h-[min(420px,60vh)] pb-2">
          <Command.Empty className="py-10 text-center text-sm text-text-3">Nothing of that name.</Command.Empty>
          <Command.Group heading="Sessions" className={group}>
            {sessions.map((status) => (
              <SessionItem key={status.session_id} status={status} onSelect={go(`/sessions/${status.session_id}`)} />
            ))}
          </Command.Group>
          <Command.Group heading="Do" className={group}>
            <Item value="new session start agent" icon={<MessageSquarePlus size={15} />} onSelect={go("/new")}>
              New session
            </Item>
            <Item value="join a machine add node" icon={<SquarePlus size={15} />} onSelect={go("/machines?join=1")}>
              Join a machine
            </Item>
            {sessions
              .filter((status) => status.needs_resume)
              .map((status) => (
                <ResumeItem key={status.session_id} status={status} onClose={onClose} />
              ))}
          </Command.Group>
          <Command.Group heading="Go to" className={group}>
            {PLACES.map(([to, name, Icon]) => (
              <Item key={to} value={`go to ${name}`} icon={<Icon size={15} />} onSelect={go(to)}>
                {name}
              </Item>
            ))}
            {tasks.map((task) => (
              <Item
                key={task.id}
                value={`task ${task.title} ${task.id}`}
                icon={<Columns3 size={15} />}
                hint="task"
                onSelect={go(`/tasks/${task.id}`)}
              >
                {task.title}
              </Item>
            ))}
            {nodes.map((node) => (
              <Item
                key={node.id}
                value={`machine ${node.name} ${node.id}`}
                icon={<PresenceDot presence={node.presence} />}
                hint="machine"
                onSelect={go(`/machines#${node.id}`)}
              >
                {node.name}
              </Item>
            ))}
          </Command.Group>
          <Command.Group heading="Appearance" className={group}>
            <Item value="light theme" icon={<Sun size={15} />} onSelect={then(() => choose("light"))}>
              Light
            </Item>
            <Item value="dark theme" icon={<Moon size={15} />} onSelect={then(() => choose("dark"))}>
              Dark
            </Item>
            <Item value="system theme" icon={<Monitor size={15} />} onSelect={then(() => choose("system"))}>
              As the system
            </Item>
          </Command.Group>
        </Command.List>
      </Command>
    </Dialog>
  );
}

function SessionItem({ status, onSelect }: { readonly status: SessionStatus; readonly onSelect: () => void }) {
  const shown = display(status);
  return (
    <Item
      value={`${status.title} ${status.agent_name} ${status.node.name} ${status.session_id}`}
      icon={<StateShape kind={shown.kind} tone={shown.tone} faded={shown.last_known} />}
      hint={`${shown.label} · ${status.node.name}`}
      onSelect={onSelect}
    >
      {status.title}
    </Item>
  );
}

function ResumeItem({ status, onClose }: { readonly status: SessionStatus; readonly onClose: () => void }) {
  const shown = banner(status, { now: 0, span: () => "", moment: () => "" });
  const button = shown?.buttons.find((each) => each.action === "resume" || each.action === "retry");
  if (button === undefined || button.disabled === true) return null;
  const step = bannerStep(button.action, status);
  return (
    <Item
      value={`${button.label} ${status.title} ${status.session_id}`}
      icon={<Play size={14} />}
      onSelect={() => {
        onClose();
        if (step.kind === "call") void attempt(step.run);
      }}
    >
      {button.label} “{status.title}”
    </Item>
  );
}
