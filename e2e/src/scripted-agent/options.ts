import { parseArgs } from "node:util";

const flag = { type: "boolean", default: false } as const;
const text = { type: "string" } as const;

/** Reads the command line; an unknown flag is an error, so that a test's typing error is seen. */
export function readOptions(argv: readonly string[]) {
  const { values } = parseArgs({
    args: [...argv],
    options: {
      state: text,
      "no-load": flag,
      "no-resume": flag,
      "replay-on-resume": flag,
      "no-replay-on-load": flag,
      "late-replay": flag,
      gone: flag,
      "load-hangs": flag,
      "load-fails": text,
      "init-hangs": flag,
      "init-delay": text,
      "exit-on-start": text,
      "same-session-id": text,
      "start-log": text,
      name: text,
    },
  });
  return values;
}

/** What the command line said. */
export type Options = ReturnType<typeof readOptions>;
