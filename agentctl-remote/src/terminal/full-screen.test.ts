import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { newPane, type PaneState, stepPane } from "@reprise/protocol";
import headless, { type IBufferCell } from "@xterm/headless";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { type Bench, type HostBench, openBench } from "../host/testing.ts";

let bench: Bench;
beforeAll(async () => {
  bench = await openBench();
});
afterAll(() => bench?.close());

const SIZE = { cols: 90, rows: 28 };

/** A pane as a page has it: the protocol's own machine, and a terminal of its own. */
class Pane {
  private readonly host: HostBench;
  private state: PaneState;
  private read = 0;
  private readonly viewer_id: string;
  readonly terminal = new headless.Terminal({ ...SIZE, allowProposedApi: true });

  constructor(host: HostBench, name: string) {
    this.host = host;
    this.viewer_id = `vwr_${name}`;
    this.read = host.frames.length;
    this.state = newPane("shell", `pane-${name}`, SIZE);
    this.on({ type: "link", up: true });
  }

  private on(event: Parameters<typeof stepPane>[1]): void {
    const { state, effects } = stepPane(this.state, event);
    this.state = state;
    for (const effect of effects) {
      if (effect.type === "send") this.host.send({ ...effect.frame, viewer_id: this.viewer_id });
      if (effect.type === "screen") this.terminal.write(`\x1bc${effect.screen}`);
      if (effect.type === "output") this.terminal.write(Buffer.from(effect.data, "base64").subarray(effect.skip));
    }
  }

  type(text: string): void {
    this.on({ type: "input", data: Buffer.from(text).toString("base64") });
  }

  /** Take what has come. @returns how far it is */
  get offset(): number {
    const frames = this.host.frames.slice(this.read);
    this.read += frames.length;
    for (const frame of frames)
      if ("viewer_id" in frame && frame.viewer_id === this.viewer_id) this.on({ type: "frame", frame });
    return this.state.offset;
  }

  /** Every cell as it looks, the cursor, and what the keys mean. */
  async cells(): Promise<string[]> {
    const { terminal } = this;
    await new Promise<void>((resolve) => terminal.write("", resolve));
    const { active } = terminal.buffer;
    const lines = [`${active.type} ${active.cursorX},${active.cursorY} ${JSON.stringify(terminal.modes)}`];
    for (let y = 0; y < terminal.rows; y++) {
      const line = active.getLine(active.baseY + y);
      lines.push(Array.from({ length: terminal.cols }, (_, x) => look(line?.getCell(x))).join(""));
    }
    return lines;
  }
}

function look(cell: IBufferCell | undefined): string {
  if (!cell) return "?";
  const style = [
    cell.isBold(),
    cell.isDim(),
    cell.isItalic(),
    cell.isUnderline(),
    cell.isInverse(),
    cell.getFgColorMode(),
    cell.getFgColor(),
    cell.getBgColorMode(),
    cell.getBgColor(),
    cell.getWidth(),
  ].map(Number);
  const plain = style.join() === "0,0,0,0,0,0,-1,0,-1,1" || style.join() === "0,0,0,0,0,0,0,0,0,1";
  return (cell.getChars() || " ") + (plain ? "" : `<${style.join()}>`);
}

/** Draws by itself, where a machine has neither of the others: colours, a scroll region, the other screen. */
const SCRIPTED = `printf '\\033[?1049h\\033[2J\\033[1;44m top \\033[0m\\033[3;10r\\033[3H'
i=0; while [ $i -lt 40 ]; do i=$((i+1)); printf '\\033[3%dmline %d\\033[0m\\r\\n' $((i%8)) $i; done
while read -r word; do case $word in q) break ;; esac; printf '\\033[12;4H\\033[7mgot %s\\033[0m' "$word"; done
printf '\\033[r\\033[?1049l'`;

const have = (command: string) => {
  try {
    execFileSync("/bin/sh", ["-c", `command -v ${command}`]);
    return true;
  } catch {
    return false;
  }
};

const PROGRAMS = [
  {
    name: "vim",
    start: "vim -u NONE -c 'set number nocompatible | syntax on' page.c",
    on: "10jzz:echo 'mark-one'\r",
    more: "5kdd:echo 'mark-two'\r",
  },
  { name: "less", start: "less -N page.c", on: "15j/mark-one\r", more: "gg/mark-two\r" },
  { name: "sh", start: "sh page.sh", on: "mark-one\r", more: "mark-two\r" },
].filter(({ name }) => have(name));

it.each(PROGRAMS)(
  "B1, C27, C28: $name re-attached in the middle is what it was, cell by cell, and goes on so",
  async (program) => {
    const host = bench.session();
    await host.start("live", { SHELL: "/bin/sh", PS1: "$ ", HOME: host.workspace });
    const lines = Array.from(
      { length: 200 },
      (_, i) => `  int line_${i} = ${i}; /* 漢字 ${i === 40 ? "mark-one" : i === 90 ? "mark-two" : ""} */`,
    );
    writeFileSync(join(host.workspace, "page.c"), lines.join("\n"));
    writeFileSync(join(host.workspace, "page.sh"), SCRIPTED);
    const first = new Pane(host, "first");
    const shows = async (word: string, ...panes: Pane[]) => {
      await vi.waitFor(
        async () => {
          expect(new Set(panes.map((pane) => pane.offset)).size).toBe(1);
          for (const pane of panes) expect((await pane.cells()).join("\n").replaceAll(/<[^>]*>/g, "")).toContain(word);
        },
        { timeout: 30_000, interval: 20 },
      );
    };
    first.type(`${program.start}\r`);
    await shows(program.name === "sh" ? "line 40" : "line_1", first);
    first.type(program.on);
    await shows("mark-one", first);
    const second = new Pane(host, "second");
    await shows("mark-one", first, second);
    const [was, is] = [await first.cells(), await second.cells()];
    expect(was[0]).toMatch(/^alternate/);
    expect(is).toEqual(was);
    second.type(program.more);
    await shows("mark-two", first, second);
    expect(await second.cells()).toEqual(await first.cells());
  },
);
