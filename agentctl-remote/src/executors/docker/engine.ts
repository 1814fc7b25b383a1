import type { Failure } from "@reprise/protocol";
import type Docker from "dockerode";
import { ENGINE_ANSWER_MS, ENGINE_BACKOFF_MS, ENGINE_WORK_MS } from "../../limits.ts";
import type { Log } from "../../log.ts";
import { ENGINE_UP, mayAsk, type Outage, outageStep } from "./core/outage.ts";
import { whySilent } from "./core/silence.ts";

/** The engine's answer, its refusal (a sentence of its own), or nothing at all. */
export type Answer<T> =
  | { ok: true; value: T }
  | { ok: false; why: "refused"; status: number; message: string }
  | { ok: false; why: "away"; failure: Failure; retry_at: number };

/** The one door to a machine's Docker engine: knows whether it is there, and when it is asked again (X2, T4). */
export class Engine {
  private readonly clients = new Map<number, Promise<Docker>>();
  private readonly socket: string;
  private readonly log: Log;
  private readonly changed: () => void;
  private ping: Promise<boolean> | null = null;
  outage: Outage = ENGINE_UP;

  /** @param changed it went or came back */
  constructor(options: { socket: string; log: Log; changed: () => void }) {
    this.socket = options.socket;
    this.log = options.log;
    this.changed = options.changed;
  }

  /** Ask it something. While it is away only what is due, or urgent, is really asked, and all share one question. */
  async ask<T>(urgent: boolean, question: (docker: Docker) => Promise<T>): Promise<Answer<T>> {
    if (!this.outage.up && !(await this.isBack(urgent))) return this.away();
    const asked = Date.now();
    try {
      const value = await question(await this.client(ENGINE_WORK_MS));
      this.answered();
      return { ok: true, value };
    } catch (error) {
      const status = statusOf(error);
      if (status !== null) {
        this.answered();
        return { ok: false, why: "refused", status, message: error instanceof Error ? error.message : String(error) };
      }
      this.silent(asked, whySilent(error));
      return this.away();
    }
  }

  /** A daemon whose sessions run in nothing else never loads it: it needs memory. */
  private client(timeout: number): Promise<Docker> {
    const made =
      this.clients.get(timeout) ??
      import("dockerode").then(({ default: Client }) => new Client({ socketPath: this.socket, timeout }));
    this.clients.set(timeout, made);
    return made;
  }

  private async isBack(urgent: boolean): Promise<boolean> {
    if (!mayAsk(this.outage, Date.now(), urgent)) return false;
    this.ping ??= this.answers().finally(() => {
      this.ping = null;
    });
    return await this.ping;
  }

  private async answers(): Promise<boolean> {
    const asked = Date.now();
    try {
      await (await this.client(ENGINE_ANSWER_MS)).ping();
      this.answered();
      return true;
    } catch (error) {
      this.silent(asked, whySilent(error));
      return false;
    }
  }

  private answered(): void {
    this.move({ type: "answered" });
  }

  private silent(asked_at: number, message: string): void {
    const failure: Failure = {
      code: "runtime_unavailable",
      message: `Docker does not answer on ${this.socket}: ${message}`.slice(0, 2_000),
    };
    this.move({ type: "silent", asked_at, failure });
  }

  private move(event: Parameters<typeof outageStep>[1]): void {
    const before = this.outage;
    this.outage = outageStep(before, event, Date.now(), ENGINE_BACKOFF_MS);
    if (before.up === this.outage.up) return;
    if (this.outage.up) this.log.info({ socket: this.socket }, "the Docker engine is back");
    else this.log.warn({ socket: this.socket, failure: this.outage.failure }, "the Docker engine doesn't answer");
    this.changed();
  }

  private away(): Extract<Answer<never>, { why: "away" }> {
    // Back between the question and this answer: it is asked again at once.
    if (this.outage.up) return { ok: false, why: "away", failure: BUSY, retry_at: Date.now() };
    return { ok: false, why: "away", failure: this.outage.failure, retry_at: this.outage.retryAt };
  }
}

const BUSY: Failure = { code: "runtime_unavailable", message: "Docker did not answer a moment ago." };

/** A refusal has a status of HTTP; anything else means that nobody answered. 503 is what an engine says that goes. */
function statusOf(error: unknown): number | null {
  if (!(error instanceof Error) || !("statusCode" in error)) return null;
  const { statusCode } = error;
  return typeof statusCode === "number" && statusCode !== 503 ? statusCode : null;
}
