import { AGENT_TERMINAL } from "@reprise/protocol";
import { foregroundOf } from "../../host/process.ts";
import { CANCEL_MS, EXIT_WAIT_MS, REST_MS, TITLE_MS } from "../../limits.ts";
import type { Program } from "../../terminal/life.ts";
import type { Terminal } from "../../terminal/terminal.ts";
import type { Terminals } from "../../terminal/terminals.ts";
import { NO_KEYS, typed } from "./core/keys.ts";
import { AGENT_ENDED_OSC } from "./core/script.ts";
import { cleanTitle, NO_TITLE, retitled, type TitlePace } from "./core/title.ts";
import { lastWords } from "./failure.ts";
import { Timers } from "./timers.ts";
import { Typist } from "./typist.ts";

/** What the agent that has the terminal now hears of it. */
export interface Listener {
  title(title: string): void;
  /** Somebody typed, in a pane or through the door for input. `submitted`: a whole line. */
  typed(submitted: boolean): void;
  /** What was to be typed for it would have gone to its shell. */
  refused(): void;
  /** It shows something new. */
  stirs(): void;
  /** Told to stop, it came to rest. */
  rests(): void;
  /** Its shell has ended. */
  ended(): void;
}

/** One life of the terminal that a session's agents run in, under one shell. */
export class AgentTerminal {
  private terminal: Terminal | null = null;
  private listener: Listener | null = null;
  private readonly typist: Typist;
  private readonly timers = new Timers();
  private keys = NO_KEYS;
  private titles: TitlePace = NO_TITLE;
  /** What is written meanwhile comes from here, not from a person. */
  private writing = false;
  private stirred = 0;
  /** Until then, coming to rest means that it stopped as it was told. */
  private restBy = 0;
  private words: string | null = null;
  private heardWords: () => void = () => undefined;

  constructor() {
    const pastes = () => this.terminal?.pastes === true;
    // A shell gives each of its jobs a group of its own. The agent's, or of what it runs, is in front, or nobody can tell.
    const reaches = () => this.shell === null || foregroundOf(this.shell) !== this.shell;
    this.typist = new Typist({ pastes, reaches, write: (text) => this.write(text) });
  }

  /** Begin it. @returns the name under which the life before goes on, if it does */
  async run(
    terminals: Terminals,
    program: Program,
  ): Promise<{ ok: true; kept: string | null } | { ok: false; message: string }> {
    const ran = await terminals.run(AGENT_TERMINAL, program, {
      title: (title) => this.retitle(cleanTitle(title)),
      command: {
        number: AGENT_ENDED_OSC,
        heard: (lines) => {
          this.words = lastWords(lines);
          this.heardWords();
        },
      },
      onInput: (bytes) => this.onInput(bytes),
      onOutput: () => this.onOutput(),
      onEnd: () => this.listener?.ended(),
    });
    if (!ran.ok) return ran;
    this.terminal = ran.terminal;
    return { ok: true, kept: ran.kept };
  }

  /** Of the shell, while it lives. */
  get shell(): number | null {
    return this.terminal && !this.terminal.ended ? this.terminal.pid : null;
  }

  /** From now on this agent has it; null: only the shell. */
  give(listener: Listener | null): void {
    this.listener = listener;
    this.titles = NO_TITLE;
    this.words = null;
    this.timers.clearAll();
    this.typist.forget();
  }

  type(text: string): void {
    this.typist.type(text, () => this.listener?.refused());
  }

  /** The agent is going: what still waits to be typed must not reach the shell, which would run it. */
  hush(): void {
    this.typist.forget();
  }

  /** What makes agents stop what they do. */
  escape(): void {
    this.write("\x1b");
    this.toldToStop();
  }

  /** What stood on the screen when the agent's wrapper said that it is over; "" when it did not say so in time. */
  async lastWords(): Promise<string> {
    if (this.words === null)
      await new Promise<void>((resolve) => {
        this.heardWords = resolve;
        this.timers.set("words", EXIT_WAIT_MS, resolve);
      });
    this.timers.clear("words");
    return this.words ?? "";
  }

  private write(text: string): void {
    this.writing = true;
    this.terminal?.write(Buffer.from(text));
    this.writing = false;
  }

  private onInput(bytes: Uint8Array): void {
    if (this.writing) return;
    const { keys, submitted, any, stops } = typed(this.keys, bytes);
    this.keys = keys;
    if (any) this.listener?.typed(submitted);
    if (stops) this.toldToStop();
  }

  /** Claude Code tells no end of a turn that its person stopped: that it comes to rest is all there is. */
  private toldToStop(): void {
    this.stirred = Date.now();
    this.restBy = this.stirred + CANCEL_MS;
    if (!this.timers.has("rest")) this.awaitRest(REST_MS);
  }

  private onOutput(): void {
    this.stirred = Date.now();
    this.listener?.stirs();
  }

  private awaitRest(ms: number): void {
    this.timers.set("rest", ms, () => {
      const now = Date.now();
      const left = this.stirred + REST_MS - now;
      if (left <= 0) this.listener?.rests();
      else if (now < this.restBy) this.awaitRest(left);
    });
  }

  private retitle(title: string | null): void {
    if (!this.listener) return;
    const now = Date.now();
    const { pace, tell, arm } = retitled(this.titles, title, now, TITLE_MS);
    this.titles = pace;
    if (tell !== null) this.listener.title(tell);
    if (arm !== null) this.timers.set("title", arm - now, () => this.retitle(null));
  }
}
