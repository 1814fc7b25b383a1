import { FitAddon } from "@xterm/addon-fit";
import { Unicode11Addon } from "@xterm/addon-unicode11";
import { Terminal } from "@xterm/xterm";
import "@xterm/xterm/css/xterm.css";
import type { Display } from "@reprise/sdk";
import { isMac } from "../ui/Kbd.tsx";
import { toast } from "../ui/toast.ts";
import { answerNothing } from "./answers.ts";
import { Find, type Found } from "./find.ts";
import { touchable } from "./gestures.ts";
import { followLinks, type PointedLink } from "./links.ts";
import { allowMixedColours, withNonce } from "./page-policy.ts";
import { pasteable } from "./paste.ts";
import { shortcutOf } from "./shortcuts.ts";
import { terminalTheme } from "./theme.ts";
import { type Card, drawByCard } from "./webgl.ts";

export interface ScreenHandlers {
  keys(text: string): void;
  /** Mouse reports of old programs. */
  bytes(bytes: Uint8Array): void;
  focused(): void;
  titled(title: string): void;
  find(): void;
  found(found: Found): void;
  pointed(link: PointedLink | null): void;
  selected(something: boolean): void;
}

export interface ScreenLook {
  readonly fontSize: number;
  readonly label: string;
  /** An agent's: its prompt takes several lines. */
  readonly agent: boolean;
  /** What draws it; null: the terminal itself. */
  readonly card: Card | null;
}

/** A terminal on the page: xterm, in the page's type and colours. */
export class PageScreen implements Omit<Display, "notice"> {
  readonly #terminal: Terminal;
  readonly #handlers: ScreenHandlers;
  readonly #agent: boolean;
  readonly #fit = new FitAddon();
  readonly #find: Find;
  readonly #gone = new AbortController();
  #takesKeys = true;
  #looking = false;

  constructor(element: HTMLElement, handlers: ScreenHandlers, { fontSize, label, agent, card }: ScreenLook) {
    const terminal = new Terminal({
      allowProposedApi: true,
      cursorBlink: !matchMedia("(prefers-reduced-motion: reduce)").matches,
      fontFamily: '"JetBrains Mono Variable", ui-monospace, monospace',
      fontSize,
      lineHeight: 1.1,
      macOptionClickForcesSelection: true,
      macOptionIsMeta: true,
      // Programs choose their colours for a ground that they can't know.
      minimumContrastRatio: 4.5,
      scrollback: 5_000,
      theme: terminalTheme({ cursor: true, looking: false }),
    });
    this.#terminal = terminal;
    this.#handlers = handlers;
    this.#agent = agent;
    terminal.loadAddon(this.#fit);
    terminal.loadAddon(new Unicode11Addon());
    terminal.unicode.activeVersion = "11";
    answerNothing(terminal);
    followLinks(terminal, handlers.pointed);
    this.#find = new Find(terminal, handlers.found);
    allowMixedColours();
    withNonce(() => terminal.open(element));
    if (card !== null) drawByCard(terminal, card);
    terminal.onData(handlers.keys);
    terminal.onBinary((text) => handlers.bytes(Uint8Array.from(text, (char) => char.charCodeAt(0))));
    terminal.onTitleChange(handlers.titled);
    terminal.onSelectionChange(() => handlers.selected(terminal.hasSelection()));
    terminal.attachCustomKeyEventHandler((event) => this.#onKey(event));
    this.#listen(element, label);
  }

  /** What would fill its place; null while it has none. */
  proposed(): { cols: number; rows: number } | null {
    const size = this.#fit.proposeDimensions();
    return size && size.cols > 1 && size.rows > 0 ? { cols: size.cols, rows: size.rows } : null;
  }

  /** The program wants its arrows in the application's form. */
  get applicationKeys(): boolean {
    return this.#terminal.modes.applicationCursorKeysMode;
  }

  get selection(): string {
    return this.#terminal.getSelection();
  }

  screen(text: string, size: { cols: number; rows: number }, shown: () => void): void {
    this.#terminal.reset();
    this.size(size);
    this.#terminal.write(text, shown);
  }

  output(bytes: Uint8Array, shown: () => void): void {
    this.#terminal.write(bytes, shown);
  }

  size({ cols, rows }: { cols: number; rows: number }): void {
    if (this.#terminal.cols !== cols || this.#terminal.rows !== rows) this.#terminal.resize(cols, rows);
  }

  repaint(): void {
    this.#terminal.options.theme = terminalTheme({ cursor: this.#takesKeys, looking: this.#looking });
  }

  /** One that takes none shows no cursor. It keeps the focus, though: else what is typed on would be the page's keys. */
  takesKeys(on: boolean): void {
    this.#takesKeys = on;
    this.#terminal.options.disableStdin = !on;
    this.#terminal.options.cursorInactiveStyle = on ? "outline" : "none";
    this.repaint();
  }

  look(words: string, how: "typed" | "next" | "previous"): void {
    if (!this.#looking) {
      this.#looking = true;
      this.repaint();
    }
    this.#find.look(words, how);
  }

  endLook(): void {
    this.#looking = false;
    this.repaint();
    this.#find.end();
  }

  /** As one piece, in brackets where the program wants them. */
  paste(text: string): void {
    this.#terminal.paste(pasteable(text));
  }

  /** Copies what is selected. */
  copy(): void {
    if (!this.#terminal.hasSelection()) return;
    navigator.clipboard.writeText(this.selection).then(
      () => this.#terminal.clearSelection(),
      () => toast("The browser does not allow copying here. Select the text and copy it by its menu.", { tone: "red" }),
    );
  }

  focus(): void {
    this.#terminal.focus();
  }

  dispose(): void {
    this.#gone.abort();
    this.#terminal.dispose();
  }

  #listen(element: HTMLElement, label: string): void {
    const { signal } = this.#gone;
    this.#terminal.textarea?.setAttribute("aria-label", label);
    this.#terminal.textarea?.addEventListener("focus", () => this.#handlers.focused(), { signal });
    const paste = (event: ClipboardEvent) => {
      event.preventDefault();
      event.stopPropagation();
      this.paste(event.clipboardData?.getData("text/plain") ?? "");
    };
    element.addEventListener("paste", paste, { capture: true, signal });
    touchable(this.#terminal, element, signal);
  }

  #onKey(event: KeyboardEvent): boolean {
    const shortcut = shortcutOf(event, {
      mac: isMac,
      selected: this.#terminal.hasSelection(),
      fullScreen: this.#terminal.buffer.active.type === "alternate",
      agent: this.#agent,
    });
    if (shortcut === null) return true;
    const down = event.type === "keydown";
    if (shortcut === "browser_copy") {
      // The next Ctrl-C is the program's again.
      if (down) setTimeout(() => this.#terminal.clearSelection());
      return false;
    }
    if (shortcut === "browser_paste") return false;
    event.preventDefault();
    event.stopPropagation();
    if (!down) return false;
    if (shortcut === "copy") this.copy();
    else if (shortcut === "find") this.#handlers.find();
    // What agents take for a new line in their prompt, where Enter alone sends it.
    else this.#terminal.input("\x1b\r");
    return false;
  }
}
