import { newPane, type PaneDown, type PaneEvent, type PaneState, type PaneUp, stepPane } from "@reprise/protocol";
import fc from "fast-check";
import { expect, it } from "vitest";
import { until } from "../host/testing.ts";
import { type HeadlessTerminal, loadScreen } from "./modules.ts";
import type { Pty, PtyPorts } from "./pty.ts";
import { Screen } from "./screen.ts";
import { Terminal, type TerminalPorts } from "./terminal.ts";

/** Who typed it shows. */
const KEYS = ["abc", "xyz"];
const SIZE = { cols: 20, rows: 6 };

/** A program behind a pseudo terminal, as a test plays it. */
class FakePty {
  ports: PtyPorts | null = null;
  taken = "";
  start = (ports: PtyPorts): Pty => {
    this.ports = ports;
    return {
      pid: 1,
      write: (bytes) => {
        // What the screen itself answers to its program is no key.
        if (bytes[0] !== 0x1b) this.taken += Buffer.from(bytes).toString("latin1");
      },
      resize: () => undefined,
      pause: () => undefined,
      resume: () => undefined,
    };
  };
}

/** A viewer with a terminal of its own, on a way that breaks. */
class FakeViewer {
  readonly modules: HeadlessTerminal;
  state: PaneState;
  screen: Screen;
  shown = 0;
  up = false;
  /** On their way, each direction in order. */
  readonly toHost: PaneUp[] = [];
  readonly toViewer: PaneDown[] = [];
  private viewerId = 0;

  constructor(modules: HeadlessTerminal, name: string) {
    this.modules = modules;
    this.state = newPane("shell", name, SIZE);
    this.screen = new Screen(modules, SIZE, { answer: () => undefined });
  }

  get id() {
    return { viewer_id: `${this.state.pane_id}-${this.viewerId}`, pane_id: this.state.pane_id };
  }

  on(event: PaneEvent): void {
    const { state, effects } = stepPane(this.state, event);
    this.state = state;
    for (const effect of effects) {
      switch (effect.type) {
        case "send":
          if (this.up) this.toHost.push(effect.frame);
          break;
        case "screen":
          this.screen = new Screen(this.modules, effect.size, { answer: () => undefined });
          this.screen.feed(Buffer.from(effect.screen), () => undefined);
          this.shown = effect.offset;
          break;
        case "output":
          this.screen.feed(Buffer.from(effect.data, "base64").subarray(effect.skip), () => undefined);
          this.shown = effect.offset;
          break;
        case "size":
          this.screen.resize(effect.size.cols, effect.size.rows);
          break;
        case "lost_input":
          break;
      }
    }
  }

  connect(): void {
    this.up = true;
    this.viewerId++;
    this.on({ type: "link", up: true });
  }

  drop(terminal: Terminal): void {
    this.up = false;
    this.toHost.length = 0;
    this.toViewer.length = 0;
    terminal.drop(this.id.viewer_id);
    this.on({ type: "link", up: false });
  }
}

function hear(terminal: Terminal, viewer: FakeViewer): boolean {
  const frame = viewer.toHost.shift();
  if (!frame) return false;
  if (frame.type === "terminal.attach") terminal.attach(viewer.id, frame, frame.have);
  if (frame.type === "terminal.input") terminal.input(viewer.id, frame.n, Buffer.from(frame.data, "base64"));
  if (frame.type === "terminal.ack") terminal.ack(viewer.id, frame.offset);
  if (frame.type === "terminal.resize") terminal.resize(frame.cols, frame.rows);
  return true;
}

function see(viewer: FakeViewer): boolean {
  const frame = viewer.toViewer.shift();
  if (frame) viewer.on({ type: "frame", frame });
  return frame !== undefined;
}

