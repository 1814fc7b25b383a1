import {
  AGENT_TERMINAL,
  TERMINAL_REFUSALS,
  type TerminalDown,
  type TerminalSupport,
  type TerminalUp,
} from "@reprise/protocol";
import { type ProcessIdentity, sessionGroups } from "../host/process.ts";
import { AGENT_TERMINAL_SIZE, MAX_TERMINALS } from "../limits.ts";
import { endShell } from "./ending.ts";
import { beginLife, type Program, type ProgramEvents, personsShell } from "./life.ts";
import { type HeadlessTerminal, loadScreen, type PtyModule } from "./modules.ts";
import { ptyStarter, type StartPty } from "./pty.ts";
import type { Terminal, Viewer } from "./terminal.ts";

type Attach = Extract<TerminalDown, { type: "terminal.attach" }>;
type Modules = { screens: HeadlessTerminal; startPty: StartPty };

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

/** `kept`: the name under which the life before goes on, because something still runs in it. */
export type Ran = { ok: true; terminal: Terminal; kept: string | null } | { ok: false; message: string };

const NO_LIBRARY = "The terminal's library could not be loaded.";

/** All terminals of one host. */
export class Terminals {
  private readonly ports: TerminalsPorts;
  private readonly all = new Map<string, Terminal>();
  /** Replaced, and not ended yet. */
  private readonly leaving = new Set<Terminal>();
  /** Panes of the agent's terminal that came before its first life. */
  private readonly early = new Map<string, Attach>();
  private screens: HeadlessTerminal | null = null;
  private loading: Promise<void> | null = null;
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
    return [...this.all.values()].reduce((sum, terminal) => sum + terminal.panes, this.early.size);
  }

  get alive(): number {
    return this.living().length;
  }

  onFrame(frame: TerminalDown): void {
    if (this.screens === null && frame.type === "terminal.attach") void this.load();
    if (this.waiting) this.waiting.push(frame);
    else this.carryOut(frame);
    this.ports.changed();
  }

  /** Nobody follows any more: every pane attaches anew. */
  dropPanes(): void {
    this.waiting = this.waiting && [];
    this.early.clear();
    for (const terminal of this.all.values()) terminal.drop(null);
  }

  /**
   * Run a program in a terminal of that name, in a fresh life. Panes of the life before get the new one's screen. What
   * still runs in that goes on under another name; a shell that only waits is ended.
   */
  async run(name: string, program: Program, events: ProgramEvents): Promise<Ran> {
    await this.load();
    const modules = this.modules();
    if ("message" in modules) return { ok: false, message: modules.message };
    const before = this.all.get(name);
    const early = [...this.early.values()];
    const size = before?.size ?? early[0] ?? AGENT_TERMINAL_SIZE;
    const { cols, rows } = size;
    if (!before && this.all.size >= MAX_TERMINALS) this.forgetEnded();
    let terminal: Terminal;
    try {
      terminal = this.begin(name, { program, size: { cols, rows }, events }, modules);
    } catch (error) {
      return { ok: false, message: `The shell could not be started: ${String(error).slice(0, 500)}` };
    }
    if (before) terminal.takeOver(before.handOver());
    const kept = before ? this.retire(name, before) : null;
    this.all.set(name, terminal);
    if (name === AGENT_TERMINAL) this.early.clear();
    for (const frame of early) terminal.attach(viewerOf(frame), frame, null);
    this.noteLiving();
    this.ports.changed();
    return { ok: true, terminal, kept };
  }

  /** B1: to a live terminal, whether anybody has attached it or not. */
  write(name: string, bytes: Uint8Array): "written" | "ended" | "not_found" {
    const terminal = this.all.get(name);
    if (!terminal) return "not_found";
    return terminal.write(bytes) ? "written" : "ended";
  }

  /** The host ends, and its shells with it (X6). */
  async endAll(): Promise<void> {
    await Promise.all(this.living().map(({ pid }) => endShell(pid)));
    this.ports.note([]);
  }

  private living(): Terminal[] {
    return [...this.all.values(), ...this.leaving].filter((terminal) => !terminal.ended);
  }

  private load(): Promise<void> {
    if (this.screens !== null) return Promise.resolve();
    this.loading ??= this.loadNow();
    return this.loading;
  }

  private async loadNow(): Promise<void> {
    this.waiting = [];
    try {
      this.screens = await loadScreen();
    } catch (error) {
      this.ports.log(NO_LIBRARY, { error: String(error) });
    }
    const frames = this.waiting ?? [];
    this.waiting = null;
    this.loading = null;
    for (const frame of frames) this.carryOut(frame);
    this.ports.changed();
  }

  private modules(): Modules | { message: string } {
    const { pty } = this.ports;
    if (!pty.ok) return { message: pty.message };
    return this.screens === null ? { message: NO_LIBRARY } : { screens: this.screens, startPty: ptyStarter(pty) };
  }

  private carryOut(frame: TerminalDown): void {
    if (frame.type === "terminal.viewer_gone") {
      for (const terminal of this.all.values()) terminal.drop(frame.viewer_id);
      for (const [key, { viewer_id }] of this.early) if (viewer_id === frame.viewer_id) this.early.delete(key);
      return;
    }
    const viewer = viewerOf(frame);
    const terminal = this.all.get(frame.terminal_id);
    if (frame.type === "terminal.attach") {
      this.lifeFor(frame, terminal)?.attach(viewer, frame, frame.have);
      return;
    }
    if (frame.type === "terminal.detach") this.early.delete(keyOf(frame));
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
    const agents = frame.terminal_id === AGENT_TERMINAL;
    if (present && (agents || !(present.ended && frame.start))) return present;
    const modules = this.modules();
    if ("message" in modules) return this.refuse(frame, "pty_missing", modules.message);
    if (agents) {
      this.early.set(keyOf(frame), frame);
      return this.refuse(frame, "agent_not_started", TERMINAL_REFUSALS.agent_not_started);
    }
    if (!frame.start) return this.refuse(frame, "terminal_ended", TERMINAL_REFUSALS.terminal_ended);
    if (!present && this.all.size >= MAX_TERMINALS) this.forgetEnded();
    if (!present && this.all.size >= MAX_TERMINALS) return this.refuse(frame, "too_many", TERMINAL_REFUSALS.too_many);
    try {
      const { terminal_id, cols, rows } = frame;
      const program = personsShell(this.ports.cwd);
      const made = this.begin(terminal_id, { program, size: { cols, rows } }, modules);
      present?.dispose();
      this.all.set(terminal_id, made);
      this.noteLiving();
      return made;
    } catch (error) {
      this.ports.log("A shell could not be started.", { error: String(error) });
      return this.refuse(frame, "shell_failed", `The shell could not be started: ${String(error).slice(0, 500)}`);
    }
  }

  /** @returns the name that it goes on under; null when it doesn't */
  private retire(name: string, old: Terminal): string | null {
    if (old.ended) {
      old.dispose();
      return null;
    }
    if (sessionGroups(old.pid).some((group) => group !== old.pid)) {
      const kept = this.freeName(name);
      this.all.set(kept, old);
      return kept;
    }
    this.leaving.add(old);
    void endShell(old.pid);
    return null;
  }

  private nameOf(terminal: Terminal): string | undefined {
    return [...this.all].find(([, one]) => one === terminal)?.[0];
  }

  private freeName(name: string): string {
    let n = 2;
    while (this.all.has(`${name}-${n}`)) n++;
    return `${name}-${n}`;
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

  private begin(name: string, life: Parameters<typeof beginLife>[0], modules: Modules): Terminal {
    const made: Terminal = beginLife(life, modules, {
      tell: (viewer, told) => this.ports.tell({ ...told, ...viewerOf(viewer), terminal_id: this.nameOf(made) ?? name }),
      onEnd: () => {
        if (this.leaving.delete(made)) made.dispose();
        this.noteLiving();
        this.ports.changed();
      },
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

function keyOf({ viewer_id, pane_id }: Viewer): string {
  return `${viewer_id} ${pane_id}`;
}

function viewerOf({ viewer_id, pane_id }: Viewer): Viewer {
  return { viewer_id, pane_id };
}
