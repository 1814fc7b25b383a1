import { randomUUID } from "node:crypto";
import type { HeadlessTerminal } from "./modules.ts";
import type { StartPty } from "./pty.ts";
import { Screen, type ScreenEvents } from "./screen.ts";
import { shellCommand, shellEnv } from "./shell.ts";
import { type Exit, Terminal, type TerminalPorts } from "./terminal.ts";

/** What a terminal runs. */
export interface Program {
  file: string;
  args: string[];
  cwd: string;
  env: Record<string, string>;
}

/** What whoever had it started hears of it. */
export interface ProgramEvents extends Pick<ScreenEvents, "title" | "command"> {
  onInput?(bytes: Uint8Array): void;
  onOutput?(): void;
  onEnd?(exit: Exit): void;
}

/** The person's own shell. */
export function personsShell(cwd: string): Program {
  return { ...shellCommand(), cwd, env: shellEnv() };
}

/** Begin a life of a terminal. @throws when the program can't be started */
export function beginLife(
  { program, size, events = {} }: { program: Program; size: { cols: number; rows: number }; events?: ProgramEvents },
  modules: { screens: HeadlessTerminal; startPty: StartPty },
  ports: Pick<TerminalPorts, "tell" | "onEnd">,
): Terminal {
  const { title, command, onInput, onOutput, onEnd } = events;
  const screen = new Screen(modules.screens, size, {
    answer: (text) => made.answer(text),
    ...(title ? { title } : {}),
    ...(command ? { command } : {}),
  });
  const made: Terminal = new Terminal({
    stream_id: randomUUID(),
    screen,
    start: (pty) => modules.startPty({ ...program, ...size }, pty),
    tell: ports.tell,
    onEnd: (exit) => {
      ports.onEnd(exit);
      onEnd?.(exit);
    },
    now: () => performance.now(),
    ...(onInput ? { onInput } : {}),
    ...(onOutput ? { onOutput } : {}),
  });
  return made;
}