/** What a person sees of it, scrolled back too. */
const picture = (screen: Screen, Headless: HeadlessTerminal) =>
  new Promise<string[]>((resolve) =>
    screen.snapshot(() => {
      const terminal: unknown = Reflect.get(screen, "terminal");
      if (!(terminal instanceof Headless)) throw new Error("no terminal");
      const { active, normal } = terminal.buffer;
      const { cursorX, cursorY, type } = active;
      const lines = [`${terminal.cols}x${terminal.rows} ${type} ${cursorX},${cursorY}`];
      for (const buffer of new Set([normal, active]))
        for (let y = 0; y < buffer.length; y++) {
          let text = "";
          for (let x = 0; x < terminal.cols; x++) {
            const cell = buffer.getLine(y)?.getCell(x);
            const colour = cell && cell.getChars().trim() !== "" && !cell.isFgDefault() ? `<${cell.getFgColor()}>` : "";
            // A wide character cut in half by the edge can't be drawn again.
            const cut = x === terminal.cols - 1 && cell?.getWidth() === 2;
            text += cut ? " " : colour + (cell?.getChars() || " ");
          }
          lines.push(text.trimEnd());
        }
      while (lines.at(-1) === "") lines.pop();
      resolve(lines);
    }),
  );

/** Words, colours, cursor moves, other screens, scroll regions, wide and combined characters. */
const PIECES = [
  "hello ",
  "\r\n",
  "äöü",
  "漢字",
  "🙂",
  "\x1b[31mred\x1b[0m",
  "\x1b[2J\x1b[H",
  "\x1b[3;4Hx",
  "\x1b[?1049h",
  "\x1b[?1049l",
  "\x1b[2;4r",
  "\x1b[r",
  "\x1b]0;title\x07",
  "\x1b]8;;http://x\x1b\\",
  "\x1b[?25l",
  "\x1b[?25h",
  "\x1b[K",
  "\x1b[1A",
  "\x1b[38;2;1;2;3mc",
  "\x1bM",
  "\x1b[2L",
  "\x1b[1P",
  "a".repeat(25),
  "\t",
  "\b",
  "\x1b[6n",
  "\x1b[?6h",
  "\x1b[?6l",
  "\x1b[48;5;20m \x1b[m",
  "\x1b[7m",
];
const output = fc
  .array(fc.constantFrom(...PIECES), { minLength: 1, maxLength: 8 })
  .map((parts) => Buffer.from(parts.join("")));
const resize = {
  weight: 1,
  arbitrary: fc.record({ op: fc.constant("resize" as const), who: fc.nat(1), cols: fc.integer({ min: 10, max: 30 }) }),
};
const ops = [
  { weight: 4, arbitrary: fc.record({ op: fc.constant("output" as const), bytes: output, cut: fc.nat(60) }) },
  {
    weight: 1,
    arbitrary: fc.record({ op: fc.constant("flood" as const), lines: fc.integer({ min: 100, max: 3_000 }) }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ op: fc.constant("move" as const), who: fc.nat(1), host: fc.nat(4), viewer: fc.nat(4) }),
  },
  { weight: 2, arbitrary: fc.record({ op: fc.constant("link" as const), who: fc.nat(1), up: fc.boolean() }) },
  {
    weight: 2,
    arbitrary: fc.record({ op: fc.constant("type" as const), who: fc.nat(1), key: fc.nat(2) }),
  },
  { weight: 1, arbitrary: fc.record({ op: fc.constant("shown" as const), who: fc.nat(1) }) },
  { weight: 2, arbitrary: fc.record({ op: fc.constant("wait" as const) }) },
] as const;
const still = fc.array(fc.oneof(...ops), { minLength: 1, maxLength: 25 });
const moving = fc.array(fc.oneof(...ops, resize), { minLength: 1, maxLength: 25 });
type Op = (typeof moving extends fc.Arbitrary<infer T> ? T : never)[number];

