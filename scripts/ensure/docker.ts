import { spawnSync } from "node:child_process";
import { run } from "../lib/run.ts";

/** Names the engine that the end-to-end tests start; empty where there is none, and their Docker tests are left out. */
export const DOCKERD_ENV = "REPRISE_DOCKERD";

const NAMES = ["dockerd", "/usr/sbin/dockerd", "/usr/bin/dockerd"];
/** A first `--version` on a cold disk takes a few seconds. */
const VERSION_MS = 30_000;

/** What the search sees of the machine, so that tests can give it another one. */
export interface DockerMachine {
  platform: NodeJS.Platform;
  isRoot: boolean;
  hasApt: boolean;
  /** REPRISE_DOCKERD of the environment: a command, or empty for none. */
  wished: string | undefined;
  /** Whether a command or path is an engine that runs. */
  runs: (command: string) => boolean;
  /** Installs Debian's package. */
  install: () => Promise<boolean>;
}

/**
 * A Docker engine that the tests can start for themselves.
 * @returns its command; null where the Docker tests have to be left out, which was said
 */
export async function ensureDockerd(machine: DockerMachine, say: (line: string) => void): Promise<string | null> {
  const { wished, platform, isRoot, hasApt, runs } = machine;
  const none = (why: string) => {
    say(`The tests of sessions in Docker are left out: ${why}`);
    return null;
  };
  if (wished === "") return none(`${DOCKERD_ENV} is empty.`);
  if (wished !== undefined)
    return runs(wished) ? wished : none(`${DOCKERD_ENV} names ${wished}, which is no engine that runs here.`);
  if (platform !== "linux") return none("they start an engine of their own, which only Linux can.");
  if (!isRoot) return none("they start an engine of their own, which needs root.");
  const there = NAMES.find(runs);
  if (there) return there;
  if (!hasApt) return none(`there is no dockerd here. Install Docker's engine, or set ${DOCKERD_ENV} to its path.`);
  say("Installing docker.io with apt-get for the end-to-end tests: about 300 MB on disk, once.");
  const installed = (await machine.install()) ? NAMES.find(runs) : undefined;
  return installed ?? none("apt-get gave no dockerd that runs.");
}

/** This machine. */
export function thisDockerMachine(): DockerMachine {
  const works = (command: string, pattern: RegExp) => {
    const asked = spawnSync(command, ["--version"], { encoding: "utf8", timeout: VERSION_MS });
    return asked.status === 0 && pattern.test(asked.stdout);
  };
  return {
    platform: process.platform,
    isRoot: process.getuid?.() === 0,
    hasApt: works("apt-get", /apt/),
    wished: process.env[DOCKERD_ENV],
    runs: (command) => works(command, /Docker version/),
    install: async () => {
      const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
      const update = await run("apt-get", ["update", "-q"], { env, output: { kind: "capture" } });
      const args = ["install", "-yq", "--no-install-recommends", "docker.io"];
      const install = await run("apt-get", args, { env, output: { kind: "capture" } });
      if (install.code !== 0) console.error(`${update.output}${install.output}`.trimEnd());
      return install.code === 0;
    },
  };
}
