import type { RequestPermissionRequest, RequestPermissionResponse } from "@agentclientprotocol/sdk";
import { type ApprovalAsk, MAX_EVENT_BYTES, MAX_OPTIONS, MAX_TOOL_BLOCKS } from "@reprise/protocol";
import { cut, inputText, toolContent } from "./content.ts";
import { ToolFields } from "./updates.ts";

/** Half an event: enough for any diff that a person reads before answering. */
const ASK_BYTES = MAX_EVENT_BYTES / 2;
const CANCELLED: RequestPermissionResponse = { outcome: { outcome: "cancelled" } };

/** A question as people see it. What of the call can't be read is left out. */
export function askOf(requestId: string, request: RequestPermissionRequest): Omit<ApprovalAsk, "turn_id"> {
  const call = ToolFields.safeParse(request.toolCall);
  const ask: Omit<ApprovalAsk, "turn_id"> = {
    request_id: requestId,
    tool_call_id: request.toolCall.toolCallId,
    title: cut(request.toolCall.title ?? "The agent asks for permission", 1_000),
    options: request.options
      .slice(0, MAX_OPTIONS)
      .map(({ optionId, name, kind }) => ({ option_id: optionId, name: cut(name, 500), kind })),
    content: call.success ? (call.data.content ?? []).slice(0, MAX_TOOL_BLOCKS).map(toolContent) : [],
    input: inputText(request.toolCall.rawInput),
  };
  if (Buffer.byteLength(JSON.stringify(ask)) <= ASK_BYTES) return ask;
  // The call itself is in the log, with more of its content: the question stays readable without.
  return { ...ask, content: [], input: ask.input === null ? null : cut(ask.input, 8_000) };
}

/** The requests that the agent waits on (P3). */
export class HeldApprovals {
  private readonly held = new Map<string, (response: RequestPermissionResponse) => void>();

  /** Hold a request until it is answered. */
  hold(requestId: string): Promise<RequestPermissionResponse> {
    return new Promise((resolve) => this.held.set(requestId, resolve));
  }

  /** A JSON-RPC id that is free; an agent that uses one twice gets a new name for it. */
  nameOf(id: string | number | null | undefined): string {
    let name = String(id ?? "none").slice(0, 100);
    while (this.held.has(name)) name += "'";
    return name;
  }

  answer(requestId: string, optionId: string | null): void {
    const resolve = this.held.get(requestId);
    this.held.delete(requestId);
    resolve?.(optionId === null ? CANCELLED : { outcome: { outcome: "selected", optionId } });
  }
}
