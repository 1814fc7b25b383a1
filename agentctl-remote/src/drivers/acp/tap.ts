import { type AnyMessage, RequestError, type Stream } from "@agentclientprotocol/sdk";

export type Answer = { result: unknown } | { error: RequestError };

/**
 * Sits on the wire between the agent and the SDK and sees every message in the exact order of the bytes, which the
 * SDK's own handlers (each its own promise) don't promise. It takes the `session/update`s out, and tells between which
 * of them an answer came: that order is the replay barrier (R5).
 */
export interface TapPorts {
  /** A `session/update`, in its place. */
  onUpdate: (params: unknown) => void;
  /** The answer to one of our requests, before the SDK sees it, and after every update that was sent before it. */
  onAnswer: (method: string, answer: Answer) => void;
  /** One of our requests is about to be written. */
  onRequest: (method: string) => void;
}

export function tapped(stream: Stream, ports: TapPorts): Stream {
  const asked = new Map<unknown, string>();
  const outgoing = new TransformStream<AnyMessage, AnyMessage>({
    transform(message, controller) {
      if ("method" in message && "id" in message) {
        asked.set(message.id, message.method);
        ports.onRequest(message.method);
      }
      controller.enqueue(message);
    },
  });
  const incoming = new TransformStream<AnyMessage, AnyMessage>({
    transform(message, controller) {
      if ("method" in message) {
        if (message.method === "session/update") ports.onUpdate("params" in message ? message.params : undefined);
        else controller.enqueue(message);
        return;
      }
      const method = asked.get(message.id);
      if (method !== undefined) {
        asked.delete(message.id);
        const answer: Answer =
          "error" in message
            ? { error: new RequestError(message.error.code, message.error.message, message.error.data) }
            : { result: message.result };
        ports.onAnswer(method, answer);
      }
      controller.enqueue(message);
    },
  });
  // Both ends of a pipe fail together when the agent goes; the connection's `closed` tells of it.
  outgoing.readable.pipeTo(stream.writable).catch(() => undefined);
  return { writable: outgoing.writable, readable: stream.readable.pipeThrough(incoming) };
}
