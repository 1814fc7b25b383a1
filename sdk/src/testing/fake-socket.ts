import type { LinkEnvironment } from "../link/link.ts";
import type { WebSocketLike } from "../link/socket.ts";

/** A socket whose other end is the test. */
export class FakeSocket implements WebSocketLike {
  onopen: (() => void) | null = null;
  onmessage: ((event: { data: unknown }) => void) | null = null;
  onclose: ((event: { code: number }) => void) | null = null;
  readonly url: string;
  readonly sent: string[] = [];
  closedWith: number | undefined;
  constructor(url: string) {
    this.url = url;
  }
  send(text: string): void {
    this.sent.push(text);
  }
  close(code?: number): void {
    this.closedWith = code ?? 1005;
  }
  open(): void {
    this.onopen?.();
  }
  say(frame: unknown): void {
    this.onmessage?.({ data: typeof frame === "string" ? frame : JSON.stringify(frame) });
  }
  end(code = 1006): void {
    this.onclose?.({ code });
  }
}

/** A clock that stands until it is moved, with its timers, and all sockets that were opened. */
export class FakeEnvironment implements LinkEnvironment {
  time = 0;
  readonly sockets: FakeSocket[] = [];
  #timers = new Set<{ at: number; work: () => void }>();
  now = () => this.time;
  random = () => 0.5;
  setTimer = (work: () => void, ms: number) => {
    const timer = { at: this.time + ms, work };
    this.#timers.add(timer);
    return () => {
      this.#timers.delete(timer);
    };
  };
  open = (url: string) => {
    const socket = new FakeSocket(url);
    this.sockets.push(socket);
    return socket;
  };
  get last(): FakeSocket {
    const socket = this.sockets.at(-1);
    if (!socket) throw new Error("No socket was opened.");
    return socket;
  }
  advance(ms: number): void {
    const until = this.time + ms;
    for (;;) {
      const next = [...this.#timers].filter((t) => t.at <= until).sort((a, b) => a.at - b.at)[0];
      if (!next) break;
      this.#timers.delete(next);
      this.time = next.at;
      next.work();
    }
    this.time = until;
  }
}
