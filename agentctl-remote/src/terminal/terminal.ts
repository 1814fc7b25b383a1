import type { TerminalUp } from "@reprise/protocol";
import {
  COALESCE_MS,
  KEYS_IN_FLIGHT,
  MAX_KNOWN_PANES,
  MAX_SCREEN_BACKLOG_BYTES,
  TERMINAL_RING_BYTES,
} from "../limits.ts";
import { arrived, IDLE_PACE, type Pace, type PaceStep, tick } from "./core/coalesce.ts";
import { acknowledge, attach, next, type Pane, resized, snapshotTaken } from "./core/pane.ts";
import { append, EMPTY_RING, type Ring, read } from "./core/ring.ts";
import type { Pty, PtyPorts } from "./pty.ts";
import type { Screen } from "./screen.ts";

type Distributed<T> = T extends unknown ? Omit<T, "terminal_id" | "pane_id" | "viewer_id"> : never;
type Told = Distributed<TerminalUp>;

export interface Viewer {
  viewer_id: string;
  pane_id: string;
}

export interface TerminalPorts {
  stream_id: string;
  screen: Screen;
  start(ports: PtyPorts): Pty;
  tell(viewer: Viewer, told: Told): void;
  onEnd(exit: Exit): void;
  now(): number;
  /** Somebody typed. */
  onInput?(bytes: Uint8Array): void;
  /** Its program wrote something. */
  onOutput?(): void;
}

export interface Exit {
  exit_code: number | null;
  signal: string | null;
}

/** Those who look at a terminal whose next life begins. */
export interface Panes {
  seats: { viewer: Viewer; have: { stream_id: string; offset: number } }[];
  inputs: ReadonlyMap<string, number>;
}

interface Seat extends Viewer {
  pane: Pane;
  toldEnd: boolean;
}

/** One life of a terminal: its program, its screen, its newest bytes, and who looks at it (B1, B2). */
export class Terminal {
  private readonly ports: TerminalPorts;
  private readonly pty: Pty;
  private readonly seats = new Map<string, Seat>();
  /** Inputs taken, by pane: a pane that comes back over another way is still the same (never twice). */
  private readonly inputs = new Map<string, number>();
  private ring: Ring = EMPTY_RING;
  private pace: Pace = IDLE_PACE;
  private timer: NodeJS.Timeout | null = null;
  private paused = false;
  private exit: Exit | null = null;

  constructor(ports: TerminalPorts) {
    this.ports = ports;
    this.pty = ports.start({
      onData: (chunk) => this.onData(chunk),
      onExit: (exit) => {
        this.exit = exit;
        this.pump();
        ports.onEnd(exit);
      },
    });
  }

  get pid(): number {
    return this.pty.pid;
  }

  get ended(): boolean {
    return this.exit !== null;
  }

  /** All that it has written so far, in bytes. */
  get offset(): number {
    return this.ring.to;
  }

  get panes(): number {
    return this.seats.size;
  }

  get size(): { cols: number; rows: number } {
    return this.ports.screen.size;
  }

  get pastes(): boolean {
    return this.ports.screen.pastes;
  }

  /** Give up the panes: the next life of this terminal has them. */
  handOver(): Panes {
    const { stream_id } = this.ports;
    const seats = [...this.seats.values()].map(({ viewer_id, pane_id, pane }) => ({
      viewer: { viewer_id, pane_id },
      have: { stream_id, offset: pane.sent },
    }));
    this.seats.clear();
    return { seats, inputs: this.inputs };
  }

  /** Take the panes of the life before: each gets this one's screen, and what it still typed for that is not taken. */
  takeOver({ seats, inputs }: Panes): void {
    for (const [pane_id, n] of inputs) this.inputs.set(pane_id, n + KEYS_IN_FLIGHT);
    for (const { viewer, have } of seats) this.attach(viewer, this.size, have);
  }

  attach(viewer: Viewer, size: { cols: number; rows: number }, have: Parameters<typeof attach>[0]): void {
    this.resize(size.cols, size.rows);
    const { stream_id } = this.ports;
    const pane = attach(have, { stream_id, ...this.ring });
    const seat: Seat = { ...viewer, pane, toldEnd: false };
    this.seats.set(keyOf(viewer), seat);
    if (pane.needs === null) {
      const input = this.inputs.get(viewer.pane_id) ?? 0;
      this.ports.tell(viewer, {
        type: "terminal.attached",
        stream_id,
        offset: pane.sent,
        ...this.ports.screen.size,
        input,
      });
    }
    this.pumpSeat(seat);
  }

  /** Each once and in turn; a gap means that some got lost on the way, and the pane is told where it stands. */
  input(viewer: Viewer, n: number, bytes: Uint8Array): void {
    const taken = this.inputs.get(viewer.pane_id) ?? 0;
    if (n > taken + 1) {
      const seat = this.seats.get(keyOf(viewer));
      if (seat) this.seats.delete(keyOf(viewer));
      const have = seat && { stream_id: this.ports.stream_id, offset: seat.pane.sent };
      this.attach(viewer, this.ports.screen.size, have ?? null);
      return;
    }
    if (n === taken + 1) {
      if (!this.write(bytes)) return;
      this.note(viewer.pane_id, n);
    }
    this.ports.tell(viewer, { type: "terminal.input_taken", n });
  }

