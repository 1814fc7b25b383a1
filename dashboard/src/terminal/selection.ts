/** A place in a terminal's buffer. */
export interface Cell {
  readonly col: number;
  readonly row: number;
}

/** Cells from one on, line after line. */
export interface Stretch extends Cell {
  readonly length: number;
}

/** The word at a place, or the one cell where there is none. @param charAt of that line; empty behind a wide letter */
export function wordAt(at: Cell, cols: number, charAt: (col: number) => string): Stretch {
  const inWord = (col: number) => col >= 0 && col < cols && (charAt(col) || charAt(col - 1)).trim() !== "";
  let from = at.col;
  let to = at.col + 1;
  if (!inWord(at.col)) return { ...at, length: 1 };
  while (inWord(from - 1)) from -= 1;
  while (inWord(to)) to += 1;
  return { row: at.row, col: from, length: to - from };
}

/** From a stretch to a place, whichever comes first; both are in it. */
export function extended(anchor: Stretch, to: Cell, cols: number): Stretch {
  const index = ({ col, row }: Cell) => row * cols + col;
  const from = Math.min(index(anchor), index(to));
  const end = Math.max(index(anchor) + anchor.length, index(to) + 1);
  return { row: Math.floor(from / cols), col: from % cols, length: end - from };
}
