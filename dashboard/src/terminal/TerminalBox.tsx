import { type ReactNode, useEffect } from "react";
import { useStore } from "zustand";
import { cx } from "../lib/cx.ts";
import { usePhone } from "../lib/useMedia.ts";
import { FindBar } from "./FindBar.tsx";
import { KeyBar } from "./KeyBar.tsx";
import { LinkHint } from "./LinkHint.tsx";
import type { Terminal } from "./useTerminal.ts";

/** A terminal in its place, with the search over it and, on a phone, the keys below it. */
export function TerminalBox({
  terminal,
  takesKeys,
  past = false,
  children,
}: {
  readonly terminal: Terminal;
  readonly takesKeys: boolean;
  /** What it shows is over, or only the last that is known. */
  readonly past?: boolean;
  /** What stands over it. */
  readonly children?: ReactNode;
}) {
  const { place, opened, view } = terminal;
  const finding = useStore(view, (state) => state.finding);
  const selected = useStore(view, (state) => state.selected);
  const phone = usePhone();
  useEffect(() => opened?.screen.takesKeys(takesKeys), [opened, takesKeys]);
  return (
    <>
      <div className="relative min-h-0 flex-1">
        <div className={cx("h-full py-2 pl-3 transition-opacity duration-200", past && "opacity-70 grayscale")}>
          {/* Where another page has made it taller than this place, its end is what is seen. */}
          <div
            ref={place}
            className="flex h-full flex-col justify-end overflow-hidden [&>.xterm]:min-h-full [&>.xterm]:shrink-0"
          />
        </div>
        {opened !== null && finding ? <FindBar screen={opened.screen} view={view} /> : null}
        <LinkHint view={view} />
        {children}
      </div>
      {phone && opened !== null && (takesKeys || selected) ? (
        <KeyBar opened={opened} view={view} takesKeys={takesKeys} />
      ) : null}
    </>
  );
}
