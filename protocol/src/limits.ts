/** Limits that more than one program holds. Each with its reason. */

/** workerd takes 32 MiB messages; ours stay small so that one frame never blocks a socket for long. */
export const MAX_FRAME_BYTES = 1024 * 1024;
/** A spool event must fit a frame with room for its envelope. */
export const MAX_EVENT_BYTES = 512 * 1024;
/** Events in one frame: keeps one storage transaction short. */
export const MAX_EVENTS_PER_FRAME = 200;
export const MAX_EVENTS_FRAME_BYTES = 768 * 1024;
/** A prompt's text: larger than any paste by hand, far below a frame. */
export const MAX_PROMPT_CHARS = 200_000;
export const MAX_PROMPT_BLOCKS = 20;
/** Waiting prompts of one session; the next is refused with `queue_full`. */
export const MAX_QUEUED_PROMPTS = 100;
/** One item's text; more is cut with `truncated`, so that a runaway answer can't outgrow a row. */
export const MAX_ITEM_TEXT = 256 * 1024;
/** One tool call's content block. */
export const MAX_TOOL_TEXT = 64 * 1024;
export const MAX_TOOL_BLOCKS = 40;
/** An approval's offered options. */
export const MAX_OPTIONS = 20;
/** Sessions a node may report in one inventory. */
export const MAX_INVENTORY = 2_000;
export const MAX_PATH_CHARS = 4_096;
/** An address that a machine registers. */
export const MAX_URL_CHARS = 300;
export const MAX_TITLE_CHARS = 200;
export const MAX_MESSAGE_CHARS = 2_000;
/** JSON bodies over HTTP. */
export const MAX_BODY_BYTES = 1024 * 1024;
/** The text message a node sends, and what the platform answers without waking the object (N2). */
export const HEARTBEAT_PING = "ping";
export const HEARTBEAT_PONG = "pong";
