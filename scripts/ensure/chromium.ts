import { spawnSync } from "node:child_process";
import { homedir } from "node:os";
import { Explained } from "../lib/explained.ts";
import { run } from "../lib/run.ts";

const NAMES = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];
const MAC_APPS = ["Google Chrome", "Chromium"].flatMap((name) =>
  ["/Applications", `${homedir()}/Applications`].map((folder) => `${folder}/${name}.app/Contents/MacOS/${name}`),
);
/** Chromium's first `--version` on a cold disk takes a few seconds. */
const VERSION_MS = 30_000;

/** What the search sees of the machine, so that tests can give it another one. */
export interface Machine {
  platform: NodeJS.Platform;
  isRoot: boolean;
  hasApt: boolean;
  /** CHROMIUM of the environment. */
  wished: string | undefined;
  /** Whether a command or path is a browser that runs. */
  runs: (command: string) => boolean;
  /** Installs Debian's package. */
  install: () => Promise<boolean>;
}

/** The command or path of a Chromium that runs: the one in CHROMIUM, one that is there, or a fresh one by apt-get. */
export async function ensureChromium(machine: Machine, say: (line: string) => void): Promise<string> {
  if (machine.wished) {
    if (machine.runs(machine.wished)) return machine.wished;
    throw new Explained(`CHROMIUM names ${machine.wished}, which is no Chromium or Chrome that runs here.`);
  }
  const there = find(machine);
  if (there) return there;
  if (!machine.hasApt || !machine.isRoot) throw new Explained(howToInstall(machine));
  say("Installing Chromium with apt-get for the end-to-end tests: about 400 MB on disk, once.");
  const installed = (await machine.install()) ? find(machine) : undefined;
  if (!installed) throw new Explained(`apt-get gave no Chromium that runs. ${OTHERWISE}`);
  return installed;
}

const OTHERWISE = "Install Chromium or Google Chrome, or set CHROMIUM to the path of one, then run the same again.";

function find(machine: Machine): string | undefined {
  return [...NAMES, ...(machine.platform === "darwin" ? MAC_APPS : [])].find(machine.runs);
}

function howToInstall(machine: Machine): string {
  const first = "The end-to-end tests need a Chromium and there is none here.";
  if (machine.hasApt) {
    return `${first} Installing one wants root: run \`sudo apt-get install chromium\`, then the same again. Or set CHROMIUM to the path of one.`;
  }
  return `${first} ${OTHERWISE}`;
}

/** This machine. */
export function thisMachine(): Machine {
  const works = (command: string, pattern: RegExp) => {
    const asked = spawnSync(command, ["--version"], { encoding: "utf8", timeout: VERSION_MS });
    return asked.status === 0 && pattern.test(asked.stdout);
  };
  return {
    platform: process.platform,
    isRoot: process.getuid?.() === 0,
    hasApt: works("apt-get", /apt/),
    wished: process.env.CHROMIUM || undefined,
    runs: (command) => works(command, /Chrom(e|ium) /),
    install: async () => {
      const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
      const update = await run("apt-get", ["update", "-q"], { env, output: { kind: "capture" } });
      const install = await run("apt-get", ["install", "-yq", "--no-install-recommends", "chromium"], {
        env,
        output: { kind: "capture" },
      });
      if (install.code !== 0) console.error(`${update.output}${install.output}`.trimEnd());
      return install.code === 0;
    },
  };
}
