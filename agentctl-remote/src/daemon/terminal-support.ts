import { TERMINAL_REFUSALS, type TerminalSupport } from "@reprise/protocol";
import type { Known } from "./known.ts";

/** Whether people can open a terminal: what its machine's owner allows comes first, then what its host can (S4). */
export function terminalSupport(shell: boolean, known: Known | null): TerminalSupport {
  const no = (code: "shell_off" | "host_too_old"): TerminalSupport => ({
    ok: false,
    code,
    message: TERMINAL_REFUSALS[code],
  });
  if (!shell) return no("shell_off");
  return known?.terminals?.support ?? no("host_too_old");
}
