import type { ServerResponse } from "node:http";
import type { Reply } from "./script.ts";

/** Where an answer is written, and when the client has gone. */
export type Out = { readonly response: ServerResponse; readonly gone: AbortSignal };

/** Begins an SSE answer. */
export function beginSse(response: ServerResponse): void {
  response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-cache" });
}

/** Sends one SSE event; Anthropic and Responses name theirs, chat and Gemini do not. */
export function sendEvent(response: ServerResponse, data: unknown, event?: string): void {
  const body = typeof data === "string" ? data : JSON.stringify(data);
  response.write(`${event === undefined ? "" : `event: ${event}\n`}data: ${body}\n\n`);
}

/** Answers with plain JSON. */
export function sendJson(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { "content-type": "application/json" });
  response.end(JSON.stringify(body));
}

/** The pieces in which a text reply is sent, at its pace; ends early when the client has gone. */
export async function* chunksOf(reply: Reply, gone: AbortSignal): AsyncGenerator<string> {
  if (reply.kind === "text") {
    for (const word of reply.text.match(/\S+\s*|\s+/g) ?? []) yield word;
    return;
  }
  if (reply.kind !== "stream") return;
  for (let n = 1; n <= reply.words && !gone.aborted; n++) {
    yield n === 1 ? "w1" : ` w${n}`;
    if (n < reply.words) await pause(reply.everyMs, gone);
  }
}

/** The whole text of a reply, for a client that did not ask for a stream. */
export function wholeText(reply: Reply): string {
  if (reply.kind === "text") return reply.text;
  if (reply.kind !== "stream") return "";
  return Array.from({ length: reply.words }, (_, i) => `w${i + 1}`).join(" ");
}

function pause(ms: number, gone: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(done, ms);
    function done(): void {
      clearTimeout(timer);
      gone.removeEventListener("abort", done);
      resolve();
    }
    gone.addEventListener("abort", done);
  });
}
