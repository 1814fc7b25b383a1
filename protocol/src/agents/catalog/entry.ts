import type { PromptTransport } from "../profile.ts";

/** One way to start an agent so that it speaks ACP. */
export interface AcpStart {
  readonly command: string;
  readonly args: readonly string[];
}

/** An agent's own terminal UI, and how it is given a conversation and a prompt. */
export interface TerminalStart {
  readonly command: string;
  /** What every start of it has; a subcommand stands after the flags that belong to the command itself. */
  readonly args: readonly string[];
  /** What stands before the conversation's id; null: it can't go on with a conversation by id. */
  readonly resume_args: readonly string[] | null;
  readonly prompt_transport: PromptTransport;
  /** What stands before the prompt, where it is given on the command line. */
  readonly prompt_args: readonly string[];
  readonly install: string;
  /** The version whose own help says all of this; null: known from its documentation alone. */
  readonly checked: string | null;
}

/** A built-in agent. */
export interface CatalogEntry {
  readonly agent_kind: string;
  readonly agent_name: string;
  /** Prints the version in its first line. */
  readonly version_args: readonly string[];
  /** Tried in order; the first whose command is on PATH is used. */
  readonly acp: { readonly starts: readonly [AcpStart, ...AcpStart[]]; readonly install: string };
  readonly terminal: TerminalStart;
}
