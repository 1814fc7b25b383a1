import type { CatalogEntry } from "./catalog/entry.ts";
import { FURTHER } from "./catalog/further.ts";
import { TESTED } from "./catalog/tested.ts";
import type { LaunchSpec } from "./profile.ts";

export type { CatalogEntry };

/** The agents that Reprise knows, in the order in which they are shown. */
export const CATALOG: readonly CatalogEntry[] = [...TESTED, ...FURTHER];

/** A profile that is there from the first look on: a known agent over ACP, or in its own terminal UI. */
export interface BuiltIn {
  readonly id: string;
  readonly name: string;
  readonly entry: CatalogEntry;
  readonly spec: LaunchSpec;
}

/** The built-in profiles, in the order in which they are shown. */
export const BUILT_INS: readonly BuiltIn[] = CATALOG.flatMap((entry) => [acpProfile(entry), terminalProfile(entry)]);

export function findBuiltIn(id: string): BuiltIn | null {
  return BUILT_INS.find((one) => one.id === id) ?? null;
}

function acpProfile(entry: CatalogEntry): BuiltIn {
  const { agent_kind, agent_name } = entry;
  const { command, args } = entry.acp.starts[0];
  const spec: LaunchSpec = { agent_kind, agent_name, driver: "acp", command, args: [...args], env: {} };
  return { id: idOf(agent_kind, "acp"), name: agent_name, entry, spec };
}

function terminalProfile(entry: CatalogEntry): BuiltIn {
  const { agent_kind, agent_name } = entry;
  const { command, args, resume_args, prompt_transport, prompt_args } = entry.terminal;
  const spec: LaunchSpec = {
    agent_kind,
    agent_name,
    driver: "terminal",
    command,
    args: [...args],
    env: {},
    resume_args: resume_args && [...resume_args],
    prompt_transport,
    prompt_args: [...prompt_args],
  };
  return { id: idOf(agent_kind, "tui"), name: `${agent_name} (terminal)`, entry, spec };
}

/** `prf_claudecode`, `prf_claudecodetui`; an id has four letters at least, so a short kind says more. */
function idOf(kind: string, how: "acp" | "tui"): string {
  const letters = kind.replaceAll(/[^a-z0-9]/g, "");
  return `prf_${letters}${how === "acp" && letters.length >= 4 ? "" : how}`;
}
