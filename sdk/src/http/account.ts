import { ApiTokenList, BrowserSessionList, type CreateApiToken, CreatedApiToken, Me, Ok } from "@reprise/protocol";
import type { z } from "zod";
import type { Call } from "./call.ts";
import { at } from "./path.ts";

/** Who is signed in, and the ways in that this person has made. */
export function accountCalls(call: Call) {
  return {
    me: (signal?: AbortSignal) => call("GET", "/api/account/me", Me, { signal }),
    /** @param token from a sign-in link; works once, and sets the cookie */
    signIn: (token: string) => call("POST", "/api/sign-in", Ok, { body: { token } }),
    signOut: () => call("POST", "/api/sign-out", Ok),
    tokens: {
      list: (signal?: AbortSignal) => call("GET", "/api/account/tokens", ApiTokenList, { signal }),
      /** The secret is in this answer and nowhere else. */
      create: (body: z.input<typeof CreateApiToken>) => call("POST", "/api/account/tokens", CreatedApiToken, { body }),
      revoke: (id: string) => call("DELETE", at`/api/account/tokens/${id}`, Ok),
    },
    browserSessions: {
      list: (signal?: AbortSignal) => call("GET", "/api/account/browsers", BrowserSessionList, { signal }),
      revoke: (id: string) => call("DELETE", at`/api/account/browsers/${id}`, Ok),
    },
  };
}
