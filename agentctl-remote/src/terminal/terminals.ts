import { randomUUID } from "node:crypto";
import { TERMINAL_REFUSALS, type TerminalDown, type TerminalSupport, type TerminalUp } from "@reprise/protocol";
import type { ProcessIdentity } from "../host/process.ts";
import { MAX_TERMINALS } from "../limits.ts";
import { endShell } from "./ending.ts";
import { type HeadlessTerminal, loadScreen, type PtyModule } from "./modules.ts";
import { ptyStarter } from "./pty.ts";
import { Screen } from "./screen.ts";
import { shellCommand, shellEnv } from "./shell.ts";
import { Terminal, type Viewer } from "./terminal.ts";

type Attach = Extract<TerminalDown, { type: "terminal.attach" }>;

export interface TerminalsPorts {
  cwd: string;
  pty: PtyModule;
  tell(frame: TerminalUp): void;
  /** Panes or shells came or went. */
  changed(): void;
  /** The shells that live now, for the next host to find. */
  note(shells: readonly ProcessIdentity[]): void;
  identify(pid: number): ProcessIdentity;
  log(message: string, details?: Record<string, unknown>): void;
}

/** All terminals of one host. */
export class Terminals {
  private readonly ports: TerminalsPorts;
  private readonly all = new Map<string, Terminal>();
  private screens: HeadlessTerminal | null = null;
  /** While the screen's library is loaded, frames wait their turn. */
  private waiting: TerminalDown[] | null = null;

  constructor(ports: TerminalsPorts) {
    this.ports = ports;
  }

  get support(): TerminalSupport {
    const { pty } = this.ports;
    return pty.ok ? { ok: true } : { ok: false, code: "pty_missing", message: pty.message };
  }

  get panes(): number {
    return [...this.all.values()].reduce((sum, terminal) => sum + terminal.panes, 0);
  }

  get alive(): number {
    return this.living().length;
  }

  onFrame(frame: TerminalDown): void {
    if (this.waiting) this.waiting.push(frame);
    else if (this.screens === null && frame.type === "terminal.attach") {
      this.waiting = [frame];
      void this.load();
    } else this.carryOut(frame);
    this.ports.changed();
  }

  /** Nobody follows any more: every pane attaches anew. */
  dropPanes(): void {
    this.waiting = this.waiting && [];
    for (const terminal of this.all.values()) terminal.drop(null);
  }

  /** The host ends, and its shells with it (X6). */
  async endAll(): Promise<void> {
    await Promise.all(this.living().map(({ pid }) => endShell(pid)));
    this.ports.note([]);
  }

  private living(): Terminal[] {
    return [...this.all.values()].filter((terminal) => !terminal.ended);
  }

  private async load(): Promise<void> {
    try {
      this.screens = await loadScreen();
    } catch (error) {
      this.ports.log("The terminal's library could not be loaded.", { error: String(error) });
    }
    const frames = this.waiting ?? [];
    this.waiting = null;
    for (const frame of frames) this.carryOut(frame);
    this.ports.changed();
  }

  private carryOut(frame: TerminalDown): void {
    if (frame.type === "terminal.viewer_gone") {
      for (const terminal of this.all.values()) terminal.drop(frame.viewer_id);
      return;
    }
    const viewer: Viewer = { viewer_id: frame.viewer_id, pane_id: frame.pane_id };
    const terminal = this.all.get(frame.terminal_id);
    if (frame.type === "terminal.attach") {
      this.lifeFor(frame, terminal)?.attach(viewer, frame, frame.have);
      return;
    }
    if (!terminal) return;
    switch (frame.type) {
      case "terminal.input":
        terminal.input(viewer, frame.n, Buffer.from(frame.data, "base64"));
        return;
      case "terminal.ack":
        terminal.ack(viewer, frame.offset);
        return;
      case "terminal.resize":
        terminal.resize(frame.cols, frame.rows);
        return;
      case "terminal.detach":
        terminal.detach(viewer);
        return;
    }
  }

  /** The terminal's present life, or a new one where it may begin. */
  private lifeFor(frame: Attach, present: Terminal | undefined): Terminal | null {
    if (present && !(present.ended && frame.start)) return present;
    const { pty } = this.ports;
    if (!pty.ok) return this.refuse(frame, "pty_missing", pty.message);
    if (this.screens === null) return this.refuse(frame, "pty_missing", "The terminal's library could not be loaded.");
    if (!frame.start) return this.refuse(frame, "terminal_ended", TERMINAL_REFUSALS.terminal_ended);
    if (!present && this.all.size >= MAX_TERMINALS) this.forgetEnded();
    if (!present && this.all.size >= MAX_TERMINALS) return this.refuse(frame, "too_many", TERMINAL_REFUSALS.too_many);
    try {
      const made = this.start(frame, ptyStarter(pty), this.screens);
      present?.dispose();
      this.all.set(frame.terminal_id, made);
      this.noteLiving();
      return made;
    } catch (error) {
      this.ports.log("A shell could not be started.", { error: String(error) });
      return this.refuse(frame, "shell_failed", `The shell could not be started: ${String(error).slice(0, 500)}`);
    }
  }

  /** One that has ended is kept to be looked at, not to be in the way of another. */
  private forgetEnded(): void {
    for (const [name, terminal] of this.all) {
      if (!terminal.ended) continue;
      terminal.dispose();
      this.all.delete(name);
      return;
    }
  }

  private start(frame: Attach, startPty: ReturnType<typeof ptyStarter>, screens: HeadlessTerminal): Terminal {
    const size = { cols: frame.cols, rows: frame.rows };
    const screen = new Screen(screens, size, (text) => made.answer(text));
    const made: Terminal = new Terminal({
      stream_id: randomUUID(),
      screen,
      start: (ports) => startPty({ ...shellCommand(), cwd: this.ports.cwd, env: shellEnv(), ...size }, ports),
      tell: ({ viewer_id, pane_id }, told) =>
        this.ports.tell({ ...told, viewer_id, pane_id, terminal_id: frame.terminal_id }),
      onEnd: () => {
        this.noteLiving();
        this.ports.changed();
      },
      now: () => performance.now(),
    });
    return made;
  }

  private noteLiving(): void {
    this.ports.note(this.living().map(({ pid }) => this.ports.identify(pid)));
  }

  private refuse({ terminal_id, pane_id, viewer_id }: Attach, code: string, message: string): null {
    this.ports.tell({ type: "terminal.refused", terminal_id, pane_id, viewer_id, code, message });
    return null;
  }
}
