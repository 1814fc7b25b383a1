/** What `npm test` and `npm run e2e` were asked for. */
export interface TestOptions {
  realAgents: boolean;
  /** Handed to Vitest: file names, `-t PATTERN`, `--update` and the like. */
  filters: string[];
}

const WITHOUT = "--without-real-agents";

/** Reads the command line; the environment's REPRISE_REAL_AGENTS=0 says the same as the flag. */
export function parseOptions(args: readonly string[], realAgentsEnv: string | undefined): TestOptions {
  return {
    realAgents: !args.includes(WITHOUT) && realAgentsEnv !== "0",
    filters: args.filter((arg) => arg !== WITHOUT),
  };
}
