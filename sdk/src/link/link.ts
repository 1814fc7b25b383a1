import { CLOSE, HEARTBEAT_PING, HEARTBEAT_PONG } from "@reprise/protocol";
import { isFinal } from "../errors.ts";
import { type LinkEffect, type LinkEvent, type LinkState, type Refusal, stepLink, stoppedLink } from "./core.ts";
import type { OpenSocket, WebSocketLike } from "./socket.ts";

/** The standard's code for an end that was meant. */
const NORMAL = 1000;

/** What a link takes from its surroundings, so that tests bring their own. */
export interface LinkEnvironment {
  now: () => number;
  random: () => number;
  /** @returns a function that takes it back */
  setTimer: (work: () => void, ms: number) => () => void;
  open: OpenSocket;
}

export interface LinkHandlers {
  /** Asked at each connect: the cursor is in it. */
  url: () => string;
  opened: () => void;
  text: (raw: string) => void;
  /** The socket is gone; another one is on its way. */
  lost: () => void;
  refused: (refusal: Refusal) => void;
  /** The same thing over HTTP: fails with the reason why a socket is refused. */
  ask: () => Promise<unknown>;
}

export function realEnvironment(open: OpenSocket): LinkEnvironment {
  return {
    now: () => Date.now(),
    random: () => Math.random(),
    setTimer: (work, ms) => {
      const timer = setTimeout(work, ms);
      return () => clearTimeout(timer);
    },
    open,
  };
}

/** One socket that comes back by itself. It runs the effects of the core and decides nothing. */
export class Link {
  #state: LinkState = stoppedLink;
  #socket: WebSocketLike | null = null;
  #clearTimer: () => void = () => undefined;
  readonly #env: LinkEnvironment;
  readonly #handlers: LinkHandlers;

  constructor(env: LinkEnvironment, handlers: LinkHandlers) {
    this.#env = env;
    this.#handlers = handlers;
  }

  /** Sends, if the socket is open; else it is lost, and what reconnects says it again. */
  send(text: string): void {
    if (this.#state.kind === "open") this.#socket?.send(text);
  }

  on(event: LinkEvent): void {
    const before = this.#state;
    const { state, effects } = stepLink(before, event, { now: this.#env.now(), random: this.#env.random() });
    this.#state = state;
    const was = before.kind === "open" || before.kind === "connecting";
    const replaced = state.kind === "open" || state.kind === "connecting" ? state.n !== before.n : true;
    if (before.kind === "open" && replaced) this.#handlers.lost();
    if (was && replaced) this.#drop(effects);
    for (const effect of effects) this.#run(effect);
    if (before.kind === "connecting" && state.kind === "open") this.#handlers.opened();
    if (state.kind === "stopped" && state.refusal && before.kind !== "stopped") this.#handlers.refused(state.refusal);
  }

  #drop(effects: readonly LinkEffect[]): void {
    const socket = this.#socket;
    this.#socket = null;
    if (!socket) return;
    // Whatever an old socket still delivers was or will be delivered by its successor.
    socket.onopen = socket.onmessage = socket.onclose = null;
    if (effects.some(({ type }) => type === "close"))
      socket.close(this.#state.kind === "stopped" ? NORMAL : CLOSE.stale);
  }

  #run(effect: LinkEffect): void {
    switch (effect.type) {
      case "open":
        this.#open(effect.n);
        return;
      case "close":
        return;
      case "ping":
        this.send(HEARTBEAT_PING);
        return;
      case "timer":
        this.#clearTimer();
        if (effect.ms !== null) this.#clearTimer = this.#env.setTimer(() => this.on({ type: "timer" }), effect.ms);
        return;
      case "ask_why":
        this.#handlers.ask().catch((error: unknown) => {
          // Anything else (unreachable, 5xx) is what the reconnecting is for.
          if (isFinal(error)) this.on({ type: "refused", refusal: { code: error.code, message: error.message } });
        });
        return;
    }
  }

  #open(n: number): void {
    const socket = this.#env.open(this.#handlers.url());
    this.#socket = socket;
    socket.onopen = () => this.on({ type: "opened", n });
    socket.onclose = ({ code }) => this.on({ type: "closed", n, code });
    socket.onmessage = ({ data }) => {
      this.on({ type: "heard", n });
      if (typeof data === "string" && data !== HEARTBEAT_PONG && this.#socket === socket) this.#handlers.text(data);
    };
  }
}
