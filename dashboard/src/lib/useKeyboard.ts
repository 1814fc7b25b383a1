import { useSyncExternalStore } from "react";

/** A keyboard takes at least this part of the window's height; a browser's own bars take less. */
const KEYBOARD_PART = 0.22;

export interface Keyboard {
  /** It is on the screen. */
  readonly open: boolean;
  /** Pixels of the page that it covers: some browsers make the page smaller for it, others don't. */
  readonly covered: number;
}

export interface WindowHeights {
  /** The page's. */
  readonly layout: number;
  /** What of it is seen, and how far down that begins. */
  readonly seen: number;
  readonly top: number;
  /** The most that was ever seen in this width. */
  readonly tallest: number;
}

/** What the heights of the window tell of the keyboard on a phone's screen. */
export function keyboardOf({ layout, seen, top, tallest }: WindowHeights): Keyboard {
  const open = seen < tallest * (1 - KEYBOARD_PART);
  return { open, covered: open ? Math.max(0, Math.round(layout - seen - top)) : 0 };
}

const NONE: Keyboard = { open: false, covered: 0 };
const tallest = new Map<number, number>();
let last = NONE;

function snapshot(): Keyboard {
  const view = window.visualViewport;
  // Zoomed by two fingers, less is seen as well.
  if (view === null || view.scale > 1.01) return NONE;
  const known = Math.max(tallest.get(window.innerWidth) ?? 0, view.height);
  tallest.set(window.innerWidth, known);
  const now = keyboardOf({ layout: window.innerHeight, seen: view.height, top: view.offsetTop, tallest: known });
  if (now.open !== last.open || now.covered !== last.covered) last = now;
  return last;
}

function subscribe(listener: () => void): () => void {
  const view = window.visualViewport;
  view?.addEventListener("resize", listener);
  view?.addEventListener("scroll", listener);
  return () => {
    view?.removeEventListener("resize", listener);
    view?.removeEventListener("scroll", listener);
  };
}

/** The keyboard on a phone's screen. */
export function useKeyboard(): Keyboard {
  return useSyncExternalStore(subscribe, snapshot);
}
