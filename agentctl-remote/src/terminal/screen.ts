import type { Terminal as Headless } from "@xterm/headless";
import { z } from "zod";
import { MAX_SCREEN_JSON_CHARS, MAX_UNFED_BYTES, TERMINAL_SCROLLBACK } from "../limits.ts";
import { GROUND, type Scan, scan } from "./core/boundary.ts";
import type { HeadlessTerminal } from "./modules.ts";
import { Picture } from "./picture.ts";

const MOUSE: Readonly<Record<string, number>> = { x10: 9, vt200: 1000, drag: 1002, any: 1003 };

/** What the library keeps to itself, and a snapshot needs. */
const Core = z.object({
  buffer: z.object({ scrollTop: z.number(), scrollBottom: z.number() }),
  coreService: z.object({ isCursorHidden: z.boolean() }),
  coreMouseService: z.object({ activeEncoding: z.string() }),
});

type Core = z.infer<typeof Core>;
/** Of a version of the library that keeps them elsewhere: the screen is right, those are as at the beginning. */
const NO_CORE: Core = {
  buffer: { scrollTop: 0, scrollBottom: Number.NaN },
  coreService: { isCursorHidden: false },
  coreMouseService: { activeEncoding: "DEFAULT" },
};

/** What a screen hears from its program, besides what it shows. */
export interface ScreenEvents {
  /** What the program asked of its terminal is to be answered with this. */
  answer: (text: string) => void;
  title?: (title: string) => void;
  /** It said the command of that number; `lines`: what stands on the screen at that moment. */
  command?: { number: number; heard: (lines: string[]) => void };
}

const set = (mode: number, on: boolean) => (on ? `\x1b[?${mode}h` : "");

export interface Snapshot {
  offset: number;
  cols: number;
  rows: number;
  text: string;
}

/**
 * The screen of one terminal: fed with all of its bytes, whole sequences only, so that a snapshot can be made at any
 * moment (B1). It also answers what programs ask of their terminal, once, whoever looks.
 */
export class Screen {
  private readonly terminal: Headless;
  private state: Scan = GROUND;
  /** Begun and not ended yet: not fed so far. */
  private readonly unfed: Uint8Array[] = [];
  private unfedBytes = 0;
  private offset = 0;
  /** What its program calls itself. */
  private title = "";
  /** Given to the parser, and not read by it yet. */
  private unread = 0;

  constructor(Terminal: HeadlessTerminal, size: { cols: number; rows: number }, events: ScreenEvents) {
    this.size = size;
    this.terminal = new Terminal({ ...size, scrollback: TERMINAL_SCROLLBACK, allowProposedApi: true });
    this.terminal.onData(events.answer);
    this.terminal.onBinary(events.answer);
    const { title, command } = events;
    this.terminal.onTitleChange((said) => {
      this.title = said;
      title?.(said);
    });
    if (command)
      this.terminal.parser.registerOscHandler(command.number, () => {
        command.heard(this.lines());
        return true;
      });
  }

  /** Its program takes a paste as one, not as keys. */
  get pastes(): boolean {
    return this.terminal.modes.bracketedPasteMode;
  }

  /** As it will be once all that was asked for has happened. */
  size: { cols: number; rows: number };

  /** Bytes that wait for the parser: a program that writes faster has to wait. */
  get backlog(): number {
    return this.unread;
  }

  /** @param onRead once it is on the screen */
  feed(chunk: Uint8Array, onRead: () => void): void {
    const { state, safe } = scan(this.state, chunk);
    this.state = state;
    if (safe > 0) this.take([...this.unfed.splice(0), chunk.subarray(0, safe)], onRead);
    const rest = chunk.subarray(safe);
    if (rest.length > 0) this.unfed.push(rest);
    this.unfedBytes = (safe > 0 ? 0 : this.unfedBytes) + rest.length;
    // A sequence without an end: rather a cut inside it than a screen that stands still.
    if (this.unfedBytes > MAX_UNFED_BYTES) {
      this.unfedBytes = 0;
      this.take(this.unfed.splice(0), onRead);
    }
  }

  /** In turn: after what was fed before. */
  resize(cols: number, rows: number): void {
    this.size = { cols, rows };
    this.terminal.write("", () => this.terminal.resize(cols, rows));
  }

  /** The screen with all that was fed so far, and where in the stream that is. */
  snapshot(then: (snapshot: Snapshot) => void): void {
    const { offset, size } = this;
    this.terminal.write("", () => then({ offset, ...size, text: this.text() }));
  }

  dispose(): void {
    this.terminal.dispose();
  }

  private take(chunks: readonly Uint8Array[], onRead: () => void): void {
    for (const chunk of chunks) {
      this.offset += chunk.length;
      this.unread += chunk.length;
      this.terminal.write(chunk, () => {
        this.unread -= chunk.length;
        onRead();
      });
    }
  }

  private text(): string {
    const known = Core.safeParse(Reflect.get(this.terminal, "_core"));
    const core = known.success ? known.data : NO_CORE;
    for (const scrollback of [TERMINAL_SCROLLBACK, Math.floor(TERMINAL_SCROLLBACK / 5), 0]) {
      const text = new Picture(this.terminal).draw(scrollback, this.area(core)) + this.modes(core);
      if (JSON.stringify(text).length <= MAX_SCREEN_JSON_CHARS) return text;
    }
    return this.plain();
  }

  /** Where a program lets its cursor go. */
  private area(core: Core): { text: string; top: number } {
    const { scrollTop, scrollBottom } = core.buffer;
    const { originMode } = this.terminal.modes;
    const whole = Number.isNaN(scrollBottom) || (scrollTop === 0 && scrollBottom === this.terminal.rows - 1);
    const region = whole ? "" : `\x1b[${scrollTop + 1};${scrollBottom + 1}r`;
    return { text: region + set(6, originMode), top: originMode ? scrollTop : 0 };
  }

  private modes(core: Core): string {
    const { modes } = this.terminal;
    const { isCursorHidden } = core.coreService;
    const { activeEncoding } = core.coreMouseService;
    return [
      this.title === "" ? "" : `\x1b]2;${this.title}\x07`,
      isCursorHidden ? "\x1b[?25l" : "",
      set(1006, activeEncoding === "SGR"),
      set(1016, activeEncoding === "SGR_PIXELS"),
      set(1, modes.applicationCursorKeysMode),
      set(66, modes.applicationKeypadMode),
      set(2004, modes.bracketedPasteMode),
      set(1004, modes.sendFocusMode),
      set(45, modes.reverseWraparoundMode),
      set(MOUSE[modes.mouseTrackingMode] ?? 0, modes.mouseTrackingMode !== "none"),
      modes.insertMode ? "\x1b[4h" : "",
      modes.wraparoundMode ? "" : "\x1b[?7l",
    ].join("");
  }

  /** A screen whose colours alone outgrow a frame: its words. */
  private plain(): string {
    const { active } = this.terminal.buffer;
    return `\x1b[2J\x1b[H${this.lines().join("\r\n")}\x1b[${active.cursorY + 1};${active.cursorX + 1}H`;
  }

  private lines(): string[] {
    const { active } = this.terminal.buffer;
    const lines: string[] = [];
    for (let y = active.baseY; y < active.length; y++) lines.push(active.getLine(y)?.translateToString(true) ?? "");
    return lines;
  }
}
