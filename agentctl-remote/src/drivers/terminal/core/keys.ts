/** What somebody types, as far as it matters here: is a paste open? */
export interface Keys {
  readonly pasting: boolean;
}

export const NO_KEYS: Keys = { pasting: false };

const PASTE_BEGINS = "\x1b[200~";
const PASTE_ENDS = "\x1b[201~";
const ESC = "\x1b";
const MARKS = new RegExp(`${ESC}\\[20[01]~|\\r`, "g");
/** A pane says by these that it was looked at or left: nobody typed. */
const FOCUS = ["\x1b[I", "\x1b[O"];

/** Esc alone and Ctrl-C: by these a person makes an agent stop what it does, or closes what it shows. */
const STOPS: readonly string[] = [ESC, "\x03"];

export interface Typed {
  keys: Keys;
  /** A line, not one inside a paste. */
  submitted: boolean;
  /** Anybody typed at all. */
  any: boolean;
  /** It may be told to stop. */
  stops: boolean;
}

/** What somebody's bytes mean. */
export function typed(keys: Keys, bytes: Uint8Array): Typed {
  const text = Buffer.from(bytes).toString("latin1");
  let { pasting } = keys;
  let submitted = false;
  for (const [mark] of text.matchAll(MARKS)) {
    if (mark === "\r") submitted ||= !pasting;
    else pasting = mark === PASTE_BEGINS;
  }
  const rest = FOCUS.reduce((left, mark) => left.replaceAll(mark, ""), text);
  return { keys: { pasting }, submitted, any: rest !== "", stops: STOPS.includes(rest) };
}

/** A prompt as a person would paste it. Where the program takes no pastes, each line end would submit what came so far. */
export function asTyped(text: string, brackets: boolean): string {
  const plain = text.replace(/\r\n?/g, "\n").replace(/(?![\t\n])\p{Cc}/gu, "");
  return brackets ? `${PASTE_BEGINS}${plain.replaceAll("\n", "\r")}${PASTE_ENDS}` : plain.replaceAll("\n", " ");
}
