import { constants } from "node:os";
import type { PtyModule } from "./modules.ts";

/** One program behind a pseudo terminal, in a process session of its own. */
export interface Pty {
  readonly pid: number;
  write(bytes: Uint8Array): void;
  resize(cols: number, rows: number): void;
  /** Read no more of it for now: it then waits with its next write. */
  pause(): void;
  resume(): void;
}

export interface PtyPorts {
  onData(chunk: Uint8Array): void;
  /** Everything that it wrote has been told. */
  onExit(exit: { exit_code: number | null; signal: string | null }): void;
}

export type StartPty = (
  command: { file: string; args: string[]; cwd: string; env: Record<string, string>; cols: number; rows: number },
  ports: PtyPorts,
) => Pty;

const SIGNALS = new Map(Object.entries(constants.signals).map(([name, number]) => [number, name]));

/** @returns how to start programs behind a pseudo terminal with that native part */
export function ptyStarter({ spawn }: Extract<PtyModule, { ok: true }>): StartPty {
  return ({ file, args, ...options }, ports) => {
    const child = spawn(file, args, { ...options, name: "xterm-256color", encoding: null });
    // Without an encoding these are bytes, whatever the library's types say.
    child.onData((data: unknown) => {
      if (data instanceof Uint8Array) ports.onData(data);
    });
    child.onExit(({ exitCode, signal }) => {
      const killed = signal !== undefined && signal !== 0;
      ports.onExit({
        exit_code: killed ? null : exitCode,
        signal: killed ? (SIGNALS.get(signal) ?? String(signal)) : null,
      });
    });
    return {
      pid: child.pid,
      write: (bytes) => Reflect.apply(child.write, child, [bytes]),
      resize: (cols, rows) => child.resize(cols, rows),
      pause: () => child.pause(),
      resume: () => child.resume(),
    };
  };
}
