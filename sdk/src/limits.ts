/** Limits of the client. Each with its reason. */

/** L4: an acknowledgement goes up once this much has come down: an eighth of what the server lets run ahead. */
export const SEEN_BYTES = 32 * 1024;
/** L4: and at the latest this long after something came. */
export const SEEN_MS = 1_000;
/** N4: a link that held this long was well, so that the next loss starts at the beginning of the backoff. */
export const HEALTHY_MS = 10_000;
/** One attempt to connect: a name look-up or a hand-shake that hangs must not end the trying. */
export const CONNECT_MS = 10_000;
/** Silence after which a ping goes up: browsers don't notice a network that went away under a socket. */
export const PING_AFTER_MS = 20_000;
/** How long its pong may take. The platform answers without waking anything. */
export const PONG_MS = 5_000;
/** 4403 may be undone by a person, so that asking goes on, but slowly. */
export const FORBIDDEN_RETRY_MS = 60_000;
/** A terminal's pane that is not attached asks again after this: an answer may have been lost, or a wish have lapsed. */
export const ATTACH_AGAIN_MS = 15_000;
