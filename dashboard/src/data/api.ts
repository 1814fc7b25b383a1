import { ApiError, createClient } from "@reprise/sdk";
import { REQUEST_TIMEOUT_MS } from "./limits.ts";

/** The door to the control plane that served this page; the cookie signs in. */
export const api = createClient({
  origin: location.origin,
  fetch: (input, init) => {
    const timeout = AbortSignal.timeout(REQUEST_TIMEOUT_MS);
    const signal = init?.signal ? AbortSignal.any([init.signal, timeout]) : timeout;
    return fetch(input, { ...init, signal });
  },
});

/** What went wrong, as a sentence for people. */
export function sentence(error: unknown): string {
  if (error instanceof ApiError) return error.message;
  return "Something failed on this page. Reload it, then try again.";
}

/** Whether a door said that there is no such thing (any more). */
export function isGone(error: unknown): boolean {
  return error instanceof ApiError && error.status === 404;
}
