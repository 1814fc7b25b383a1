/** What a key means to the terminal itself; all others are the program's. */
export type Shortcut =
  /** Copy, by our hand. */
  | "copy"
  /** The browser's own copy or paste: it must get the key. */
  | "browser_copy"
  | "browser_paste"
  | "find"
  | "newline";

export interface ShortcutPlace {
  readonly mac: boolean;
  readonly selected: boolean;
  /** A full-screen program has the screen: there is no scrollback to search, and its keys are its own. */
  readonly fullScreen: boolean;
  /** An agent's prompt takes several lines; a shell's Enter is an Enter. */
  readonly agent: boolean;
}

type Key = Pick<KeyboardEvent, "key" | "ctrlKey" | "metaKey" | "shiftKey" | "altKey">;

/**
 * On a Mac the modifier of the page's shortcuts is none that programs use. Elsewhere it is Ctrl, which they do: it is
 * only taken where the program has little use for it, and always together with Shift.
 */
export function shortcutOf(event: Key, { mac, selected, fullScreen, agent }: ShortcutPlace): Shortcut | null {
  const key = event.key.toLowerCase();
  const { ctrlKey: ctrl, metaKey: meta, shiftKey: shift, altKey: alt } = event;
  if (key === "enter") return agent && shift && !ctrl && !meta && !alt ? "newline" : null;
  if (alt) return null;
  if (mac) return meta && !ctrl && key === "f" ? "find" : null;
  if (meta) return null;
  if (key === "insert") {
    if (shift && !ctrl) return "browser_paste";
    return ctrl && !shift && selected ? "copy" : null;
  }
  if (!ctrl) return null;
  switch (key) {
    case "c":
      if (shift) return "copy";
      return selected ? "browser_copy" : null;
    case "v":
      return "browser_paste";
    case "f":
      return shift || !fullScreen ? "find" : null;
    default:
      return null;
  }
}
