import type { IBuffer, IBufferCell, Terminal } from "@xterm/headless";

/** What a cell looks like, as the library tells it of cells and of its own pen. */
type Style = Pick<
  IBufferCell,
  | "isBold"
  | "isDim"
  | "isItalic"
  | "isUnderline"
  | "isBlink"
  | "isInverse"
  | "isInvisible"
  | "isStrikethrough"
  | "isOverline"
  | "isFgPalette"
  | "isFgRGB"
  | "getFgColor"
  | "isBgPalette"
  | "isBgRGB"
  | "getBgColor"
>;

const PLAIN = "0";

function sgr(style: Style): string {
  const codes = ["0"];
  if (style.isBold()) codes.push("1");
  if (style.isDim()) codes.push("2");
  if (style.isItalic()) codes.push("3");
  if (style.isUnderline()) codes.push("4");
  if (style.isBlink()) codes.push("5");
  if (style.isInverse()) codes.push("7");
  if (style.isInvisible()) codes.push("8");
  if (style.isStrikethrough()) codes.push("9");
  if (style.isOverline()) codes.push("53");
  if (style.isFgRGB()) codes.push(`38;2;${rgb(style.getFgColor())}`);
  else if (style.isFgPalette()) codes.push(palette(style.getFgColor(), 0));
  if (style.isBgRGB()) codes.push(`48;2;${rgb(style.getBgColor())}`);
  else if (style.isBgPalette()) codes.push(palette(style.getBgColor(), 10));
  return codes.join(";");
}

function palette(colour: number, ground: number): string {
  if (colour < 8) return String(30 + ground + colour);
  return colour < 16 ? String(90 + ground + colour - 8) : `${38 + ground};5;${colour}`;
}

function rgb(colour: number): string {
  return `${(colour >> 16) & 255};${(colour >> 8) & 255};${colour & 255}`;
}

/**
 * A terminal's buffers as text that draws them on a fresh terminal of the same size. The library's own serializer loses
 * characters where rows that once wrapped were changed later, so rows are drawn one by one here.
 */
export class Picture {
  private readonly terminal: Terminal;
  private text = "";
  private pen = PLAIN;

  constructor(terminal: Terminal) {
    this.terminal = terminal;
  }

  /**
   * @param scrollback lines above the screen that are drawn too, if they are there
   * @param area what sets where the cursor may go (it moves the cursor home), and the row that rows then count from
   */
  draw(scrollback: number, area: { text: string; top: number }): string {
    const { normal, active } = this.terminal.buffer;
    this.buffer(normal, Math.max(0, normal.baseY - scrollback));
    if (active.type === "alternate") {
      this.style(PLAIN);
      // The one switch that saves no cursor over the saved one.
      this.text += "\x1b[?47h\x1b[H";
      this.buffer(active, active.baseY);
    }
    if (area.text !== "") {
      this.style(PLAIN);
      this.text += area.text;
      this.cursor(active, area.top);
    }
    const pen = inside(this.terminal, "_core", "_inputHandler", "_curAttrData");
    this.style(isStyle(pen) ? sgr(pen) : PLAIN);
    return this.text;
  }

  private buffer(buffer: IBuffer, from: number): void {
    const { cols } = this.terminal;
    for (let y = from; y < buffer.length; y++) {
      // A row that runs on is drawn so that it runs on here, too: then it is laid out anew with the others.
      const runsOn =
        y > from && buffer.getLine(y)?.isWrapped === true && this.isFull(buffer, y - 1) && this.begins(buffer, y);
      if (y > from && !runsOn) {
        this.style(PLAIN);
        this.text += "\r\n";
      }
      this.row(buffer, y, 0, cols);
    }
    this.saved(buffer);
    this.cursor(buffer, 0);
  }

  /** Where a program that restores the cursor will find it, and with which pen: each buffer keeps its own. */
  private saved(buffer: IBuffer): void {
    const kept = inside(
      this.terminal,
      "_core",
      "_bufferService",
      "buffers",
      buffer.type === "normal" ? "normal" : "alt",
    );
    const [x, y, pen] = ["savedX", "savedY", "savedCurAttrData"].map((name) => inside(kept, name));
    if (typeof x !== "number" || typeof y !== "number") return;
    this.place(buffer, x, Math.max(0, y - buffer.baseY), 0);
    this.style(isStyle(pen) ? sgr(pen) : PLAIN);
    this.text += "\x1b7";
  }

  private cursor(buffer: IBuffer, top: number): void {
    this.place(buffer, buffer.cursorX, buffer.cursorY, top);
  }

  private place(buffer: IBuffer, x: number, row: number, top: number): void {
    const { cols } = this.terminal;
    this.text += `\x1b[${row - top + 1};${Math.min(x, cols - 1) + 1}H`;
    // Behind the last column, with the wrap still to come: only drawing the last cell again leads there.
    if (x < cols) return;
    const y = buffer.baseY + row;
    const wide =
      buffer
        .getLine(y)
        ?.getCell(cols - 1)
        ?.getWidth() === 0;
    if (wide) this.text += "\x1b[D";
    this.row(buffer, y, wide ? cols - 2 : cols - 1, cols);
  }

  private isFull(buffer: IBuffer, y: number): boolean {
    const last = buffer.getLine(y)?.getCell(this.terminal.cols - 1);
    return last !== undefined && (last.getChars() !== "" || last.getWidth() === 0);
  }

  private begins(buffer: IBuffer, y: number): boolean {
    return (buffer.getLine(y)?.getCell(0)?.getChars() ?? "") !== "";
  }

  private row(buffer: IBuffer, y: number, from: number, to: number): void {
    const line = buffer.getLine(y);
    let blank = 0;
    for (let x = from; x < to; x++) {
      const cell = line?.getCell(x);
      if (!cell || cell.getWidth() === 0) continue;
      const style = sgr(cell);
      if (cell.getChars() === "" && style === PLAIN) {
        blank++;
        continue;
      }
      if (blank > 0) this.text += `\x1b[${blank}C`;
      blank = 0;
      this.style(style);
      // A wide character that a narrower terminal cut in half: drawn, it would go to the next row and move all behind it.
      const cut = x === this.terminal.cols - 1 && cell.getWidth() === 2;
      this.text += (cut ? "" : cell.getChars()) || " ";
    }
  }

  private style(style: string): void {
    if (style === this.pen) return;
    this.pen = style;
    this.text += `\x1b[${style}m`;
  }
}

/** What the library keeps and doesn't offer; undefined where another version keeps it elsewhere. */
function inside(value: unknown, ...names: string[]): unknown {
  return names.reduce<unknown>((at, name) => Reflect.get(Object(at), name), value);
}

const ASKED = [
  "isBold",
  "isDim",
  "isItalic",
  "isUnderline",
  "isBlink",
  "isInverse",
  "isInvisible",
  "isStrikethrough",
  "isOverline",
  "isFgPalette",
  "isFgRGB",
  "getFgColor",
  "isBgPalette",
  "isBgRGB",
  "getBgColor",
];

function isStyle(value: unknown): value is Style {
  return (
    typeof value === "object" && value !== null && ASKED.every((name) => typeof Reflect.get(value, name) === "function")
  );
}
