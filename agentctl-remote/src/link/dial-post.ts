import { HEARTBEAT_PING, HEARTBEAT_PONG } from "@reprise/protocol";
import { z } from "zod";
import {
  HELLO_LIMIT_MS,
  MAX_ANSWER_BYTES,
  MAX_POST_BYTES,
  MAX_POST_FRAMES,
  POST_BUSY_FOR_MS,
  POST_BUSY_MS,
  POST_GATHER_MS,
  POST_IDLE_MS,
} from "../limits.ts";
import { batchSize, postDelay } from "./pace.ts";
import { readCapped } from "./read-capped.ts";
import type { Dial, Wire, WireEvents } from "./wire.ts";

/** Frames are checked by whoever reads them; here only the envelope matters. */
const Answer = z.object({
  frames: z.array(z.looseObject({ type: z.string() })),
  close: z.number().int().nullable().default(null),
});
const Welcome = z.object({ type: z.literal("welcome"), conn_id: z.string() });
const PACE = { gatherMs: POST_GATHER_MS, busyMs: POST_BUSY_MS, idleMs: POST_IDLE_MS, busyForMs: POST_BUSY_FOR_MS };

interface Waiting {
  text: string;
  bytes: number;
  sent: (() => void) | undefined;
}

/** POSTs in the place of a socket (N3). @param headers asked at each POST */
export function dialPost(url: string, headers: () => Record<string, string>): Dial {
  return (events) => new PostedWire(url, headers, events);
}

/** One connection: the first POST says hello, later ones bring frames and fetch what waits. One is under way at a time. */
class PostedWire implements Wire {
  private readonly url: string;
  private readonly headers: () => Record<string, string>;
  private readonly events: WireEvents;
  private readonly abort = new AbortController();
  private hello: string | null = null;
  private connId: string | null = null;
  private waiting: Waiting[] = [];
  /** The hello was answered. */
  private greeted = false;
  private busy = false;
  private over = false;
  private closing = false;
  private lastFrame = performance.now();
  private lastWatch: string | null = null;
  private timer: NodeJS.Timeout | null = null;

  constructor(url: string, headers: () => Record<string, string>, events: WireEvents) {
    this.url = url;
    this.headers = headers;
    this.events = events;
    // There is nothing to open; a wire tells nothing before it was returned.
    setImmediate(() => {
      if (!this.over) events.opened();
    });
  }

  get isOpen(): boolean {
    return !this.over && !this.closing;
  }

  get buffered(): number {
    return this.waiting.reduce((sum, one) => sum + one.bytes, 0);
  }

  send(text: string, sent?: () => void): void {
    if (!this.isOpen) return;
    if (this.hello === null) {
      this.hello = text;
      this.soon(0);
      return;
    }
    // Each POST is a sign of life, and its answer another: nothing goes on because of it.
    if (text === HEARTBEAT_PING) return;
    this.lastFrame = performance.now();
    this.waiting.push({ text, bytes: Buffer.byteLength(text), sent });
    if (!this.busy) this.soon(POST_GATHER_MS);
  }

  close(): void {
    if (this.closing || this.over) return;
    this.closing = true;
    // The answer that is under way ends it.
    if (this.busy) return;
    // What was said last (a goodbye) still goes out; else nothing does, for what came down for it would be lost.
    if (this.waiting.length > 0) void this.post();
    else this.end();
  }

  drop(): void {
    if (this.closing) return;
    this.end();
    this.abort.abort();
  }

  private end(): void {
    this.over = true;
    if (this.timer) clearTimeout(this.timer);
  }

  private soon(ms: number): void {
    if (this.timer) clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.post(), ms);
  }

  private async post(): Promise<void> {
    if (this.busy || this.over) return;
    this.busy = true;
    const batch = this.waiting.splice(0, batchSize(this.waiting, MAX_POST_FRAMES, MAX_POST_BYTES));
    try {
      const answer = await this.ask(this.greeted ? null : this.hello, batch);
      this.busy = false;
      if (answer) this.onAnswer(answer, batch);
    } catch (error) {
      this.busy = false;
      if (this.over) return;
      this.end();
      this.events.failed(reasonOf(error));
    }
  }

  private async ask(hello: string | null, batch: readonly Waiting[]): Promise<z.infer<typeof Answer> | null> {
    const response = await fetch(this.url, {
      method: "POST",
      headers: { ...this.headers(), "content-type": "application/json" },
      body: bodyOf(hello, this.connId, batch),
      redirect: "error",
      signal: AbortSignal.any([this.abort.signal, AbortSignal.timeout(HELLO_LIMIT_MS)]),
    });
    const text = await readCapped(response, MAX_ANSWER_BYTES);
    if (this.over) return null;
    if (!response.ok) {
      this.end();
      this.events.refused(response.status);
      return null;
    }
    const answer = Answer.safeParse(JSON.parse(text));
    if (answer.success) return answer.data;
    throw new Error("the control plane's answer can't be understood");
  }

  private onAnswer({ frames, close }: z.infer<typeof Answer>, batch: readonly Waiting[]): void {
    for (const one of batch) one.sent?.();
    if (this.closing) {
      if (this.waiting.length > 0) void this.post();
      else this.end();
      return;
    }
    this.greeted = true;
    this.events.text(HEARTBEAT_PONG);
    for (const frame of frames) {
      const welcome = Welcome.safeParse(frame);
      if (welcome.success) this.connId = welcome.data.conn_id;
      if (this.isNews(frame)) this.events.text(JSON.stringify(frame));
      // Whoever heard it may have ended this connection.
      if (!this.isOpen) return;
    }
    if (close !== null) {
      this.end();
      this.events.closed(close);
      return;
    }
    if (frames.some(({ type }) => type !== "watch" && type !== "wants")) this.lastFrame = performance.now();
    this.soon(postDelay(this.waiting.length > 0, performance.now() - this.lastFrame, PACE));
  }

  /** Told with each answer; it concerns us when it changes. */
  private isNews(frame: { type: string }): boolean {
    if (frame.type !== "watch") return true;
    const text = JSON.stringify(frame);
    const isNew = text !== this.lastWatch;
    this.lastWatch = text;
    return isNew;
  }
}

function bodyOf(hello: string | null, connId: string | null, batch: readonly Waiting[]): string {
  const frames = batch.map(({ text }) => text).join(",");
  return `{"hello":${hello ?? "null"},"conn_id":${JSON.stringify(connId)},"frames":[${frames}]}`;
}

function reasonOf(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  return cause instanceof Error ? cause.message : String(cause);
}
