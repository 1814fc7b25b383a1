import type { spawn } from "@lydell/node-pty";
import type { Terminal } from "@xterm/headless";

export type HeadlessTerminal = typeof Terminal;

/**
 * The terminal's library: in the host's own file, but not run before somebody opens a terminal, for it needs memory. Its
 * letters are as wide as those of a page, and of what programs go by; else a picture would be another one there (C27).
 */
export async function loadScreen(): Promise<HeadlessTerminal> {
  // CommonJS: bundled or not, what they export is under `default`.
  const [{ Terminal }, widths] = await Promise.all([
    import("@xterm/headless").then((module) => module.default),
    import("@xterm/addon-unicode11").then((module) => module.default),
  ]);
  return class extends Terminal {
    constructor(options: ConstructorParameters<typeof Terminal>[0]) {
      super(options);
      this.loadAddon(new widths.Unicode11Addon());
      this.unicode.activeVersion = "11";
    }
  };
}

export type PtyModule = { ok: true; spawn: typeof spawn } | { ok: false; message: string };

/**
 * The native part, loaded at the host's start: later, another version's file may lie in its place. Where it can't be
 * loaded only shells are missing, and they say why.
 */
export async function loadPty(): Promise<PtyModule> {
  try {
    const pty = await import("@lydell/node-pty");
    return { ok: true, spawn: pty.spawn };
  } catch (error) {
    const first = (error instanceof Error ? error.message : String(error)).split("\n")[0] ?? "";
    const message = `This machine (${process.platform}, ${process.arch}) can't open a terminal: ${first.slice(0, 500)}`;
    return { ok: false, message };
  }
}
