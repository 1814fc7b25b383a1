import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { until } from "../processes.ts";
import { type Model, startModel } from "./server.ts";

let model: Model;
beforeAll(async () => {
  model = await startModel();
});
afterAll(() => model.close());

const parameters = { type: "object", properties: { command: { type: "string" } } };

/** One way to ask each API the same, as its agent does. */
const doors = {
  anthropic: {
    path: "/v1/messages?beta=true",
    body: (text: string, stream: boolean) => ({
      model: "m",
      stream,
      messages: [
        { role: "user", content: [{ type: "text", text }] },
        { role: "system", content: [{ type: "text", text: "hang" }] },
      ],
      tools: [{ name: "Bash", input_schema: parameters }],
    }),
  },
  chat: {
    path: "/v1/chat/completions",
    body: (text: string, stream: boolean) => ({
      stream,
      messages: [
        { role: "system", content: "CODEWORD-SYSTEM" },
        { role: "user", content: text },
      ],
      tools: [{ type: "function", function: { name: "bash", parameters } }],
    }),
  },
  responses: {
    path: "/v1/responses",
    body: (text: string) => ({
      stream: true,
      input: [{ type: "message", role: "user", content: [{ type: "input_text", text }] }],
      tools: [{ type: "function", name: "shell", parameters }],
    }),
  },
  gemini: {
    path: "/v1beta/models/g:streamGenerateContent?alt=sse",
    body: (text: string) => ({
      contents: [{ role: "user", parts: [{ text }] }],
      tools: [{ functionDeclarations: [{ name: "run_shell_command", parametersJsonSchema: parameters }] }],
    }),
  },
} as const;
const names = ["anthropic", "chat", "responses", "gemini"] as const;

function post(path: string, body: unknown, signal?: AbortSignal): Promise<Response> {
  return fetch(model.url + path, { method: "POST", body: JSON.stringify(body), signal: signal ?? null });
}

/** The text of an SSE answer: every text delta, whatever the API calls it. */
function textOfSse(sse: string): string {
  const deltas = sse.matchAll(/"(?:text_delta","text|content|delta|text)":"((?:[^"\\]|\\.)*)"\}(?=[\]},\n])/g);
  return [...deltas].map((match) => match[1]).join("");
}

describe.each(names)("the %s API", (name) => {
  const { path, body } = doors[name];

  it("streams the codewords of the conversation", async () => {
    const response = await post(path, body("remember CODEWORD-ONE and CODEWORD-TWO", true));
    expect(response.headers.get("content-type")).toBe("text/event-stream");
    const sse = await response.text();
    expect(sse).toContain("CODEWORD-ONE");
    expect(sse).toContain("CODEWORD-TWO");
    expect(sse).not.toContain("CODEWORD-SYSTEM");
  });

  it("calls the shell tool that it was offered", async () => {
    const sse = await (await post(path, body("run: echo hi", true))).text();
    expect(sse).toMatch(/Bash|bash|shell/);
    expect(sse).toContain("echo hi");
  });

  it("fails with the status that was asked for", async () => {
    expect((await post(path, body("fail 529", true))).status).toBe(529);
  });

  it("hangs until the agent hangs up, and records that", async () => {
    const abort = new AbortController();
    const answer = post(path, body("hang", true), abort.signal);
    const hanging = () => model.requests.findLast((one) => one.state === "open");
    const request = await until(hanging, { what: "the request to arrive" });
    abort.abort();
    await expect(answer).rejects.toThrow();
    await until(() => request.state === "aborted", { what: "the hang-up to be noticed" });
  });

  it("answers bad JSON fields with 400, and goes on", async () => {
    expect((await post(path, { messages: 5, contents: 5, input: 5 })).status).toBe(400);
    expect((await post(path, body("hello", true))).status).toBe(200);
  });
});

it("streams numbered words at the asked pace", async () => {
  const started = Date.now();
  const sse = await (await post("/v1/messages", doors.anthropic.body("stream 6 words every 40 ms", true))).text();
  expect(textOfSse(sse)).toBe("w1 w2 w3 w4 w5 w6");
  expect(Date.now() - started).toBeGreaterThanOrEqual(5 * 40 - 10);
});

it("answers plainly where no stream was asked for", async () => {
  const anthropic = await (await post("/v1/messages", doors.anthropic.body("CODEWORD-P", false))).json();
  expect(anthropic).toMatchObject({ content: [{ type: "text", text: "CODEWORD-P" }], stop_reason: "end_turn" });
  const chat = await (await post("/v1/chat/completions", doors.chat.body("CODEWORD-P", false))).json();
  expect(chat).toMatchObject({ choices: [{ message: { content: "CODEWORD-P" }, finish_reason: "stop" }] });
  const gemini = await (await post("/v1beta/models/g:generateContent", doors.gemini.body("CODEWORD-P"))).json();
  expect(gemini).toMatchObject({ candidates: [{ content: { parts: [{ text: "CODEWORD-P" }] } }] });
});

it("answers probes and token counts, and records them as no turn", async () => {
  const before = model.turns().length;
  expect((await fetch(model.url, { method: "HEAD" })).status).toBe(200);
  expect(await (await post("/v1/messages/count_tokens", {})).json()).toEqual({ input_tokens: 10 });
  expect((await post("/v1/other", {})).status).toBe(404);
  expect(model.turns().length).toBe(before);
  expect(model.requests.at(-1)).toMatchObject({ path: "/v1/other", purpose: "probe", state: "answered" });
});
