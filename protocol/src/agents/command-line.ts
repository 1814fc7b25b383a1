import type { LaunchSpec } from "./profile.ts";

/**
 * The words that start a terminal agent: the profile's own arguments (root flags) first, then its resume args with the
 * conversation's id last of them, then the prompt.
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
  if (start.prompt !== null && promptTransport(spec) === "argv") line.push(asArgument(start.prompt));
  return line;
}

export function promptTransport(spec: LaunchSpec): "argv" | "stdin" {
  return spec.prompt_transport ?? "argv";
}

/** A prompt that begins with a dash would be taken for a flag. */
function asArgument(prompt: string): string {
  return prompt.startsWith("-") ? ` ${prompt}` : prompt;
}
