import {
  MAX_TERMINAL_CHUNK,
  newPane,
  type PaneEffect,
  type PaneEvent,
  type PaneState,
  stepPane,
} from "@reprise/protocol";
import { ATTACH_AGAIN_MS } from "../limits.ts";
import type { SessionSocket } from "../session/socket.ts";

/** What shows a terminal: xterm in a page, the person's own terminal under a command. */
export interface Display {
  /** Take it instead of all that is shown; call `shown` when it is there. */
  screen(text: string, size: { cols: number; rows: number }, shown: () => void): void;
  output(bytes: Uint8Array, shown: () => void): void;
  size(size: { cols: number; rows: number }): void;
  /** `renewed`: it is another program than before; `lost_input`: keys that were typed for that one went nowhere. */
  notice(what: "renewed" | "lost_input"): void;
}

export interface PaneOptions {
  socket: SessionSocket;
  terminalId: string;
  /** Of this view, 8 to 40 letters and digits; a page that is loaded again is another view. */
  paneId: string;
  size: { cols: number; rows: number };
  display: Display;
  onState: (state: PaneState) => void;
}

/** One view of a terminal of a session, kept through every loss of the way to it (B1). */
export class Pane {
  readonly #options: PaneOptions;
  readonly #link: ReturnType<SessionSocket["pane"]>;
  #state: PaneState;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #closed = false;

  constructor(options: PaneOptions) {
    this.#options = options;
    this.#state = newPane(options.terminalId, options.paneId, options.size);
    // Told of the present link while it joins: effects need `#link`, so they wait until it is there.
    const early: PaneEvent[] = [];
    let joined = false;
    const on = (event: PaneEvent) => (joined ? this.#on(event) : void early.push(event));
    this.#link = options.socket.pane({
      frame: (frame) => on({ type: "frame", frame }),
      link: (up) => on({ type: "link", up }),
    });
    joined = true;
    for (const event of early) this.#on(event);
    this.#wait();
  }

  get state(): PaneState {
    return this.#state;
  }

  /** Keys, or a paste: each part is sent once, in its order, and not to another program than it was typed for. */
  input(bytes: Uint8Array): void {
    for (let from = 0; from < bytes.length; from += MAX_TERMINAL_CHUNK)
      this.#on({ type: "input", data: toBase64(bytes.subarray(from, from + MAX_TERMINAL_CHUNK)) });
  }

  resize(size: { cols: number; rows: number }): void {
    this.#on({ type: "resize", size });
  }

  /** A new life of it, or another try: a person asked for it. */
  start(): void {
    this.#on({ type: "start" });
  }

  /** Its program may be there again: look, without beginning a new life of it. */
  again(): void {
    this.#on({ type: "again" });
  }

  /** The view closes; the terminal lives on. */
  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    clearTimeout(this.#timer);
    const { terminal_id, pane_id } = this.#state;
    this.#link.send({ type: "terminal.detach", terminal_id, pane_id });
    this.#link.leave();
  }

  #on(event: PaneEvent): void {
    if (this.#closed) return;
    const before = this.#state;
    const { state, effects } = stepPane(before, event);
    this.#state = state;
    for (const effect of effects) this.#run(effect);
    if (state.phase !== before.phase) this.#wait();
    if (state !== before) this.#options.onState(state);
  }

  /** At every moment that it isn't attached, a timer leads on: an answer, or the wish for the way, may have been lost. */
  #wait(): void {
    clearTimeout(this.#timer);
    const { phase } = this.#state;
    if (phase !== "waiting" && phase !== "attaching") return;
    this.#timer = setTimeout(() => {
      if (this.#options.socket.state.connection.kind === "live") this.#on({ type: "overdue" });
      this.#wait();
    }, ATTACH_AGAIN_MS);
  }

  #run(effect: PaneEffect): void {
    const { display } = this.#options;
    switch (effect.type) {
      case "send":
        this.#link.send(effect.frame);
        break;
      case "screen":
        display.screen(effect.screen, effect.size, () => this.#on({ type: "shown", offset: effect.offset }));
        if (effect.renewed) display.notice("renewed");
        break;
      case "output":
        display.output(fromBase64(effect.data).subarray(effect.skip), () =>
          this.#on({ type: "shown", offset: effect.offset }),
        );
        break;
      case "size":
        display.size(effect.size);
        break;
      case "lost_input":
        display.notice("lost_input");
        break;
    }
  }
}

function toBase64(bytes: Uint8Array): string {
  let text = "";
  for (const byte of bytes) text += String.fromCharCode(byte);
  return btoa(text);
}

function fromBase64(data: string): Uint8Array {
  const text = atob(data);
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i);
  return bytes;
}
