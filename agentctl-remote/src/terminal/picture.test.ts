import headless from "@xterm/headless";
import { expect, it } from "vitest";
import { Picture } from "./picture.ts";

const fresh = () => new headless.Terminal({ cols: 20, rows: 6, allowProposedApi: true });
const write = (terminal: headless.Terminal, text: string) =>
  new Promise<void>((resolve) => terminal.write(text, resolve));
const cursor = ({ buffer: { active } }: headless.Terminal) => `${active.type} ${active.cursorX},${active.cursorY}`;

it.each([
  ["of a full-screen program that came and went", "hello \x1b[?1049h\x1b[?1049l\x1b[3;4H", "\x1b[?1049l"],
  ["of a full-screen program that is there", "hello \x1b[?1049h\x1b[2;2Hmenu", "\x1b[?1049l"],
  ["that a program saved", "hello\x1b7\x1b[4;9H", "\x1b8"],
  ["that a program saved in the other screen", "\x1b[2;3H\x1b[?1049h\x1b[5;6H\x1b7\x1b[H", "\x1b8"],
])("B1: a viewer's copy restores the cursor %s to the same place", async (_what, before, after) => {
  const [host, viewer] = [fresh(), fresh()];
  await write(host, before);
  await write(viewer, new Picture(host).draw(0, { text: "", top: 0 }));
  expect(cursor(viewer)).toBe(cursor(host));
  for (const terminal of [host, viewer]) await write(terminal, after);
  expect(cursor(viewer)).toBe(cursor(host));
});

it("B1: a wide character that a narrower terminal cut in half moves nothing else", async () => {
  const [host, viewer] = [fresh(), fresh()];
  await write(host, "\x1b[1;14H漢and more\x1b[1;1H");
  for (const terminal of [host, viewer]) terminal.resize(14, 6);
  await write(host, "\x1b[2;1Hsecond");
  await write(viewer, new Picture(host).draw(0, { text: "", top: 0 }));
  expect(viewer.buffer.active.getLine(1)?.translateToString(true)).toBe("second");
  expect(cursor(viewer)).toBe(cursor(host));
});
