import { homedir } from "node:os";
import { Explained } from "../lib/explained.ts";
import { type Machine, thisMachine } from "./apt.ts";

const NAMES = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];
const MAC_APPS = ["Google Chrome", "Chromium"].flatMap((name) =>
  ["/Applications", `${homedir()}/Applications`].map((folder) => `${folder}/${name}.app/Contents/MacOS/${name}`),
);

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
export function thisChromiumMachine(): Machine {
  return thisMachine({ version: /Chrom(e|ium) /, pkg: "chromium", wished: process.env.CHROMIUM || undefined });
}
