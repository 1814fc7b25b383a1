import { z } from "zod";
import type { Conversation, Piece } from "./conversation.ts";
import { jsonTool, said, shellArguments, textOf } from "./reading.ts";
import type { Reply } from "./script.ts";
import { beginSse, chunksOf, type Out, sendEvent, sendJson, wholeText } from "./sse.ts";

const part = z.looseObject({ text: z.string().optional() });
const content = z.looseObject({ role: z.string().default("user"), parts: z.array(part).default([]) });
const declared = z.looseObject({
  name: z.string(),
  parameters: z.unknown().optional(),
  parametersJsonSchema: z.unknown().optional(),
});
const body = z.looseObject({
  contents: z.array(content),
  systemInstruction: z.looseObject({ parts: z.unknown().optional() }).optional(),
  tools: z.array(z.looseObject({ functionDeclarations: z.array(declared).default([]) })).default([]),
  generationConfig: z.unknown().optional(),
});

/** Reads a Gemini `:generateContent` or `:streamGenerateContent` body. */
export function readGemini(raw: unknown, stream: boolean): Conversation {
  const parsed = body.parse(raw);
  const tools = parsed.tools.flatMap((group) => group.functionDeclarations);
  return {
    pieces: parsed.contents.flatMap((entry) => entry.parts.flatMap((one) => pieceOf(entry.role, one))),
    system: textOf(parsed.systemInstruction?.parts),
    tools: tools.map((tool) => jsonTool(tool.name, tool.parametersJsonSchema ?? tool.parameters)),
    stream,
    wantsJson: JSON.stringify(parsed.generationConfig ?? null).includes("application/json"),
  };
}

function pieceOf(role: string, one: z.infer<typeof part>): Piece[] {
  if (one.functionResponse !== undefined) {
    return [{ kind: "tool_result", text: JSON.stringify(one.functionResponse) }];
  }
  if (one.functionCall !== undefined) return [{ kind: "tool_call", text: JSON.stringify(one.functionCall) }];
  return one.text === undefined ? [] : [said(role, one.text)];
}

/** Answers in Gemini's form, as SSE or plain. */
export async function writeGemini(out: Out, reply: Reply, stream: boolean): Promise<void> {
  const answer = (parts: readonly unknown[], last: boolean) => ({
    candidates: [{ index: 0, content: { role: "model", parts }, ...(last && { finishReason: "STOP" }) }],
    usageMetadata: { promptTokenCount: 10, candidatesTokenCount: 1, totalTokenCount: 11 },
    modelVersion: "stand-in",
  });
  const call = reply.kind === "tool" && {
    functionCall: { name: reply.tool.name, args: shellArguments(reply.tool, reply.call) },
  };
  if (!stream) {
    return sendJson(out.response, 200, answer([call || { text: wholeText(reply) }], true));
  }
  beginSse(out.response);
  if (call) sendEvent(out.response, answer([call], true));
  else {
    for await (const text of chunksOf(reply, out.gone)) sendEvent(out.response, answer([{ text }], false));
    sendEvent(out.response, answer([{ text: "" }], true));
  }
  out.response.end();
}
