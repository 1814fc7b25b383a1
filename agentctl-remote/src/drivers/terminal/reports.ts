import {
  closeSync,
  constants,
  type FSWatcher,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readSync,
  rmSync,
  unlinkSync,
  watch,
} from "node:fs";
import { join } from "node:path";
import { MAX_REPORT_BYTES, REPORTS_POLL_MS } from "../../limits.ts";
import type { LeftReport } from "./core/left.ts";
import { type Report, rank, readReport } from "./core/report.ts";

interface Found extends LeftReport {
  name: string;
}

/** It isn't there (any more), or isn't what it should be: a link, a socket, something that nobody may read. */
const NONE = new Set<unknown>(["ENOENT", "ENOTDIR", "ELOOP", "ENXIO", "EACCES"]);

function isNone(error: unknown): boolean {
  return error instanceof Error && "code" in error && NONE.has(error.code);
}

/** The reports that lie there, oldest first. What is none is removed: nobody will ever understand it. */
export function listReports(folder: string): Found[] {
  let names: string[];
  try {
    names = readdirSync(folder).filter((name) => name.endsWith(".report"));
  } catch (error) {
    if (isNone(error)) return [];
    throw error;
  }
  return names
    .flatMap((name) => {
      const read = readOne(join(folder, name));
      if (read === null) discard(join(folder, name));
      return read === null ? [] : [{ name, ...read }];
    })
    .sort((a, b) => Number(a.ns - b.ns) || rank(a.report) - rank(b.report) || a.name.localeCompare(b.name))
    .map(({ name, report, at }) => ({ name, report, at }));
}

function discard(path: string): void {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (stats?.isDirectory()) rmSync(path, { recursive: true, force: true });
  // Not `rmSync`, which takes a link that leads nowhere for nothing.
  else if (stats) unlinkSync(path);
}

/** S6: the agent can put anything there: no link is followed, nothing is waited for, and no more is read than fits. */
function readOne(path: string): { report: Report; at: number; ns: bigint } | null {
  let file: number | null = null;
  try {
    file = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    const stats = fstatSync(file, { bigint: true });
    if (!stats.isFile() || stats.size > BigInt(MAX_REPORT_BYTES)) return null;
    const bytes = Buffer.alloc(Number(stats.size));
    const report = readReport(bytes.toString("utf8", 0, readSync(file, bytes)));
    return report && { report, at: Number(stats.mtimeNs / 1_000_000n), ns: stats.mtimeNs };
  } catch (error) {
    if (isNone(error)) return null;
    throw error;
  } finally {
    if (file !== null) closeSync(file);
  }
}

/**
 * `taken`: what it says is on disk. `held`: it is taken, but not on disk yet; it stays until `release`. `later`: it can't
 * be taken now, nor can those after it.
 */
export type Taken = "taken" | "held" | "later";

export interface ReportsPorts {
  folder: string;
  take(report: Report, at: number): Taken;
  log(message: string, details?: Record<string, unknown>): void;
}

/** Watches the folder, and hands each report over once, in the order in which they were made. */
export class Reports {
  private readonly ports: ReportsPorts;
  private readonly watcher: FSWatcher | null;
  private readonly timer: NodeJS.Timeout;
  private readonly held = new Set<string>();
  private looking = false;

  constructor(ports: ReportsPorts) {
    this.ports = ports;
    this.watcher = this.watch();
    // A watch may miss what happens on some file systems, and where none can be had.
    this.timer = setInterval(() => this.look(), REPORTS_POLL_MS);
    this.timer.unref();
  }

  /** Take what lies there now. */
  look(): void {
    // What is taken may ask for a look itself; the rest comes in its turn.
    if (this.looking) return;
    this.looking = true;
    try {
      for (const { name, report, at } of listReports(this.ports.folder)) {
        if (this.held.has(name)) continue;
        const taken = this.ports.take(report, at);
        if (taken === "later") break;
        if (taken === "held") this.held.add(name);
        else this.remove(name);
      }
    } catch (error) {
      this.ports.log("The reports of the terminal's agent can't be read.", { error: String(error) });
    } finally {
      this.looking = false;
    }
  }

  /** What was held is on disk. */
  release(): void {
    for (const name of this.held) this.remove(name);
    this.held.clear();
    this.look();
  }

  private remove(name: string): void {
    discard(join(this.ports.folder, name));
  }

  close(): void {
    this.watcher?.close();
    clearInterval(this.timer);
  }

  private watch(): FSWatcher | null {
    try {
      mkdirSync(this.ports.folder, { recursive: true, mode: 0o700 });
      const watcher = watch(this.ports.folder, { persistent: false }, () => this.look());
      watcher.on("error", (error) =>
        this.ports.log("The reports' folder is not watched any more.", { error: error.message }),
      );
      return watcher;
    } catch (error) {
      this.ports.log("The reports' folder can't be watched, so it is looked at instead.", { error: String(error) });
      return null;
    }
  }
}
