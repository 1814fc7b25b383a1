import { type AgentInfo, canResume, type NodeSummary } from "@reprise/protocol";
import { ChevronRight, CircleAlert, RotateCcw, SquareTerminal } from "lucide-react";
import { type ReactNode, useState } from "react";
import { cx } from "../lib/cx.ts";
import { CopyButton } from "../ui/CopyButton.tsx";
import { installCommand, isInstalled } from "./install.ts";

/** The agents of a machine: those it has, in each way that they can be run, and folded away how to get the others. */
export function MachineAgents({ node }: { readonly node: NodeSummary }) {
  const [open, setOpen] = useState(false);
  const there = node.agents.filter(isInstalled);
  const missing = node.agents.filter((agent) => !isInstalled(agent));
  return (
    <>
      <ul aria-label={`Agents on ${node.name}`} className="border-t border-line">
        {there.map((agent) => (
          <AgentRow key={agent.agent_kind} agent={agent} />
        ))}
        {there.length === 0 ? (
          <li className="px-4 py-3 text-sm text-text-3">
            {node.agents.length === 0
              ? "It has not said yet which agents it has."
              : "No agent that Reprise knows is installed here."}
          </li>
        ) : null}
      </ul>
      {missing.length === 0 ? null : (
        <button
          type="button"
          aria-expanded={open}
          onClick={() => setOpen(!open)}
          className="flex h-10 w-full items-center gap-2 border-t border-line px-4 text-sm text-text-3 -outline-offset-2 hover:bg-hover hover:text-text"
        >
          <ChevronRight size={14} className={cx("transition-transform duration-100", open && "rotate-90")} />
          {missing.length} more agents can be installed
        </button>
      )}
      {open ? (
        <ul aria-label={`Agents that ${node.name} doesn't have`} className="border-t border-line">
          {missing.map((agent) => (
            <MissingRow key={agent.agent_kind} agent={agent} />
          ))}
        </ul>
      ) : null}
    </>
  );
}

const rowClass =
  "flex min-h-10 flex-wrap items-baseline gap-x-3 gap-y-1 border-b border-line px-4 py-2 text-sm last:border-b-0";

function AgentRow({ agent }: { readonly agent: AgentInfo }) {
  return (
    <li className={rowClass}>
      <span className="w-40 truncate font-medium max-md:w-full">{agent.agent_name}</span>
      <div className="flex min-w-0 flex-1 flex-col gap-1">
        {agent.command === null ? null : (
          <Way version={agent.version}>
            <AcpWords agent={agent} />
          </Way>
        )}
        {agent.terminal?.command == null ? null : (
          <Way version={agent.terminal.version}>
            <Icon>
              <SquareTerminal size={13} />
            </Icon>
            In its own terminal UI
          </Way>
        )}
      </div>
    </li>
  );
}

function Way({ version, children }: { readonly version: string | null; readonly children: ReactNode }) {
  return (
    <p className="flex min-w-0 gap-x-3 text-text-3">
      <span className="tabular w-28 shrink-0 truncate max-md:w-20">{version ?? "version unknown"}</span>
      <span className="flex min-w-0 flex-1 gap-1.5">{children}</span>
    </p>
  );
}

function Icon({ className, children }: { readonly className?: string; readonly children: ReactNode }) {
  return <span className={cx("flex h-lh w-3.5 shrink-0 items-center", className)}>{children}</span>;
}

/** What it said of itself when it was asked over ACP. */
function AcpWords({ agent }: { readonly agent: AgentInfo }) {
  switch (agent.status) {
    case "ready":
      if (agent.capabilities === null || !canResume(agent.capabilities))
        return "Over ACP; can't resume earlier sessions";
      return (
        <>
          <Icon className="text-green">
            <RotateCcw size={13} />
          </Icon>
          Over ACP; can resume earlier sessions
        </>
      );
    case "failed":
      return (
        <>
          <Icon className="text-red">
            <CircleAlert size={13} />
          </Icon>
          <span className="wrap-anywhere">{agent.hint ?? "It did not answer when it was tried."}</span>
        </>
      );
    case "unprobed":
    case "missing":
      return "Over ACP; not asked yet what it can";
  }
}

function MissingRow({ agent }: { readonly agent: AgentInfo }) {
  const install = installCommand(agent);
  return (
    <li className={rowClass}>
      <span className="w-40 truncate text-text-3 max-md:w-full">{agent.agent_name}</span>
      <span className="flex min-w-0 flex-1 items-center gap-1.5 text-text-3">
        {install === null ? (
          <span className="wrap-anywhere">{agent.hint}</span>
        ) : (
          <>
            <code className="truncate rounded-xs bg-active px-1.5 py-0.5 text-[12px] text-text-2">{install}</code>
            <CopyButton text={install} label={`Copy how to install ${agent.agent_name}`} />
          </>
        )}
      </span>
    </li>
  );
}
