import { expect, it } from "vitest";
import { loadScreen } from "./modules.ts";
import { Screen, type Snapshot } from "./screen.ts";

/** A screen that was fed this, and what a viewer makes of its snapshot. */
async function viewed(text: string) {
  const Terminal = await loadScreen();
  const screen = new Screen(Terminal, { cols: 20, rows: 4 }, { answer: () => undefined });
  screen.feed(Buffer.from(text), () => undefined);
  const snapshot = await new Promise<Snapshot>((resolve) => screen.snapshot(resolve));
  const viewer = new Terminal({ cols: 20, rows: 4, allowProposedApi: true });
  let title = "";
  viewer.onTitleChange((said) => {
    title = said;
  });
  await new Promise<void>((resolve) => viewer.write(snapshot.text, resolve));
  return { title, line: viewer.buffer.active.getLine(0), cursor: viewer.buffer.active.cursorX };
}

it("C27: a letter takes the cells that programs count for it: an emoji two, a joined accent none", async () => {
  const { line, cursor } = await viewed("\u{1f642}e\u0301x");
  const cells = [0, 1, 2, 3].map((x) => [line?.getCell(x)?.getChars(), line?.getCell(x)?.getWidth()]);
  expect(cells).toEqual([
    ["\u{1f642}", 2],
    ["", 0],
    ["e\u0301", 1],
    ["x", 1],
  ]);
  expect(cursor).toBe(4);
});

it("B1: whoever attaches is told what the program calls itself", async () => {
  expect((await viewed("\x1b]0;Fixing the test\x07hi")).title).toBe("Fixing the test");
  expect((await viewed("hi")).title).toBe("");
});
