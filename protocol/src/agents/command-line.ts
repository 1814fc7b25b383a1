import type { LaunchSpec, PromptTransport } from "./profile.ts";

/**
 * The words that start a terminal agent: the profile's own arguments (root flags) first, then its resume args with the
 * conversation's id last of them, then the prompt, which is always the last word.
 * @param start.token the conversation to resume; null: a new one
 * @param start.prompt what it starts with; given on the command line only where the profile says so
 * @returns null where it is to be resumed and the profile has no resume args (R1)
 */
export function terminalCommandLine(
  spec: LaunchSpec,
  start: { token: string | null; prompt: string | null },
): string[] | null {
  const line = [spec.command, ...spec.args];
  if (start.token !== null) {
    if (!spec.resume_args) return null;
    line.push(...spec.resume_args, start.token);
  }
  if (start.prompt !== null && promptTransport(spec) === "argv") {
    line.push(...(spec.prompt_args ?? []), asArgument(start.prompt));
  }
  return line;
}

type CommandLine = Pick<LaunchSpec, "driver" | "command" | "args" | "resume_args" | "prompt_transport" | "prompt_args">;

/** Two profiles of which this is equal start their agent alike. */
export function commandLineKey(line: CommandLine): string {
  const { driver, command, args, resume_args, prompt_args } = line;
  return JSON.stringify([driver, command, args, resume_args ?? null, promptTransport(line), prompt_args ?? []]);
}

/** R1: a terminal agent can resume where its profile says how. */
export function resumesByArgs(spec: Pick<LaunchSpec, "resume_args">): boolean {
  return spec.resume_args != null;
}

/** How it gets its first prompt. */
export function promptTransport(spec: Pick<LaunchSpec, "prompt_transport">): PromptTransport {
  return spec.prompt_transport ?? "argv";
}

/** With a dash in front it would be taken for a flag, with an @ for a file, and as a single word for a subcommand. */
function asArgument(prompt: string): string {
  return /^[-@]|^[\w-]+$/.test(prompt) ? ` ${prompt}` : prompt;
}
