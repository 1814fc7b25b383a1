import { type Machine, thisMachine } from "./apt.ts";

/** Names the engine that the end-to-end tests start; empty where there is none, and their Docker tests are left out. */
export const DOCKERD_ENV = "REPRISE_DOCKERD";

const NAMES = ["dockerd", "/usr/sbin/dockerd", "/usr/bin/dockerd"];

/**
 * A Docker engine that the tests can start for themselves.
 * @returns its command; null where the Docker tests have to be left out, which was said
 */
export async function ensureDockerd(machine: Machine, say: (line: string) => void): Promise<string | null> {
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

/** This machine. REPRISE_DOCKERD of the environment is a command, or empty for none. */
export function thisDockerMachine(): Machine {
  return thisMachine({ version: /Docker version/, pkg: "docker.io", wished: process.env[DOCKERD_ENV] });
}