/** Play it all, then let everybody catch up. */
async function play(modules: HeadlessTerminal, played: readonly Op[]) {
  const pty = new FakePty();
  const viewers = [new FakeViewer(modules, "pane-aaaa"), new FakeViewer(modules, "pane-bbbb")] as const;
  const typed = ["", ""];
  const screen = new Screen(modules, SIZE, { answer: () => undefined });
  const tell: TerminalPorts["tell"] = ({ viewer_id, pane_id }, told) => {
    const viewer = viewers.find((each) => each.id.viewer_id === viewer_id);
    if (viewer?.up) viewer.toViewer.push({ ...told, pane_id, terminal_id: "shell" });
  };
  const terminal = new Terminal({
    stream_id: "s1",
    screen,
    start: pty.start,
    tell,
    onEnd: () => undefined,
    now: () => performance.now(),
  });
  for (const each of played) {
    const viewer = "who" in each ? viewers[each.who === 0 ? 0 : 1] : viewers[0];
    switch (each.op) {
      case "output":
        pty.ports?.onData(each.bytes.subarray(0, each.cut));
        if (each.cut < each.bytes.length) pty.ports?.onData(each.bytes.subarray(each.cut));
        break;
      case "flood":
        for (let i = 0; i < each.lines; i += 100)
          pty.ports?.onData(Buffer.from("0123456789 0123456789\r\n".repeat(100)));
        break;
      case "move":
        for (let i = 0; i < each.host; i++) hear(terminal, viewer);
        for (let i = 0; i < each.viewer; i++) see(viewer);
        break;
      case "link":
        if (each.up && !viewer.up) viewer.connect();
        else if (!each.up && viewer.up) viewer.drop(terminal);
        break;
      case "type":
        typed[each.who] += KEYS[each.who]?.[each.key] ?? "";
        viewer.on({ type: "input", data: Buffer.from(KEYS[each.who]?.[each.key] ?? "").toString("base64") });
        break;
      case "resize":
        viewer.on({ type: "resize", size: { cols: each.cols, rows: SIZE.rows } });
        break;
      case "shown":
        viewer.on({ type: "shown", offset: viewer.shown });
        break;
      case "wait":
        await new Promise((resolve) => setTimeout(resolve, 1));
        break;
    }
  }
  const settle = async () => {
    for (const viewer of viewers) if (!viewer.up) viewer.connect();
    await until("everything to arrive", () => {
      for (const viewer of viewers)
        while (hear(terminal, viewer) || see(viewer)) viewer.on({ type: "shown", offset: viewer.shown });
      return viewers.every(
        ({ state, toHost, toViewer }) =>
          state.phase === "attached" &&
          state.offset === terminal.offset &&
          state.unconfirmed.length === 0 &&
          toHost.length === 0 &&
          toViewer.length === 0,
      );
    });
  };
  await settle();
  const keys = [pty.taken.replaceAll(/[^a-c]/g, ""), pty.taken.replaceAll(/[^x-z]/g, "")];
  return { viewers, screen, terminal, keys, typed, settle };
}

it("B1, B2, C27: whatever breaks and however slow a viewer is, it ends with the host's very screen, and each key arrives once, in order", async () => {
  const modules = await loadScreen();
  await fc.assert(
    fc.asyncProperty(still, async (played) => {
      const { viewers, screen, terminal, keys, typed } = await play(modules, played);
      const host = await picture(screen, modules);
      for (const viewer of viewers) expect(await picture(viewer.screen, modules)).toEqual(host);
      expect(keys).toEqual(typed);
      terminal.dispose();
    }),
    { numRuns: 150 },
  );
}, 120_000);

it("B1: sizes change under way: all panes end with the same one, and whoever attaches then sees the host's very screen", async () => {
  const modules = await loadScreen();
  await fc.assert(
    fc.asyncProperty(moving, async (played) => {
      const { viewers, screen, terminal, keys, typed, settle } = await play(modules, played);
      expect(keys).toEqual(typed);
      for (const viewer of viewers)
        expect((await picture(viewer.screen, modules))[0]?.split(" ")[0]).toBe(`${screen.size.cols}x6`);
      // The page is loaded again, in a window of the terminal's present size.
      for (const viewer of viewers) viewer.drop(terminal);
      for (const viewer of viewers) viewer.state = newPane("shell", `${viewer.state.pane_id}-2`, screen.size);
      await settle();
      const host = await picture(screen, modules);
      for (const viewer of viewers) expect(await picture(viewer.screen, modules)).toEqual(host);
      terminal.dispose();
    }),
    { numRuns: 100 },
  );
}, 120_000);
