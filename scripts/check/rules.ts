/** What a workspace may import of the others (docs/architecture.md, "arrows point down only"). */
export interface Arrow {
  /** The workspace's folder. */
  to: string;
  /** Only `import type`. */
  typesOnly?: boolean;
  /** Only from files below this folder of the importing workspace. */
  from?: string;
}

export const ARROWS: Readonly<Record<string, readonly Arrow[]>> = {
  protocol: [],
  worker: [{ to: "protocol" }],
  sdk: [{ to: "protocol" }, { to: "worker", typesOnly: true }],
  dashboard: [{ to: "protocol" }, { to: "sdk" }],
  // The daemon and the host speak the node's protocol; only the command is a client like the dashboard.
  "agentctl-remote": [{ to: "protocol" }, { to: "sdk", from: "src/command/" }],
  // The simulation runs the cores of both sides, the end-to-end tests and benchmarks the programs as processes.
  sim: [{ to: "protocol" }, { to: "worker" }, { to: "agentctl-remote" }],
  // The fleet plays many machines in one process: their daemons are the real ones.
  e2e: [{ to: "protocol" }, { to: "sdk" }, { to: "agentctl-remote", from: "src/fleet/" }],
  bench: [{ to: "protocol" }, { to: "sdk" }, { to: "e2e" }],
};

/** Workspaces that hold nothing but pure code, and files of others that do by their name. Tests may do more. */
export function isPure(path: string): boolean {
  if (/\.test\.tsx?$|(^|\/)(test|testing)\/|(^|\/)vitest\.config\.ts$/.test(path)) return false;
  return path.startsWith("protocol/") || /^(worker|agentctl-remote)\/.*(\/core\/|\/core\.ts$|\.core\.ts$)/.test(path);
}

/** Globals any member of which brings a clock, randomness or the outside world: they are passed into pure code. */
export const IMPURE_OBJECTS: ReadonlySet<string> = new Set([
  "crypto",
  "performance",
  "process",
  "console",
  "globalThis",
  "localStorage",
  "navigator",
  "caches",
]);

/** Members of otherwise harmless globals. */
export const IMPURE_MEMBERS: ReadonlySet<string> = new Set(["Date.now", "Math.random", "Temporal.Now"]);

/** Globals that must not be called or constructed. */
export const IMPURE_CALLS: ReadonlySet<string> = new Set([
  "fetch",
  "WebSocket",
  "XMLHttpRequest",
  "setTimeout",
  "setInterval",
  "setImmediate",
  "queueMicrotask",
]);

/** Modules that pure code may not import: anything of the platform, or that does I/O. */
export const IMPURE_MODULES =
  /^(node:|cloudflare:|bun:)|^(fs|net|os|path|crypto|child_process|http|https|ws|pino|react)(\/|$)/;
