import {
  ConversationList,
  type ConversationsQuery,
  JoinToken,
  NodeAnswer,
  NodeDetail,
  NodeList,
  Ok,
} from "@reprise/protocol";
import { z } from "zod";
import type { Call } from "./call.ts";
import { at } from "./path.ts";

const answerOf = <Op extends NodeAnswer["op"]>(op: Op) =>
  z.custom<Extract<NodeAnswer, { op: Op }>>((value) => {
    const parsed = NodeAnswer.safeParse(value);
    return parsed.success && parsed.data.op === op;
  }, `not the answer to ${op}`);

/** Machines, and the tokens by which new ones join. */
export function nodeCalls(call: Call) {
  return {
    list: (signal?: AbortSignal) => call("GET", "/api/nodes", NodeList, { signal }),
    get: (id: string, signal?: AbortSignal) => call("GET", at`/api/nodes/${id}`, NodeDetail, { signal }),
    rename: (id: string, name: string) => call("PATCH", at`/api/nodes/${id}`, Ok, { body: { name } }),
    remove: (id: string) => call("DELETE", at`/api/nodes/${id}`, Ok),
    /** Folders on that machine that complete what was typed; `~` is its home. */
    completePath: (id: string, prefix: string, signal?: AbortSignal) =>
      call("POST", at`/api/nodes/${id}/complete_path`, answerOf("complete_path"), { body: { prefix }, signal }),
    inspectPath: (id: string, path: string, signal?: AbortSignal) =>
      call("POST", at`/api/nodes/${id}/inspect_path`, answerOf("inspect_path"), { body: { path }, signal }),
    /** The owner's word on the address that the machine registered (N7). */
    approveAddress: (id: string, url: string, approved: boolean) =>
      call("POST", at`/api/nodes/${id}/address`, Ok, { body: { url, approved } }),
    /** Calls a machine that is away now, at its approved address. */
    callNow: (id: string) => call("POST", at`/api/nodes/${id}/call`, Ok),
    /** Conversations that the profile's agent has kept of a folder there, newest first. */
    conversations: (id: string, query: z.input<typeof ConversationsQuery>, signal?: AbortSignal) =>
      call("GET", at`/api/nodes/${id}/conversations`, ConversationList, { query, signal }),
    /** Looks for agents there again. */
    rescan: (id: string) => call("POST", at`/api/nodes/${id}/rescan`, answerOf("rescan_agents")),
  };
}

export function joinTokenCalls(call: Call) {
  return { create: () => call("POST", "/api/join-tokens", JoinToken) };
}
