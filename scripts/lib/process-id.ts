import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";

/**
 * When a process was started, as text that is the same at every look and differs from that of a later process with
 * the same pid; null when there is none, or only a zombie. Linux counts from boot, hence the boot id.
 */
export function startTimeOf(pid: number): string | null {
  return process.platform === "linux" ? linuxStartTime(pid) : psStartTime(pid);
}

function linuxStartTime(pid: number): string | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    // The command's name, in parentheses, may hold spaces and parentheses itself.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    if (fields[0] === "Z" || fields[0] === "X") return null;
    const boot = readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim();
    return `${boot}:${fields[19]}`;
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === "ENOENT" || code === "ESRCH") return null;
    throw error;
  }
}

function psStartTime(pid: number): string | null {
  try {
    const out = execFileSync("ps", ["-o", "stat=,lstart=", "-p", String(pid)], { encoding: "utf8" }).trim();
    const [stat = "", ...started] = out.split(/\s+/);
    return stat === "" || stat.startsWith("Z") ? null : started.join(" ");
  } catch (error) {
    // ps ends with 1 when it knows no such process.
    if ((error as { status?: number }).status === 1) return null;
    throw error;
  }
}
