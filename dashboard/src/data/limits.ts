/** A request that takes longer is given up, so that every button answers at last. */
export const REQUEST_TIMEOUT_MS = 20_000;
/** Changes told by the feed within this time are read in one go. */
export const FEED_GATHER_MS = 40;
/** More sessions than this changed at once: the whole list is cheaper than each of them. */
export const FEED_MAX_SINGLE_READS = 4;
/** The list is read again this often even when the feed says nothing: a feed can be cut without telling. */
export const LIST_STALE_MS = 60_000;
/** A loss of the socket shorter than this is not worth a word. */
export const BEHIND_AFTER_MS = 1_500;
/** Rows fetched when the reader asks for earlier messages. */
export const EARLIER_ROWS = 200;
/** Most that the inbox shows under "Recently done". */
export const RECENTLY_DONE = 20;
/** A git status or listing that is on the screen is asked for again after this: shells and editors tell nobody. */
export const WORKSPACE_STALE_MS = 5_000;
