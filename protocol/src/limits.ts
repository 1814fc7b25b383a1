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
/** Entries of one folder in a listing: what a page can still show as one list. */
export const MAX_FOLDER_ENTRIES = 2_000;
/** One file's text in an answer: with JSON's escapes it still fits a frame. */
export const MAX_FILE_CHARS = 256 * 1024;
/** Changed files in one git status. */
export const MAX_GIT_FILES = 1_000;
/** One file's diff: more than anybody reads of one file. */
export const MAX_DIFF_CHARS = 256 * 1024;
/** B2: bytes of a terminal in one frame. */
export const MAX_TERMINAL_CHUNK = 64 * 1024;
/** A screen with its scrollback, as escape sequences; beyond, the oldest lines are left out. */
export const MAX_TERMINAL_SCREEN_CHARS = 512 * 1024;
export const MAX_TERMINAL_COLS = 500;
export const MAX_TERMINAL_ROWS = 300;
/** B2: bytes on their way to one pane that it has not shown yet; then it gets nothing until it acknowledges some. */
export const TERMINAL_WINDOW_BYTES = 512 * 1024;
/** A pane acknowledges in steps of this: a frame of its own for each key's echo would cost more than it says. */
export const TERMINAL_ACK_BYTES = 64 * 1024;
/** Panes of one viewer: more than any page shows. */
export const MAX_PANES = 16;
/** Kept conversations of one folder in an answer: what a person still picks from. */
export const MAX_CONVERSATIONS = 100;
/** R7: an agent's goodbye so shortly before or after it was ended by something else is its death gasp. */
export const DEATH_GASP_MS = 30_000;
/** JSON bodies over HTTP. */
export const MAX_BODY_BYTES = 1024 * 1024;
/** The text message a node sends, and what the platform answers without waking the object (N2). */
export const HEARTBEAT_PING = "ping";
export const HEARTBEAT_PONG = "pong";
