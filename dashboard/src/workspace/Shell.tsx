import type { PaneState } from "@reprise/protocol";
import type { Pane } from "@reprise/sdk";
import { SquareTerminal } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { useTheme } from "../lib/theme.ts";
import { useMedia, usePhone } from "../lib/useMedia.ts";
import type { SessionStore } from "../session/store.ts";
import { Button } from "../ui/Button.tsx";
import { EmptyState } from "../ui/EmptyState.tsx";
import { Late } from "../ui/Skeleton.tsx";
import { Spinner } from "../ui/Spinner.tsx";
import { toast } from "../ui/toast.ts";
import { PageScreen } from "./screen.ts";

/** The one shell of a session that every page of it shares. */
const SHELL = "shell";
/** A window that is being dragged is not worth a new size at each step. */
const RESIZE_MS = 100;
const NOTICES = {
  renewed: "The earlier shell ended with its host. This is a new one.",
  lost_input: "What you typed meanwhile was for the earlier shell, and went nowhere.",
} as const;

/** Keys that a phone's keyboard lacks. */
const PHONE_KEYS = [
  ["Esc", "\x1b"],
  ["Tab", "\t"],
  ["Ctrl C", "\x03"],
  ["Ctrl D", "\x04"],
  ["↑", "\x1b[A"],
  ["↓", "\x1b[B"],
] as const;

function paneId(): string {
  return `pane-${crypto.randomUUID().slice(0, 18)}`;
}

/** A shell in the session's workspace, on its machine. @param live false: it is shown as it was last */
export default function Shell({ store, live }: { readonly store: SessionStore; readonly live: boolean }) {
  const place = useRef<HTMLDivElement>(null);
  const [opened, setOpened] = useState<{ pane: Pane; screen: PageScreen } | null>(null);
  const [state, setState] = useState<PaneState | null>(null);
  const phone = usePhone();

  useEffect(() => {
    const element = place.current;
    if (element === null) return;
    let gone = false;
    let close: () => void = () => undefined;
    // Measured with another font, it would be laid out for another width.
    void document.fonts.load('13px "JetBrains Mono Variable"').then(() => {
      if (!gone) close = open(element);
    });
    const open = (at: HTMLElement) => {
      let wished = { cols: 0, rows: 0 };
      /** @param again also where it was wished for before: another page may have had another wish since */
      const refit = (again: boolean) => {
        const size = screen.proposed();
        if (size === null || (!again && size.cols === wished.cols && size.rows === wished.rows)) return;
        wished = size;
        pane.resize(size);
      };
      const screen = new PageScreen(
        at,
        { keys: (bytes) => pane.input(bytes), focused: () => refit(true) },
        { fontSize: phone ? 12 : 13, label: "Shell" },
      );
      wished = screen.proposed() ?? { cols: 80, rows: 24 };
      const pane: Pane = store.openPane({
        terminalId: SHELL,
        paneId: paneId(),
        size: wished,
        onState: setState,
        display: {
          screen: (text, size, shown) => screen.screen(text, size, shown),
          output: (bytes, shown) => screen.output(bytes, shown),
          size: (size) => screen.size(size),
          notice: (what) => toast(NOTICES[what]),
        },
      });
      let timer = 0;
      const watcher = new ResizeObserver(() => {
        clearTimeout(timer);
        timer = window.setTimeout(() => refit(false), RESIZE_MS);
      });
      watcher.observe(at);
      setOpened({ pane, screen });
      setState(pane.state);
      if (!matchMedia("(pointer: coarse)").matches) screen.focus();
      return () => {
        clearTimeout(timer);
        watcher.disconnect();
        pane.close();
        screen.dispose();
        setOpened(null);
      };
    };
    return () => {
      gone = true;
      close();
    };
  }, [store, phone]);

  const theme = useTheme(({ theme: chosen }) => chosen);
  const dark = useMedia("(prefers-color-scheme: dark)");
  // biome-ignore lint/correctness/useExhaustiveDependencies: its colours follow the page's theme
  useEffect(() => opened?.screen.repaint(), [opened, theme, dark]);
  const takesKeys = live && state?.phase !== "ended" && state?.phase !== "refused";
  useEffect(() => opened?.screen.takesKeys(takesKeys), [opened, takesKeys]);

  return (
    <div
      className="relative flex h-full min-h-0 flex-col"
      data-testid="shell"
      data-phase={live ? state?.phase : "silent"}
    >
      <div className="min-h-0 flex-1 py-2 pl-3">
        {/* Without padding of its own: what fits is measured by it. */}
        <div ref={place} className="h-full overflow-hidden" />
      </div>
      {opened === null || state === null ? null : <Over state={state} live={live} pane={opened.pane} />}
      {phone && opened !== null && takesKeys ? (
        <div className="flex shrink-0 gap-1.5 overflow-x-auto border-t border-line px-2 py-1.5">
          {PHONE_KEYS.map(([name, bytes]) => (
            <Button
              key={name}
              size="sm"
              onPointerDown={(event) => event.preventDefault()}
              onClick={() => opened.pane.input(new TextEncoder().encode(bytes))}
            >
              {name}
            </Button>
          ))}
        </div>
      ) : null}
    </div>
  );
}

/** What is to be said over the terminal: that it isn't there yet, has ended, or can't be had. */
function Over({ state, live, pane }: { readonly state: PaneState; readonly live: boolean; readonly pane: Pane }) {
  switch (state.phase) {
    case "attached":
      return null;
    case "waiting":
    case "attaching":
      if (!live) return null;
      return (
        <Late>
          <p
            role="status"
            className="absolute top-2 right-4 flex items-center gap-2 rounded-md border border-line bg-raised px-2.5 py-1.5 text-xs text-text-2 shadow-md"
          >
            <Spinner size={13} /> {state.stream_id === null ? "Opening a shell" : "Connecting again"}
          </p>
        </Late>
      );
    case "ended":
      return (
        <div className="flex shrink-0 items-center gap-3 border-t border-line bg-surface px-4 py-2 text-sm text-text-2">
          <p role="status" className="min-w-0 flex-1">
            {ended(state)}
          </p>
          <Button size="sm" variant="primary" disabled={!live} onClick={() => pane.start()}>
            New shell
          </Button>
        </div>
      );
    case "refused":
      return (
        <div className="absolute inset-0 flex items-start justify-center bg-canvas">
          <EmptyState
            icon={<SquareTerminal size={20} />}
            title="No shell"
            action={
              state.refusal?.code === "shell_off" ? undefined : (
                <Button disabled={!live} onClick={() => pane.start()}>
                  Try again
                </Button>
              )
            }
          >
            <span className="wrap-anywhere">{state.refusal?.message}</span>
          </EmptyState>
        </div>
      );
  }
}

function ended({ exit }: PaneState): string {
  if (exit?.signal) return `The shell was ended by ${exit.signal}.`;
  return exit?.exit_code ? `The shell ended with exit code ${exit.exit_code}.` : "The shell ended.";
}
