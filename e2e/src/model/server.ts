import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { ZodError } from "zod";
import { readAnthropic, writeAnthropic } from "./anthropic.ts";
import { readChat, writeChat } from "./chat.ts";
import type { Conversation } from "./conversation.ts";
import { readGemini, writeGemini } from "./gemini.ts";
import { MAX_BODY_BYTES } from "./limits.ts";
import { readResponses, writeResponses } from "./responses.ts";
import { decide, isSideRequest, type Reply } from "./script.ts";
import { type Out, sendJson } from "./sse.ts";

/** One recorded request. */
export type RecordedRequest = {
  readonly at: number;
  readonly method: string;
  readonly path: string;
  readonly body: unknown;
  conversation: Conversation | undefined;
  /** `turn`: the conversation itself; `side`: a title or the like; `probe`: everything else. */
  purpose: "turn" | "side" | "probe";
  /** How it went so far; `aborted` means that the agent hung up first (a cancel, a kill). */
  state: "open" | "answered" | "aborted";
};

/** A running stand-in. */
export type Model = {
  readonly url: string;
  readonly port: number;
  readonly requests: RecordedRequest[];
  /** The requests that carry a conversation, without titles and probes. */
  turns(): RecordedRequest[];
  /** Everything that any agent sent so far, as one text: to show that a word did or did not travel. */
  traffic(): string;
  close(): Promise<void>;
};

type Door = {
  readonly read: (body: unknown) => Conversation;
  readonly write: (out: Out, reply: Reply, conversation: Conversation, id: string) => Promise<void>;
};

function doorOf(path: string): Door | undefined {
  if (path.endsWith("/messages")) {
    return { read: readAnthropic, write: (out, reply, c, id) => writeAnthropic(out, reply, c.stream, id) };
  }
  if (path.endsWith("/responses")) {
    return { read: readResponses, write: (out, reply, _c, id) => writeResponses(out, reply, id) };
  }
  if (path.endsWith("/chat/completions")) {
    return { read: readChat, write: (out, reply, c, id) => writeChat(out, reply, c.stream, id) };
  }
  const gemini = /:(stream)?[gG]enerateContent$/.exec(path);
  if (gemini) {
    return {
      read: (body) => readGemini(body, gemini[1] !== undefined),
      write: (out, reply, c) => writeGemini(out, reply, c.stream),
    };
  }
  return undefined;
}

/** Starts the stand-in for all four model APIs on loopback. */
export async function startModel(options: { port?: number } = {}): Promise<Model> {
  const requests: RecordedRequest[] = [];
  const server = createServer((request, response) => {
    answer(request, response, requests).catch((error: unknown) => {
      // The agent sees a 500 and the test sees the reason, instead of a test tool that died silently.
      console.error(`model stand-in: ${request.method} ${request.url}: ${String(error)}`);
      if (response.headersSent) response.destroy();
      else sendJson(response, error instanceof ZodError ? 400 : 500, { error: { message: String(error) } });
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(options.port ?? 0, "127.0.0.1", resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    requests,
    turns: () => requests.filter((one) => one.purpose === "turn"),
    traffic: () => requests.map((one) => JSON.stringify(one.body)).join("\n"),
    close: () =>
      new Promise((resolve, reject) => {
        server.close((error) => (error ? reject(error) : resolve()));
        server.closeAllConnections();
      }),
  };
}

async function answer(request: IncomingMessage, response: ServerResponse, requests: RecordedRequest[]): Promise<void> {
  const path = new URL(request.url ?? "/", "http://loopback").pathname;
  const text = await bodyOf(request);
  const body: unknown = text === "" ? undefined : JSON.parse(text);
  const recorded: RecordedRequest = {
    at: Date.now(),
    method: request.method ?? "",
    path: request.url ?? "",
    body,
    conversation: undefined,
    purpose: "probe",
    state: "open",
  };
  requests.push(recorded);
  const gone = new AbortController();
  response.once("finish", () => {
    recorded.state = "answered";
  });
  response.once("close", () => {
    if (recorded.state === "open") recorded.state = "aborted";
    gone.abort();
  });
  const door = request.method === "POST" ? doorOf(path) : undefined;
  const conversation = door?.read(body);
  recorded.conversation = conversation;
  if (conversation !== undefined) recorded.purpose = isSideRequest(conversation) ? "side" : "turn";
  if (door === undefined || conversation === undefined) {
    probe(path, request, response);
    return;
  }
  const reply = decide(conversation);
  if (reply.kind === "hang") return;
  if (reply.kind === "fail") {
    const error = { type: "api_error", message: "scripted failure", code: reply.status, status: "INTERNAL" };
    return sendJson(response, reply.status, { type: "error", error });
  }
  await door.write({ response, gone: gone.signal }, reply, conversation, String(requests.length));
}

/** What agents ask on the side: token counts, model lists, reachability. */
function probe(path: string, request: IncomingMessage, response: ServerResponse): void {
  const [status, body] = probeAnswer(path, request.method);
  sendJson(response, status, body);
}

function probeAnswer(path: string, method: string | undefined): [number, unknown] {
  if (path.endsWith("/count_tokens")) return [200, { input_tokens: 10 }];
  if (path.endsWith(":countTokens")) return [200, { totalTokens: 10 }];
  if (path.endsWith("/models")) return [200, { object: "list", data: [], models: [] }];
  if (method === "HEAD" || method === "GET") return [200, {}];
  return [404, { error: { type: "not_found_error", message: `no such door: ${path}` } }];
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    const bytes = Buffer.from(chunk as Uint8Array);
    size += bytes.length;
    if (size > MAX_BODY_BYTES) throw new Error(`body over ${MAX_BODY_BYTES} bytes`);
    chunks.push(bytes);
  }
  return Buffer.concat(chunks).toString("utf8");
}
