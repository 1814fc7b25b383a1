import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { RESERVE_BYTES, SLOW_START_MS } from "./limits.ts";
import { Answer, type Order, type Truth } from "./orders.ts";

const MAIN = fileURLToPath(new URL("./main.ts", import.meta.url));

/** A process that plays machines. */
export class Player {
  readonly #child: ChildProcess;
  readonly #waiting = new Map<number, (answer: Answer) => void>();
  readonly #fail: Promise<never>;
  /** It runs, and waits for its first order. */
  readonly booted: Promise<unknown>;
  #n = 0;

  constructor() {
    const limits = JSON.stringify({ SPOOL_RESERVE_BYTES: RESERVE_BYTES, SLOW_START_MS });
    this.#child = spawn(process.execPath, ["--disable-warning=ExperimentalWarning", MAIN], {
      stdio: ["ignore", "inherit", "inherit", "ipc"],
      env: { ...process.env, REPRISE_LIMITS: limits },
      detached: true,
    });
    this.#fail = once(this.#child, "exit").then(() => {
      throw new Error("a process that plays machines has ended");
    });
    this.#fail.catch(() => undefined);
    const first = new Promise<Answer>((resolve) => this.#waiting.set(0, resolve));
    this.booted = Promise.race([first, this.#fail]);
    this.#child.on("message", (message) => {
      const answer = Answer.parse(message);
      this.#waiting.get(answer.n)?.(answer);
      this.#waiting.delete(answer.n);
    });
  }

  async ask(order: Order): Promise<Truth> {
    this.#n += 1;
    const n = this.#n;
    const answered = new Promise<Answer>((resolve) => this.#waiting.set(n, resolve));
    this.#child.send({ n, order });
    const { error, truth } = await Promise.race([answered, this.#fail]);
    if (error !== null || truth === null) throw new Error(error ?? "no truth was told");
    return truth;
  }

  /** kill -9: its daemons, hosts and agents are gone at once, as in a power cut. */
  async kill9(): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const gone = once(this.#child, "exit");
    this.#child.kill("SIGKILL");
    await gone;
  }
}
