/** Larger than any request seen from a real agent (Claude Code sends about 150 KB with its tools). */
export const MAX_BODY_BYTES = 32 * 1024 * 1024;
/** A stream without its own pace still arrives in pieces, as a real model's does, but costs a test no time. */
export const DEFAULT_WORD_MS = 20;
/** More words than any test reads; a typing error must not make an endless stream. */
export const MAX_WORDS = 100_000;
