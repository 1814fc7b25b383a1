import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";

/** Which process this was, so that it is never confused with a later one of the same number (X7). */
export interface ProcessIdentity {
  pid: number;
  /** In the kernel's words; null where the platform tells none. */
  start_time: string | null;
  boot_id: string;
}

interface Stat {
  ppid: number;
  /** A zombie whose other threads still end holds its sockets and locks: not gone yet. */
  gone: boolean;
  pgid: number;
  sid: number;
  tpgid: number;
  startTime: string;
}

const LINUX = process.platform === "linux";

/** The fields after the command's name, which may itself hold spaces and brackets. */
function readStat(pid: number): Stat | null {
  let text: string;
  try {
    text = readFileSync(`/proc/${pid}/stat`, "utf8");
  } catch {
    // No such process (any more): that is the answer.
    return null;
  }
  const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
  const [state, ppid, pgid, sid] = fields;
  const [threads, startTime] = [fields[17], fields[19]];
  if (!state || !pgid || !startTime) return null;
  return {
    gone: gone(state) && Number(threads) <= 1,
    ppid: Number(ppid),
    pgid: Number(pgid),
    sid: Number(sid),
    tpgid: Number(fields[5]),
    startTime,
  };
}

function ps(args: readonly string[]): string {
  try {
    return execFileSync("ps", args, { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }).trim();
  } catch {
    // `ps` exits with 1 when nothing matches.
    return "";
  }
}

function gone(state: string): boolean {
  return state.startsWith("Z") || state.startsWith("X");
}

/** One life of the kernel. `REPRISE_BOOT_ID` stands in for it in tests. */
export function bootId(env: NodeJS.ProcessEnv = process.env): string {
  if (env["REPRISE_BOOT_ID"]) return env["REPRISE_BOOT_ID"];
  if (LINUX) return readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim();
  return execFileSync("sysctl", ["-n", "kern.boottime"], { encoding: "utf8" }).trim();
}

/** One life of the container that this process is in: its processes' numbers mean nothing in the next one. */
export function containerLife(env: NodeJS.ProcessEnv = process.env): string {
  return `${bootId(env)}:${startTimeOf(1) ?? "unknown"}`;
}

/** @returns null when there is no such process, or the platform doesn't tell */
export function startTimeOf(pid: number): string | null {
  if (LINUX) return readStat(pid)?.startTime ?? null;
  return ps(["-o", "lstart=", "-p", String(pid)]) || null;
}

/** Is this very process there, and not merely a zombie or a namesake? */
export function isAlive(who: ProcessIdentity, currentBoot: string): boolean {
  if (who.boot_id !== currentBoot) return false;
  if (LINUX) {
    const stat = readStat(who.pid);
    return stat !== null && !stat.gone && (who.start_time === null || stat.startTime === who.start_time);
  }
  const state = ps(["-o", "stat=", "-p", String(who.pid)]);
  return state !== "" && !gone(state) && (who.start_time === null || startTimeOf(who.pid) === who.start_time);
}

/** The living members of a process group: zombies are dead. */
export function groupMembers(pgid: number): number[] {
  if (!LINUX) {
    return ps(["-A", "-o", "pid=,pgid=,stat="])
      .split("\n")
      .map((line) => line.trim().split(/\s+/))
      .filter(([, group, state]) => Number(group) === pgid && state !== undefined && !gone(state))
      .map(([pid]) => Number(pid));
  }
  const members: number[] = [];
  for (const name of readdirSync("/proc")) {
    if (!/^\d+$/.test(name)) continue;
    const stat = readStat(Number(name));
    if (stat && stat.pgid === pgid && !stat.gone) members.push(Number(name));
  }
  return members;
}

/** A process and all below it that live. */
export function familyOf(pid: number): number[] {
  const children = new Map<number, number[]>();
  for (const [child, parent] of parents()) children.set(parent, [...(children.get(parent) ?? []), child]);
  const family = [pid];
  for (const one of family) family.push(...(children.get(one) ?? []));
  return family;
}

function parents(): [number, number][] {
  if (!LINUX)
    return ps(["-A", "-o", "pid=,ppid="])
      .split("\n")
      .map((line) => line.trim().split(/\s+/).map(Number))
      .flatMap(([pid, ppid]) => (pid !== undefined && ppid !== undefined ? [[pid, ppid]] : []));
  return readdirSync("/proc").flatMap((name): [number, number][] => {
    const stat = /^\d+$/.test(name) ? readStat(Number(name)) : null;
    return stat && !stat.gone ? [[Number(name), stat.ppid]] : [];
  });
}

/** The process groups that have living members in that process session. Where the platform tells no sessions: its leader's. */
export function sessionGroups(sid: number): number[] {
  if (!LINUX) return groupMembers(sid).length > 0 ? [sid] : [];
  const groups = new Set<number>();
  for (const name of readdirSync("/proc")) {
    if (!/^\d+$/.test(name)) continue;
    const stat = readStat(Number(name));
    if (stat && stat.sid === sid && !stat.gone) groups.add(stat.pgid);
  }
  return [...groups];
}

/** Which group of a terminal its keys go to, by its shell; null where nobody can tell. */
export function foregroundOf(shell: number): number | null {
  if (LINUX) return readStat(shell)?.tpgid ?? null;
  const group = ps(["-o", "tpgid=", "-p", String(shell)]);
  return group === "" ? null : Number(group);
}

/** @returns false when nobody is there to get it */
export function signalGroup(pgid: number, signal: NodeJS.Signals): boolean {
  return send(-pgid, signal);
}

/** @returns false when it is gone */
export function signalProcess(pid: number, signal: NodeJS.Signals): boolean {
  return send(pid, signal);
}

function send(target: number, signal: NodeJS.Signals): boolean {
  try {
    process.kill(target, signal);
    return true;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ESRCH") return false;
    throw error;
  }
}

/** The process group of a process; null when it is gone. */
export function groupOf(pid: number): number | null {
  if (LINUX) return readStat(pid)?.pgid ?? null;
  const group = ps(["-o", "pgid=", "-p", String(pid)]);
  return group === "" ? null : Number(group);
}
