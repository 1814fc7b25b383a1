import type { RequestPermissionRequest, RequestPermissionResponse } from "@agentclientprotocol/sdk";
import { type ApprovalAsk, MAX_OPTIONS, MAX_TOOL_BLOCKS } from "@reprise/protocol";
import { cut, inputText, toolContent } from "./content.ts";
import { ToolFields } from "./updates.ts";

const CANCELLED: RequestPermissionResponse = { outcome: { outcome: "cancelled" } };

/** A question as people see it. What of the call can't be read is left out. */
export function askOf(requestId: string, request: RequestPermissionRequest): Omit<ApprovalAsk, "turn_id"> {
  const call = ToolFields.safeParse(request.toolCall);
  return {
    request_id: requestId,
    tool_call_id: request.toolCall.toolCallId,
    title: cut(request.toolCall.title ?? "The agent asks for permission", 1_000),
    options: request.options
      .slice(0, MAX_OPTIONS)
      .map(({ optionId, name, kind }) => ({ option_id: optionId, name: cut(name, 500), kind })),
    content: call.success ? (call.data.content ?? []).slice(0, MAX_TOOL_BLOCKS).map(toolContent) : [],
    input: inputText(request.toolCall.rawInput),
  };
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
