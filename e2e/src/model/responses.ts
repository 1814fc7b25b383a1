import { z } from "zod";
import type { Conversation, OfferedTool, Piece } from "./conversation.ts";
import { jsonTool, said, shellArguments, textOf } from "./reading.ts";
import type { Reply, ShellCall } from "./script.ts";
import { beginSse, chunksOf, type Out, sendEvent } from "./sse.ts";

const item = z.looseObject({ type: z.string().default("message") });
const tool = z.looseObject({ type: z.string(), name: z.string().optional(), parameters: z.unknown().optional() });
const body = z.looseObject({
  input: z.union([z.string(), z.array(item)]),
  instructions: z.unknown().optional(),
  tools: z.array(tool).default([]),
  text: z.unknown().optional(),
});

/** Reads an OpenAI `POST /v1/responses` body. */
export function readResponses(raw: unknown): Conversation {
  const parsed = body.parse(raw);
  const input = typeof parsed.input === "string" ? [] : parsed.input;
  return {
    pieces: typeof parsed.input === "string" ? [said("user", parsed.input)] : input.flatMap(pieceOf),
    system: textOf(parsed.instructions),
    // For its newest models Codex offers its tools inside the input.
    tools: [...parsed.tools, ...input.flatMap(addedTools)].flatMap(offered),
    stream: true,
    wantsJson: JSON.stringify(parsed.text ?? null).includes("json_schema"),
  };
}

function addedTools(entry: z.infer<typeof item>): z.infer<typeof tool>[] {
  return entry.type === "additional_tools" ? (z.array(tool).safeParse(entry.tools).data ?? []) : [];
}

function offered(entry: z.infer<typeof tool>): OfferedTool[] {
  if (entry.type === "namespace") {
    const inner = z.array(tool).safeParse(entry.tools).data ?? [];
    return inner.flatMap(offered).map((one) => ({ ...one, namespace: entry.name ?? "" }));
  }
  if (entry.type === "custom") return [{ name: entry.name ?? "", properties: {}, freeform: true }];
  return entry.name === undefined ? [] : [jsonTool(entry.name, entry.parameters)];
}

function pieceOf(entry: z.infer<typeof item>): Piece[] {
  if (entry.type.endsWith("_call_output")) return [{ kind: "tool_result", text: textOf(entry.output) }];
  if (entry.type.endsWith("_call")) return [{ kind: "tool_call", text: textOf(entry.arguments ?? entry.input) }];
  if (entry.type !== "message" || entry.role === "developer" || entry.role === "system") return [];
  return [said(String(entry.role), textOf(entry.content))];
}

/** Answers in the Responses API's SSE form. */
export async function writeResponses(out: Out, reply: Reply, id: string): Promise<void> {
  let sequence_number = 0;
  const send = (type: string, data: Record<string, unknown>) =>
    sendEvent(out.response, { type, sequence_number: sequence_number++, ...data }, type);
  const response = { id: `resp_${id}`, object: "response", status: "in_progress", model: "stand-in", output: [] };
  beginSse(out.response);
  send("response.created", { response });
  const done = reply.kind === "tool" ? sendCall(send, reply, id) : await sendText(out, send, reply, id);
  const usage = { input_tokens: 10, output_tokens: 1, total_tokens: 11 };
  send("response.completed", { response: { ...response, status: "completed", output: [done], usage } });
  out.response.end();
}

type Send = (type: string, data: Record<string, unknown>) => void;

function sendCall(send: Send, reply: Extract<Reply, { kind: "tool" }>, id: string): unknown {
  const { name, freeform, namespace } = reply.tool;
  const base = { id: `fc_${id}`, call_id: `call_${id}`, name, status: "completed", ...(namespace && { namespace }) };
  const call = freeform
    ? { ...base, type: "custom_tool_call", input: freeformShell(reply.call) }
    : { ...base, type: "function_call", arguments: JSON.stringify(shellArguments(reply.tool, reply.call)) };
  send("response.output_item.added", { output_index: 0, item: call });
  send("response.output_item.done", { output_index: 0, item: call });
  return call;
}

/** Codex's free-form `exec` takes JavaScript in which its shell is a function. */
function freeformShell({ command, escalate }: ShellCall): string {
  const permission = { sandbox_permissions: "require_escalated", justification: "May I run the asked command?" };
  const args = { cmd: command, ...(escalate && permission) };
  return `const r = await tools.exec_command(${JSON.stringify(args)});\ntext(typeof r === "string" ? r : r.output);\n`;
}

async function sendText(out: Out, send: Send, reply: Reply, id: string): Promise<unknown> {
  const item_id = `item_${id}`;
  const place = { item_id, output_index: 0, content_index: 0 };
  const open = { id: item_id, type: "message", role: "assistant", status: "in_progress", content: [] };
  send("response.output_item.added", { output_index: 0, item: open });
  send("response.content_part.added", { ...place, part: { type: "output_text", text: "", annotations: [] } });
  let text = "";
  for await (const delta of chunksOf(reply, out.gone)) {
    text += delta;
    send("response.output_text.delta", { ...place, delta });
  }
  send("response.output_text.done", { ...place, text });
  const part = { type: "output_text", text, annotations: [] };
  const item = { ...open, status: "completed", content: [part] };
  send("response.content_part.done", { ...place, part });
  send("response.output_item.done", { output_index: 0, item });
  return item;
}
