import { type FSWatcher, mkdirSync, readdirSync, readFileSync, rmSync, statSync, watch } from "node:fs";
import { join } from "node:path";
import { MAX_REPORT_BYTES, REPORTS_POLL_MS } from "../../limits.ts";
import type { LeftReport } from "./core/left.ts";
import { type Report, rank, readReport } from "./core/report.ts";

interface Found extends LeftReport {
  name: string;
}

function missing(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ENOENT";
}

/** The reports that lie there, oldest first. What is none is removed: nobody will ever understand it. */
export function listReports(folder: string): Found[] {
  let names: string[];
  try {
    names = readdirSync(folder).filter((name) => name.endsWith(".report"));
  } catch (error) {
    if (missing(error)) return [];
    throw error;
  }
  return names
    .flatMap((name) => {
      const read = readOne(join(folder, name));
      if (read === null) rmSync(join(folder, name), { force: true });
      return read === null ? [] : [{ name, ...read }];
    })
    .sort((a, b) => Number(a.ns - b.ns) || rank(a.report) - rank(b.report) || a.name.localeCompare(b.name))
    .map(({ name, report, at }) => ({ name, report, at }));
}

function readOne(path: string): { report: Report; at: number; ns: bigint } | null {
  const { size, mtimeNs } = statSync(path, { bigint: true });
  if (size > BigInt(MAX_REPORT_BYTES)) return null;
  const report = readReport(readFileSync(path, "utf8"));
  return report && { report, at: Number(mtimeNs / 1_000_000n), ns: mtimeNs };
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
    mkdirSync(ports.folder, { recursive: true, mode: 0o700 });
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
    rmSync(join(this.ports.folder, name), { force: true });
  }

  close(): void {
    this.watcher?.close();
    clearInterval(this.timer);
  }

  private watch(): FSWatcher | null {
    try {
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
