import { accessSync, constants, existsSync } from "node:fs";
import { Agents } from "../agents/agents.ts";
import { readConfig } from "../agents/config.ts";
import { whichCommand } from "../agents/find.ts";
import { askDoor } from "../daemon/door.ts";
import { loadIdentity } from "../daemon/identity.ts";
import { lockHolder } from "../daemon/lock.ts";
import { makeStateFolder, type StatePaths, statePaths } from "../daemon/paths.ts";
import { runtimesNow } from "../executors/executors.ts";
import { JOIN_LIMIT_MS } from "../limits.ts";
import { makeLog } from "../log.ts";
import { agentLines, isThere } from "./agent-lines.ts";
import { hostBundle } from "./host-bundle.ts";

export interface Finding {
  ok: boolean;
  text: string;
}

const good = (text: string): Finding => ({ ok: true, text });
const bad = (text: string): Finding => ({ ok: false, text });

/** Look for what is missing on this machine, and say in words how to get it. */
export async function doctor(options: { state?: string }): Promise<{ findings: Finding[]; text: string }> {
  const paths = statePaths(options.state);
  const findings = [node(), stateFolder(paths), git(), host(), ...(await connection(paths))];
  findings.push(...(await runtimes(paths)), ...agents(paths));
  const text = findings.map((finding) => `${finding.ok ? "ok     " : "missing"}  ${finding.text}`).join("\n");
  return { findings, text };
}

function node(): Finding {
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
  const enough = major > 22 || (major === 22 && minor >= 13);
  return enough
    ? good(`Node ${process.version}`)
    : bad(`Node ${process.version} is too old: 22.13 or newer is needed.`);
}

function stateFolder(paths: StatePaths): Finding {
  try {
    makeStateFolder(paths);
    accessSync(paths.dir, constants.W_OK);
    return good(`State folder ${paths.dir}`);
  } catch (error) {
    return bad(
      `The state folder ${paths.dir} can't be used: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
}

function git(): Finding {
  return whichCommand("git") ? good("git") : bad("git isn't installed: sessions can't have worktrees of their own.");
}

function host(): Finding {
  return existsSync(hostBundle())
    ? good("Host program")
    : bad(`The host program ${hostBundle()} isn't there: build or install agentctl again.`);
}

async function connection(paths: StatePaths): Promise<Finding[]> {
  const { joined } = loadIdentity(paths);
  if (!joined) return [bad("Not joined. Make a join token under Machines, then run: agentctl join URL TOKEN")];
  const status = await askDoor(paths.door, "status");
  const findings = [good(`Joined ${joined.url} as "${joined.name}"`), await health(joined.url)];
  if (status?.link.connected) return [...findings, good(`Daemon connected (pid ${status.pid})`)];
  if (status) return [...findings, bad(`The daemon (pid ${status.pid}) isn't connected: ${status.link.message}`)];
  const holder = lockHolder(paths);
  return [
    ...findings,
    bad(holder ? `The daemon (pid ${holder.pid}) doesn't answer.` : "No daemon runs. Start it with: agentctl up"),
  ];
}

async function health(url: string): Promise<Finding> {
  try {
    const response = await fetch(new URL("/api/health", url), { signal: AbortSignal.timeout(JOIN_LIMIT_MS) });
    return response.ok ? good("Control plane answers") : bad(`The control plane answers ${response.status}.`);
  } catch (error) {
    return bad(`The control plane ${url} can't be reached: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** What sessions may run in beside processes of the machine. */
async function runtimes(paths: StatePaths): Promise<Finding[]> {
  const config = readConfig(paths.config);
  if (!config.runtimes.includes("docker")) return [];
  const infos = await runtimesNow(config, makeLog());
  return infos
    .filter(({ runtime }) => runtime === "docker")
    .map(({ reason }) => (reason === null ? good(`Docker, with the image ${config.docker?.image}`) : bad(reason)));
}

/** Agents are no fault when missing: one is enough. */
function agents(paths: StatePaths): Finding[] {
  const config = readConfig(paths.config);
  const list = new Agents({ cachePath: paths.agents, config, log: makeLog(), changed: () => undefined }).list();
  const missing = list.flatMap((agent) => (isThere(agent) || agent.hint === null ? [] : [agent.hint]));
  const lines = [...agentLines(list).map((line) => `Agent ${line}`), ...missing].map(good);
  return list.some(isThere) ? lines : [...lines, bad("No agent is installed: get one of the above.")];
}
