import { z } from "zod";
import type { Conversation, Piece } from "./conversation.ts";
import { jsonTool, said, shellArguments, textOf } from "./reading.ts";
import type { Reply } from "./script.ts";
import { beginSse, chunksOf, type Out, sendEvent, sendJson, wholeText } from "./sse.ts";

const block = z.looseObject({ type: z.string() });
const message = z.looseObject({ role: z.string(), content: z.union([z.string(), z.array(block)]) });
const body = z.looseObject({
  model: z.string().default("stand-in"),
  messages: z.array(message),
  system: z.unknown().optional(),
  stream: z.boolean().default(false),
  tools: z.array(z.looseObject({ name: z.string(), input_schema: z.unknown().optional() })).default([]),
  output_config: z.unknown().optional(),
});

/** Reads an Anthropic `POST /v1/messages` body. */
export function readAnthropic(raw: unknown): Conversation {
  const parsed = body.parse(raw);
  return {
    pieces: parsed.messages.flatMap(piecesOf),
    system: textOf(parsed.system),
    tools: parsed.tools.map((tool) => jsonTool(tool.name, tool.input_schema)),
    stream: parsed.stream,
    wantsJson: JSON.stringify(parsed.output_config ?? null).includes("json_schema"),
  };
}

function piecesOf(entry: z.infer<typeof message>): Piece[] {
  // Claude Code puts its own instructions between the turns under this role.
  if (entry.role === "system") return [];
  if (typeof entry.content === "string") return [said(entry.role, entry.content)];
  return entry.content.flatMap((part): Piece[] => {
    if (part.type === "tool_result") return [{ kind: "tool_result", text: textOf(part.content) }];
    if (part.type === "tool_use") return [{ kind: "tool_call", text: JSON.stringify(part.input ?? {}) }];
    return part.type === "text" ? [said(entry.role, textOf([part]))] : [];
  });
}

const USAGE = { input_tokens: 10, output_tokens: 1, cache_read_input_tokens: 0, cache_creation_input_tokens: 0 };

/** Answers in Anthropic's form, as SSE or plain. */
export async function writeAnthropic(out: Out, reply: Reply, stream: boolean, id: string): Promise<void> {
  const base = { id: `msg_${id}`, type: "message", role: "assistant", model: "stand-in", stop_sequence: null };
  const call = reply.kind === "tool" && {
    type: "tool_use",
    id: `toolu_${id}`,
    name: reply.tool.name,
    input: shellArguments(reply.tool, reply.call),
  };
  const stop_reason = call ? "tool_use" : "end_turn";
  if (!stream) {
    const content = call ? [call] : [{ type: "text", text: wholeText(reply) }];
    return sendJson(out.response, 200, { ...base, content, stop_reason, usage: USAGE });
  }
  const send = (data: { type: string } & Record<string, unknown>) => sendEvent(out.response, data, data.type);
  beginSse(out.response);
  send({ type: "message_start", message: { ...base, content: [], stop_reason: null, usage: USAGE } });
  const start = call ? { ...call, input: {} } : { type: "text", text: "" };
  send({ type: "content_block_start", index: 0, content_block: start });
  if (call) {
    const delta = { type: "input_json_delta", partial_json: JSON.stringify(call.input) };
    send({ type: "content_block_delta", index: 0, delta });
  }
  for await (const text of chunksOf(reply, out.gone)) {
    send({ type: "content_block_delta", index: 0, delta: { type: "text_delta", text } });
  }
  send({ type: "content_block_stop", index: 0 });
  send({ type: "message_delta", delta: { stop_reason, stop_sequence: null }, usage: { output_tokens: 1 } });
  send({ type: "message_stop" });
  out.response.end();
}