  /** To the program, whoever typed it (B1). @returns false when that has ended */
  write(bytes: Uint8Array): boolean {
    if (this.exit !== null) return false;
    this.pty.write(bytes);
    this.ports.onInput?.(bytes);
    return true;
  }

  ack(viewer: Viewer, offset: number): void {
    const seat = this.seats.get(keyOf(viewer));
    if (!seat) return;
    seat.pane = acknowledge(seat.pane, offset);
    this.pumpSeat(seat);
  }

  /** The newest wish counts, whoever's: a program has one size. */
  resize(cols: number, rows: number): void {
    const { screen } = this.ports;
    if (this.exit !== null || (screen.size.cols === cols && screen.size.rows === rows)) return;
    this.pump();
    this.pty.resize(cols, rows);
    screen.resize(cols, rows);
    for (const seat of this.seats.values()) {
      seat.pane = resized(seat.pane, this.ring.to);
      if (seat.pane.needs === null) this.ports.tell(seat, { type: "terminal.resized", cols, rows });
      else this.pumpSeat(seat);
    }
  }

  detach(viewer: Viewer): void {
    this.seats.delete(keyOf(viewer));
  }

  /** That viewer's panes, or all. */
  drop(viewerId: string | null): void {
    for (const [key, seat] of this.seats) if (viewerId === null || seat.viewer_id === viewerId) this.seats.delete(key);
  }

  dispose(): void {
    if (this.timer) clearTimeout(this.timer);
    this.seats.clear();
    this.ports.screen.dispose();
  }

  /** What the screen answers to its program (where is the cursor, who are you). */
  answer(text: string): void {
    if (this.exit === null) this.pty.write(Buffer.from(text));
  }

  private onData(chunk: Uint8Array): void {
    const { screen } = this.ports;
    this.ring = append(this.ring, chunk, TERMINAL_RING_BYTES);
    screen.feed(chunk, () => this.breathe());
    if (!this.paused && screen.backlog > MAX_SCREEN_BACKLOG_BYTES) {
      this.paused = true;
      this.pty.pause();
    }
    this.keepPace(arrived(this.pace, chunk.length, this.ports.now(), COALESCE_MS));
    this.ports.onOutput?.();
  }

  /** Only our own reading holds a program back, never a viewer's. */
  private breathe(): void {
    if (!this.paused || this.ports.screen.backlog > MAX_SCREEN_BACKLOG_BYTES / 2) return;
    this.paused = false;
    this.pty.resume();
  }

  private keepPace({ pace, flush, arm }: PaceStep): void {
    this.pace = pace;
    if (arm !== null && this.timer === null)
      this.timer = setTimeout(
        () => {
          this.timer = null;
          this.keepPace(tick(this.pace, this.ports.now(), COALESCE_MS));
        },
        Math.max(0, arm - this.ports.now()),
      );
    if (flush) this.pump();
  }

  private pump(): void {
    for (const seat of this.seats.values()) this.pumpSeat(seat);
  }

  private pumpSeat(seat: Seat): void {
    const { stream_id, screen, tell } = this.ports;
    for (;;) {
      const step = next(seat.pane, { stream_id, ...this.ring });
      seat.pane = step.pane;
      if (step.next.do === "send") {
        const { offset, length } = step.next;
        const bytes = read(this.ring, offset, length);
        tell(seat, { type: "terminal.output", offset, data: Buffer.from(bytes).toString("base64") });
        continue;
      }
      if (step.next.do === "snapshot") screen.snapshot((made) => this.show(seat, made));
      break;
    }
    if (this.exit !== null && !seat.toldEnd && seat.pane.needs === null && seat.pane.sent === this.ring.to) {
      seat.toldEnd = true;
      tell(seat, { type: "terminal.ended", stream_id, ...this.exit });
    }
  }

  private show(seat: Seat, { offset, cols, rows, text }: Parameters<Parameters<Screen["snapshot"]>[0]>[0]): void {
    // Gone, or attached anew, while it was made.
    if (this.seats.get(keyOf(seat)) !== seat) return;
    const { size } = this.ports.screen;
    if (size.cols !== cols || size.rows !== rows) {
      // Resized while it was made: what came in between was laid out for neither.
      seat.pane = { ...seat.pane, asked: false };
      this.pumpSeat(seat);
      return;
    }
    const why = seat.pane.needs ?? "first";
    seat.pane = snapshotTaken(offset);
    const input = this.inputs.get(seat.pane_id) ?? 0;
    const { stream_id } = this.ports;
    this.ports.tell(seat, { type: "terminal.snapshot", stream_id, offset, cols, rows, input, why, screen: text });
    this.pumpSeat(seat);
  }

  private note(paneId: string, n: number): void {
    this.inputs.delete(paneId);
    this.inputs.set(paneId, n);
    const [oldest] = this.inputs.keys();
    if (this.inputs.size > MAX_KNOWN_PANES && oldest !== undefined) this.inputs.delete(oldest);
  }
}

function keyOf({ viewer_id, pane_id }: Viewer): string {
  return `${viewer_id} ${pane_id}`;
}
