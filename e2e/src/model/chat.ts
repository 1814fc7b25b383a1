import { z } from "zod";
import type { Conversation, Piece } from "./conversation.ts";
import { jsonTool, said, shellArguments, textOf } from "./reading.ts";
import type { Reply } from "./script.ts";
import { beginSse, chunksOf, type Out, sendEvent, sendJson, wholeText } from "./sse.ts";

const message = z.looseObject({
  role: z.string(),
  content: z.unknown().optional(),
  tool_calls: z.unknown().optional(),
});
const tool = z.looseObject({ function: z.looseObject({ name: z.string(), parameters: z.unknown().optional() }) });
const body = z.looseObject({
  messages: z.array(message),
  tools: z.array(tool).default([]),
  stream: z.boolean().default(false),
  response_format: z.unknown().optional(),
});

/** Reads a `POST /v1/chat/completions` body. */
export function readChat(raw: unknown): Conversation {
  const parsed = body.parse(raw);
  const system = parsed.messages.filter((one) => one.role === "system" || one.role === "developer");
  return {
    pieces: parsed.messages.filter((one) => !system.includes(one)).flatMap(piecesOf),
    system: system.map((one) => textOf(one.content)).join("\n"),
    tools: parsed.tools.map((one) => jsonTool(one.function.name, one.function.parameters)),
    stream: parsed.stream,
    wantsJson: JSON.stringify(parsed.response_format ?? null).includes("json"),
  };
}

function piecesOf(entry: z.infer<typeof message>): Piece[] {
  if (entry.role === "tool") return [{ kind: "tool_result", text: textOf(entry.content) }];
  const calls: Piece[] = entry.tool_calls ? [{ kind: "tool_call", text: JSON.stringify(entry.tool_calls) }] : [];
  return [said(entry.role, textOf(entry.content)), ...calls];
}

/** Answers in the chat completions form, as SSE or plain. */
export async function writeChat(out: Out, reply: Reply, stream: boolean, id: string): Promise<void> {
  const call = reply.kind === "tool" && {
    id: `call_${id}`,
    type: "function",
    function: { name: reply.tool.name, arguments: JSON.stringify(shellArguments(reply.tool, reply.call)) },
  };
  const finish_reason = call ? "tool_calls" : "stop";
  const usage = { prompt_tokens: 10, completion_tokens: 1, total_tokens: 11 };
  const base = { id: `chatcmpl_${id}`, created: 0, model: "stand-in" };
  if (!stream) {
    const said = call ? { content: null, tool_calls: [call] } : { content: wholeText(reply) };
    const choices = [{ index: 0, message: { role: "assistant", ...said }, finish_reason }];
    return sendJson(out.response, 200, { ...base, object: "chat.completion", choices, usage });
  }
  const send = (delta: Record<string, unknown>, end: string | null = null) =>
    sendEvent(out.response, {
      ...base,
      object: "chat.completion.chunk",
      choices: [{ index: 0, delta, finish_reason: end }],
      ...(end !== null && { usage }),
    });
  beginSse(out.response);
  send({ role: "assistant", content: "" });
  if (call) send({ tool_calls: [{ index: 0, ...call }] });
  for await (const content of chunksOf(reply, out.gone)) send({ content });
  send({}, finish_reason);
  sendEvent(out.response, "[DONE]");
  out.response.end();
}
