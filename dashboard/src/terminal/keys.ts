/** The keys that a phone's keyboard lacks, as they stand in the bar. */
export const BAR_KEYS = ["esc", "tab", "shift_tab", "left", "up", "down", "right"] as const;
export type BarKey = (typeof BAR_KEYS)[number];

/** Held for the next key, or until it is let go again. */
export type Ctrl = "off" | "once" | "held";

/** A tap on Ctrl. */
export function tapCtrl(ctrl: Ctrl): Ctrl {
  switch (ctrl) {
    case "off":
      return "once";
    case "once":
      return "held";
    case "held":
      return "off";
  }
}

/** What Ctrl is after a key. */
export function afterKey(ctrl: Ctrl): Ctrl {
  return ctrl === "held" ? "held" : "off";
}

const ARROWS: Readonly<Partial<Record<BarKey, string>>> = { up: "A", down: "B", right: "C", left: "D" };

/** The bytes of a key of the bar. @param application the program wants its arrows in the application's form (DECCKM) */
export function barBytes(key: BarKey, ctrl: Ctrl, application: boolean): string {
  const arrow = ARROWS[key];
  if (arrow !== undefined) {
    if (ctrl !== "off") return `\x1b[1;5${arrow}`;
    return application ? `\x1bO${arrow}` : `\x1b[${arrow}`;
  }
  if (key === "shift_tab") return "\x1b[Z";
  return key === "esc" ? "\x1b" : "\t";
}

/** What was typed, with Ctrl: a letter or one of `@[\]^_ ?`; anything else, as a paste, is what it was. */
export function withCtrl(text: string, ctrl: Ctrl): string {
  if (ctrl === "off") return text;
  if (text === " ") return "\0";
  if (text === "?") return "\x7f";
  return /^[@-_a-z]$/.test(text) ? String.fromCharCode(text.toUpperCase().charCodeAt(0) & 0x1f) : text;
}
