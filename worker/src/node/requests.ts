import { ERRORS, type NodeAnswer, type NodeDown } from "@reprise/protocol";
import type { Result } from "../result.ts";

type Answer = Result<{ answer: NodeAnswer }>;
type Question = Extract<NodeDown, { type: "request" }>;

/** Questions to the node that a person waits for, in memory: they end with whoever asked. */
export class PendingRequests {
  readonly #posted: Question[] = [];
  readonly #waiting = new Map<string, (answer: Answer) => void>();

  /** @returns the node's answer, or `node_timeout` once the time is over. */
  wait(requestId: string, ms: number): Promise<Answer> {
    return new Promise((resolve) => {
      const settle = (answer: Answer) => {
        clearTimeout(timer);
        this.#waiting.delete(requestId);
        resolve(answer);
      };
      const timer = setTimeout(
        () => settle(failed("node_timeout", "The machine didn't answer in time. Try again.")),
        ms,
      );
      this.#waiting.set(requestId, settle);
    });
  }

  /** For a node that comes for its questions (N3). */
  post(question: Question): void {
    this.#posted.push(question);
  }

  /** @returns those that somebody still waits for. */
  takePosted(): Question[] {
    return this.#posted.splice(0).filter(({ request_id }) => this.#waiting.has(request_id));
  }

  answer(requestId: string, answer: Answer): void {
    this.#waiting.get(requestId)?.(answer);
  }

  /** The connection is gone: nobody will answer any more. */
  failAll(): void {
    this.#posted.length = 0;
    for (const settle of [...this.#waiting.values()]) settle(unavailable());
  }
}

export function unavailable(): Answer {
  return failed("node_unavailable", "The machine can't be reached right now. Try again when it is back.");
}

/** The node's program knows no such question. */
export function tooOld(): Answer {
  return failed("agentctl_too_old", ERRORS.agentctl_too_old[1]);
}

function failed(code: "node_timeout" | "node_unavailable" | "agentctl_too_old", message: string): Answer {
  return { ok: false, error: { code, message } };
}
