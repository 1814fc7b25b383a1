/**
 * Where a terminal's byte stream may be cut: not inside an escape sequence, nor inside a UTF-8 character. What comes
 * after a cut then means the same to a terminal that saw only a snapshot of what came before (C27).
 */
export type Scan =
  | { in: "ground" }
  | { in: "utf8"; left: number }
  | { in: "escape" }
  | { in: "csi" }
  /** OSC, DCS, APC, PM, SOS: up to their terminator. */
  | { in: "string" }
  | { in: "string_escape" };

export const GROUND: Scan = { in: "ground" };

const ESC = 0x1b;
const BEL = 0x07;
const CAN = 0x18;
const SUB = 0x1a;

/** Reads on. @returns the state behind the last byte, and how many bytes lead up to the last place for a cut (0: none) */
export function scan(state: Scan, bytes: Uint8Array): { state: Scan; safe: number } {
  let now = state;
  let safe = 0;
  for (let i = 0; i < bytes.length; i++) {
    now = after(now, bytes[i] ?? 0);
    if (now.in === "ground") safe = i + 1;
  }
  return { state: now, safe };
}

function after(state: Scan, byte: number): Scan {
  // These two end whatever is open.
  if (byte === CAN || byte === SUB) return GROUND;
  switch (state.in) {
    case "ground":
      return start(byte);
    case "utf8":
      if (byte < 0x80 || byte > 0xbf) return start(byte);
      return state.left > 1 ? { in: "utf8", left: state.left - 1 } : GROUND;
    case "escape":
      if (byte === ESC) return state;
      if (byte === 0x5b) return { in: "csi" };
      // ] P X ^ _
      if (byte === 0x5d || byte === 0x50 || byte === 0x58 || byte === 0x5e || byte === 0x5f) return { in: "string" };
      // Intermediates and control characters lead on; anything else is the end of it.
      return byte < 0x30 ? state : GROUND;
    case "csi":
      if (byte === ESC) return { in: "escape" };
      return byte >= 0x40 && byte <= 0x7e ? GROUND : state;
    case "string":
      if (byte === ESC) return { in: "string_escape" };
      return byte === BEL ? GROUND : state;
    case "string_escape":
      // The terminator, or the start of another sequence that broke this one off.
      return byte === 0x5c ? GROUND : after({ in: "escape" }, byte);
  }
}

function start(byte: number): Scan {
  if (byte === ESC) return { in: "escape" };
  if (byte >= 0xf0 && byte <= 0xf7) return { in: "utf8", left: 3 };
  if (byte >= 0xe0 && byte <= 0xef) return { in: "utf8", left: 2 };
  if (byte >= 0xc0 && byte <= 0xdf) return { in: "utf8", left: 1 };
  return GROUND;
}
