import { randomUUID } from "node:crypto";
import { ERRORS, TERMINAL_REFUSALS } from "@reprise/protocol";
import type { HostLink } from "../host/client.ts";
import { type HostUp, WRITES_SINCE } from "../host/wire.ts";
import { WorkspaceProblem } from "../workspace/problem.ts";

export type Written = Extract<HostUp, { type: "terminal.written" }>["outcome"];

/** Input for a session's terminals, given to its host and answered by it (B1). */
export class Writes {
  private readonly open = new Map<string, (outcome: Written) => void>();
  private readonly now: () => { host: HostLink | null; silent: boolean };

  /** @param now the session's host; `silent`: one is there, or may be, and doesn't answer */
  constructor(now: () => { host: HostLink | null; silent: boolean }) {
    this.now = now;
  }

  /** Resolves once the program has it. @param data in base64 @throws WorkspaceProblem when it can't be delivered */
  async write(terminalId: string, data: string): Promise<void> {
    const { host, silent } = this.now();
    // A host's terminals end with it; of one that is silent nobody knows (T3).
    if (!host) throw problem(silent ? "node_unavailable" : "terminal_ended");
    if (host.hello.host_protocol < WRITES_SINCE)
      throw new WorkspaceProblem("agentctl_too_old", TERMINAL_REFUSALS.host_too_old);
    const request_id = randomUUID();
    const outcome = await new Promise<Written>((resolve) => {
      this.open.set(request_id, resolve);
      host.send({ type: "terminal.write", request_id, terminal_id: terminalId, data });
      void host.closed.then(() => resolve("ended"));
    });
    this.open.delete(request_id);
    if (outcome !== "written") throw problem(outcome === "ended" ? "terminal_ended" : "terminal_not_found");
  }

  /** The host's answer. */
  answered(requestId: string, outcome: Written): void {
    this.open.get(requestId)?.(outcome);
  }
}

/** B1: into any session's terminals. @param shell whether this machine's owner allows people a shell (S4) */
export function terminalWriter(shell: boolean, of: (sessionId: string) => Writes | null) {
  return async (sessionId: string, terminalId: string, data: string): Promise<void> => {
    if (!shell) throw new WorkspaceProblem("forbidden", TERMINAL_REFUSALS.shell_off);
    const writes = of(sessionId);
    if (!writes) throw problem("terminal_not_found");
    await writes.write(terminalId, data);
  };
}

function problem(code: "node_unavailable" | "terminal_ended" | "terminal_not_found"): WorkspaceProblem {
  return new WorkspaceProblem(code, ERRORS[code][1]);
}
