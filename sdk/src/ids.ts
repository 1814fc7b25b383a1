import { newId } from "@reprise/protocol";

const random = (bytes: number) => crypto.getRandomValues(new Uint8Array(bytes));

/** An id for a prompt that is about to be sent: sent twice under it, it is one prompt (P1). */
export function newPromptId(): string {
  return newId("prompt", random);
}

/** A `client_id` for a session that is about to be created: created twice under it, it is one session. */
export function newClientId(): string {
  return newId("session", random);
}
