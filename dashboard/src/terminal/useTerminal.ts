import type { Pane } from "@reprise/sdk";
import { type RefObject, useEffect, useRef, useState } from "react";
import { useTheme } from "../lib/theme.ts";
import { isTouch, useMedia, usePhone } from "../lib/useMedia.ts";
import type { SessionStore } from "../session/store.ts";
import { toast } from "../ui/toast.ts";
import { PageScreen } from "./screen.ts";
import { createView, type TerminalView, typed } from "./view.ts";
import { type Card, loadCard } from "./webgl.ts";

/** A window that is being dragged is not worth a new size at each step. */
const RESIZE_MS = 100;

export interface OpenTerminal {
  readonly pane: Pane;
  readonly screen: PageScreen;
}

export interface TerminalSpec {
  readonly terminalId: string;
  /** Its name to who can't see it. */
  readonly label: string;
  /** An agent's own, and no shell. */
  readonly agent: boolean;
  /** What is said when it is another program than before, and when keys went nowhere; null: nothing needs to be. */
  readonly notices: { readonly renewed: string | null; readonly lost_input: string };
}

export interface Terminal {
  /** Where it is drawn: without padding of its own, for what fits is measured by it. */
  readonly place: RefObject<HTMLDivElement | null>;
  readonly opened: OpenTerminal | null;
  readonly view: TerminalView;
}

/**
 * A terminal of a session, opened in its place on the page, and closed with it.
 * @param spec the same for the page's life @param wanted false: it is not opened yet
 */
export function useTerminal(store: SessionStore, spec: TerminalSpec, wanted = true): Terminal {
  const place = useRef<HTMLDivElement>(null);
  const [view] = useState(createView);
  const [opened, setOpened] = useState<OpenTerminal | null>(null);
  const phone = usePhone();

  useEffect(() => {
    const element = place.current;
    if (element === null || !wanted) return;
    let gone = false;
    let close: () => void = () => undefined;
    const fontSize = phone ? 12 : 13;
    // Measured with another font, it would be laid out for another width.
    const font = document.fonts.load(`${fontSize}px "JetBrains Mono Variable"`);
    void Promise.all([loadCard(), font]).then(([card]) => {
      if (gone) return;
      const { close: closed, ...terminal } = openTerminal({ store, spec, element, view, fontSize, card });
      close = closed;
      setOpened(terminal);
    });
    return () => {
      gone = true;
      close();
      setOpened(null);
      view.setState(view.getInitialState(), true);
    };
  }, [store, spec, wanted, view, phone]);

  const theme = useTheme(({ theme: chosen }) => chosen);
  const dark = useMedia("(prefers-color-scheme: dark)");
  // biome-ignore lint/correctness/useExhaustiveDependencies: its colours follow the page's theme
  useEffect(() => opened?.screen.repaint(), [opened, theme, dark]);
  return { place, opened, view };
}

interface Opening {
  readonly store: SessionStore;
  readonly spec: TerminalSpec;
  readonly element: HTMLElement;
  readonly view: TerminalView;
  readonly fontSize: number;
  readonly card: Card | null;
}

function openTerminal({ store, spec, element, view, ...look }: Opening): OpenTerminal & { close: () => void } {
  const { terminalId, label, agent, notices } = spec;
  const encoder = new TextEncoder();
  let wished = { cols: 0, rows: 0 };
  /** @param again also where it was wished for before: another page may have had another wish since */
  const refit = (again: boolean) => {
    const size = screen.proposed();
    if (size === null || (!again && size.cols === wished.cols && size.rows === wished.rows)) return;
    wished = size;
    pane.resize(size);
  };
  const screen = new PageScreen(
    element,
    {
      keys: (text) => pane.input(encoder.encode(typed(view, text))),
      bytes: (bytes) => pane.input(bytes),
      focused: () => refit(true),
      titled: (title) => view.setState({ title }),
      find: () => view.setState({ finding: true }),
      found: (found) => view.setState({ found }),
      pointed: (link) => view.setState({ link }),
      selected: (selected) => view.setState({ selected }),
    },
    { ...look, label, agent },
  );
  wished = screen.proposed() ?? { cols: 80, rows: 24 };
  const pane: Pane = store.openPane({
    terminalId,
    paneId: `pane-${crypto.randomUUID().slice(0, 18)}`,
    size: wished,
    onState: (state) => view.setState({ pane: state }),
    display: {
      screen: (text, size, shown) => screen.screen(text, size, shown),
      output: (bytes, shown) => screen.output(bytes, shown),
      size: (size) => screen.size(size),
      notice: (what) => {
        const words = notices[what];
        if (words !== null) toast(words);
      },
    },
  });
  view.setState({ pane: pane.state });
  let timer = 0;
  const watcher = new ResizeObserver(() => {
    clearTimeout(timer);
    timer = window.setTimeout(() => refit(false), RESIZE_MS);
  });
  watcher.observe(element);
  if (!isTouch()) screen.focus();
  const close = () => {
    clearTimeout(timer);
    watcher.disconnect();
    pane.close();
    screen.dispose();
  };
  return { pane, screen, close };
}
