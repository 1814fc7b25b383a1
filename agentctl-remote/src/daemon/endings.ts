import type { Failure, Runtime } from "@reprise/protocol";
import type { HostLink } from "../host/client.ts";
import type { HostDown } from "../host/wire.ts";

export type EndCommand = Extract<HostDown, { type: "stop" | "teardown" | "shutdown" }>;
export type EndResult = { ok: true } | { ok: false; failure: Failure };

export const NO_HOST: Failure = { code: "host_died", message: "The session's host isn't there." };

/** Orders to end something that a host has not confirmed yet. */
export class Endings {
  private readonly open = new Map<string, (result: EndResult) => void>();

  /**
   * Tell the host to end something, and wait until it says that it is proven. However long: the order lies in the socket
   * of a host that is silent, and a time-out would call that a failure of what is still going to happen (T3).
   */
  async ask(host: HostLink, command: EndCommand): Promise<EndResult> {
    return await new Promise<EndResult>((resolve) => {
      const finish = (result: EndResult) => {
        this.open.delete(command.command_id);
        resolve(result);
      };
      this.open.set(command.command_id, finish);
      host.send(command);
      // A host that is gone after a teardown is what was asked for; what its spool says is looked at by the caller.
      void host.closed.then(() => finish(command.type === "stop" ? { ok: false, failure: NO_HOST } : { ok: true }));
    });
  }

  /** The host's answer. */
  answered(commandId: string, failure: Failure | null): void {
    this.open.get(commandId)?.(failure ? { ok: false, failure } : { ok: true });
  }
}

/** @param runtime what a session's folder says that it runs in */
export function elsewhere(runtime: Runtime): Failure {
  const message = `This session's folder on its machine says that it runs in ${runtime}, where it was not started. Create a new session.`;
  return { code: "runtime_unavailable", message };
}
