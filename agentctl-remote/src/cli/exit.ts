/** What the exit codes of `agentctl` mean; scripts may rely on them. */
export const EXIT = {
  ok: 0,
  failed: 1,
  usage: 2,
  not_joined: 3,
  /** `up`: another daemon has this state folder. `status`, `down`: none runs. */
  daemon_state: 4,
  join_refused: 5,
  too_old: 6,
  /** `doctor`: something is missing. */
  findings: 7,
} as const;

export const EXIT_HELP = `
Exit codes: 0 done; 1 failed; 2 wrong usage; 3 not joined yet; 4 no daemon runs (status, down) or one runs already (up);
5 the join was refused; 6 this agentctl is too old for its control plane; 7 doctor found something missing.`;

/** Ends a command with a sentence for people and a code for scripts. */
export class CliError extends Error {
  readonly exit: number;
  constructor(exit: number, message: string, options?: ErrorOptions) {
    super(message, options);
    this.exit = exit;
  }
}
