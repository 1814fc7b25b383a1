import type { Terminal } from "@xterm/xterm";
import { type Cell, extended, type Stretch, wordAt } from "./selection.ts";
import { type Point, underFinger } from "./touch.ts";

/** What a finger does to a terminal. @param signal ends it */
export function touchable(terminal: Terminal, element: HTMLElement, signal: AbortSignal): void {
  /** Where a held finger began to select. */
  let anchor: Stretch | null = null;
  const select = ({ col, row, length }: Stretch) => terminal.select(col, row, length);
  underFinger(
    element,
    {
      cell: () => screenBox(terminal).height / terminal.rows,
      scroll: (lines, at) => scroll(terminal, lines, at),
      hold: (at) => {
        const cell = cellAt(terminal, at);
        const line = terminal.buffer.active.getLine(cell.row);
        anchor = wordAt(cell, terminal.cols, (col) => line?.getCell(col)?.getChars() ?? "");
        select(anchor);
      },
      extend: (at) => {
        if (anchor !== null) select(extended(anchor, cellAt(terminal, at), terminal.cols));
      },
    },
    signal,
  );
}

/** The scrollback is ours to move; a program that has the whole screen, or the mouse, moves by itself. */
function scroll(terminal: Terminal, lines: number, { x, y }: Point): void {
  const { buffer, modes, element } = terminal;
  if (buffer.active.type === "normal" && modes.mouseTrackingMode === "none") {
    terminal.scrollLines(lines);
    return;
  }
  const wheel = { deltaY: Math.sign(lines), deltaMode: WheelEvent.DOM_DELTA_LINE, clientX: x, clientY: y };
  for (let line = 0; line < Math.abs(lines); line++)
    element?.dispatchEvent(new WheelEvent("wheel", { ...wheel, cancelable: true }));
}

function screenBox({ element }: Terminal): DOMRect {
  return (element?.querySelector(".xterm-screen") ?? document.body).getBoundingClientRect();
}

function cellAt(terminal: Terminal, { x, y }: Point): Cell {
  const { cols, rows, buffer } = terminal;
  const box = screenBox(terminal);
  const part = (way: number, length: number, count: number) =>
    Math.min(count - 1, Math.max(0, Math.floor((way / length) * count)));
  return {
    col: part(x - box.left, box.width, cols),
    row: buffer.active.viewportY + part(y - box.top, box.height, rows),
  };
}
