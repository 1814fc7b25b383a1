import type { PaneState } from "@reprise/protocol";
import { createStore, type StoreApi } from "zustand";
import type { Found } from "./find.ts";
import { afterKey, type Ctrl, withCtrl } from "./keys.ts";
import type { PointedLink } from "./links.ts";

/** What a page knows of a terminal beside its screen. */
export interface ViewState {
  /** Null before it is opened. */
  readonly pane: PaneState | null;
  /** What its program calls itself; empty where it said nothing. */
  readonly title: string;
  /** The search is open. */
  readonly finding: boolean;
  readonly found: Found | null;
  readonly link: PointedLink | null;
  /** Something is selected. */
  readonly selected: boolean;
  readonly ctrl: Ctrl;
}

export type TerminalView = StoreApi<ViewState>;

const FIRST: ViewState = {
  pane: null,
  title: "",
  finding: false,
  found: null,
  link: null,
  selected: false,
  ctrl: "off",
};

/** The view of a terminal that is not open yet. */
export function createView(): TerminalView {
  return createStore<ViewState>(() => FIRST);
}

/** What was typed, as it goes to the program: the bar's Ctrl counts for it, and is let go after one key. */
export function typed(view: TerminalView, text: string): string {
  const { ctrl } = view.getState();
  if (ctrl === "off" || [...text].length !== 1) return text;
  view.setState({ ctrl: afterKey(ctrl) });
  return withCtrl(text, ctrl);
}
