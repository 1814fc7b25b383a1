/** The executor types that rows are run for; of a remote one, with its runtime. */
export const EXECUTORS = ["local_standalone", "local_docker", "remote standalone", "remote docker"] as const;
export type Executor = (typeof EXECUTORS)[number];

export const STANDALONE: readonly Executor[] = ["local_standalone", "remote standalone"];
export const DOCKER: readonly Executor[] = ["local_docker", "remote docker"];
/** With a network that can be cut. */
export const REMOTE: readonly Executor[] = ["remote standalone", "remote docker"];

export const isDocker = (executor: Executor) => DOCKER.includes(executor);
export const isRemote = (executor: Executor) => REMOTE.includes(executor);
