import { spawnSync } from "node:child_process";
import { run } from "../lib/run.ts";

/** A first `--version` on a cold disk takes a few seconds. */
const VERSION_MS = 30_000;

/** What a search for a program sees of the machine, so that tests can give it another one. */
export interface Machine {
  platform: NodeJS.Platform;
  isRoot: boolean;
  hasApt: boolean;
  /** What the environment names in its place. */
  wished: string | undefined;
  /** Whether a command or path is such a program, and runs. */
  runs: (command: string) => boolean;
  /** Installs Debian's package. */
  install: () => Promise<boolean>;
}

function says(command: string, version: RegExp): boolean {
  const asked = spawnSync(command, ["--version"], { encoding: "utf8", timeout: VERSION_MS });
  return asked.status === 0 && version.test(asked.stdout);
}

/** This machine, for a program that says its version so and that Debian has in that package. */
export function thisMachine(program: { version: RegExp; pkg: string; wished: string | undefined }): Machine {
  return {
    platform: process.platform,
    isRoot: process.getuid?.() === 0,
    hasApt: says("apt-get", /apt/),
    wished: program.wished,
    runs: (command) => says(command, program.version),
    install: () => install(program.pkg),
  };
}

async function install(pkg: string): Promise<boolean> {
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  const apt = (...args: string[]) => run("apt-get", args, { env, output: { kind: "capture" } });
  const update = await apt("update", "-q");
  const installed = await apt("install", "-yq", "--no-install-recommends", pkg);
  if (installed.code !== 0) console.error(`${update.output}${installed.output}`.trimEnd());
  return installed.code === 0;
}
