import { FitAddon } from "@xterm/addon-fit";
import { Terminal } from "@xterm/xterm";
import "@xterm/xterm/css/xterm.css";
import type { Display } from "@reprise/sdk";
import { terminalTheme } from "./terminal-theme.ts";

/**
 * Style elements carry the page's nonce, or its policy drops them (S5). The library makes some when it opens, of the
 * page's own document, and has no option for it.
 */
function withNonce(open: () => void): void {
  const nonce = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce;
  const make = document.createElement.bind(document);
  Object.defineProperty(document, "createElement", {
    configurable: true,
    value: (tag: string, options?: ElementCreationOptions) => {
      const element = make(tag, options);
      if (tag === "style" && nonce !== undefined) element.nonce = nonce;
      return element;
    },
  });
  try {
    open();
  } finally {
    Reflect.deleteProperty(document, "createElement");
  }
}

/** The machine's own screen answers these, once: a second answer from here would be typed into the shell. */
function answerNothing({ parser }: Terminal): void {
  const none = () => true;
  for (const prefix of ["", ">", "="]) parser.registerCsiHandler({ ...(prefix && { prefix }), final: "c" }, none);
  for (const prefix of ["", "?"]) {
    parser.registerCsiHandler({ ...(prefix && { prefix }), final: "n" }, none);
    parser.registerCsiHandler({ ...(prefix && { prefix }), intermediates: "$", final: "p" }, none);
  }
  parser.registerCsiHandler({ prefix: ">", final: "q" }, none);
  parser.registerDcsHandler({ intermediates: "$", final: "q" }, none);
  for (const code of [4, 10, 11, 12]) parser.registerOscHandler(code, (data) => data.includes("?"));
}

export interface ScreenHandlers {
  keys(bytes: Uint8Array): void;
  focused(): void;
}

/** A terminal on the page: xterm, in the page's type and colours. */
export class PageScreen implements Omit<Display, "notice"> {
  readonly #terminal: Terminal;
  readonly #fit = new FitAddon();

  constructor(
    element: HTMLElement,
    handlers: ScreenHandlers,
    { fontSize, label }: { fontSize: number; label: string },
  ) {
    const terminal = new Terminal({
      allowProposedApi: true,
      cursorBlink: !matchMedia("(prefers-reduced-motion: reduce)").matches,
      fontFamily: '"JetBrains Mono Variable", ui-monospace, monospace',
      fontSize,
      lineHeight: 1.25,
      macOptionIsMeta: true,
      // Links in a program's output are untrusted: only web addresses, in a page that can't reach this one (S5).
      linkHandler: {
        activate: (_event, uri) => void (/^https?:\/\//.test(uri) && window.open(uri, "_blank", "noopener,noreferrer")),
      },
      scrollback: 5_000,
      theme: terminalTheme(),
    });
    this.#terminal = terminal;
    terminal.loadAddon(this.#fit);
    answerNothing(terminal);
    withNonce(() => terminal.open(element));
    terminal.textarea?.setAttribute("aria-label", label);
    terminal.onData((text) => handlers.keys(new TextEncoder().encode(text)));
    // Mouse reports of old programs: bytes, one a character.
    terminal.onBinary((text) => handlers.keys(Uint8Array.from(text, (char) => char.charCodeAt(0))));
    terminal.textarea?.addEventListener("focus", () => handlers.focused());
  }

  /** What would fill its place; null while it has none. */
  proposed(): { cols: number; rows: number } | null {
    const size = this.#fit.proposeDimensions();
    return size && size.cols > 1 && size.rows > 0 ? { cols: size.cols, rows: size.rows } : null;
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
    this.#terminal.options.theme = terminalTheme();
  }

  takesKeys(on: boolean): void {
    this.#terminal.options.disableStdin = !on;
    this.#terminal.options.cursorInactiveStyle = on ? "outline" : "none";
  }

  focus(): void {
    this.#terminal.focus();
  }

  dispose(): void {
    this.#terminal.dispose();
  }
}
