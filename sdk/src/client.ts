import { Health } from "@reprise/protocol";
import { accountCalls } from "./http/account.ts";
import { type CallOptions, createCall } from "./http/call.ts";
import { joinTokenCalls, nodeCalls } from "./http/machines.ts";
import { sessionCalls } from "./http/sessions.ts";
import { profileCalls, taskCalls } from "./http/work.ts";

/** All of the HTTP door. In a browser the cookie signs in, and `origin` is `location.origin`. */
export function createClient(options: CallOptions) {
  const call = createCall(options);
  return {
    origin: options.origin,
    token: options.token,
    health: (signal?: AbortSignal) => call("GET", "/api/health", Health, { signal }),
    sessions: sessionCalls(call),
    tasks: taskCalls(call),
    nodes: nodeCalls(call),
    profiles: profileCalls(call),
    joinTokens: joinTokenCalls(call),
    account: accountCalls(call),
  };
}
export type Client = ReturnType<typeof createClient>;
