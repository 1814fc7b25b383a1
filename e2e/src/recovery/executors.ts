/** The executor types that rows are run for; of a remote one, with its runtime. */
export const EXECUTORS = ["local_standalone", "local_docker", "remote standalone", "remote docker"] as const;
export type Executor = (typeof EXECUTORS)[number];
/** Where a row needs no container. */
export const STANDALONE: readonly Executor[] = ["local_standalone", "remote standalone"];
