import { parseArgs } from "node:util";
import { Explained } from "../lib/explained.ts";

export interface StartOptions {
  port: number | undefined;
  state: string | undefined;
  node: boolean;
}

const HELP = [
  "npm start -- [--port PORT] [--state DIR] [--no-node]",
  "  --port     where it listens on 127.0.0.1 (the last start's, or 8787)",
  "  --state    where everything is kept (.reprise)",
  "  --no-node  without the node beside it: other machines join",
].join("\n");

/** @throws with the usage when they can't be understood */
export function parseStart(args: readonly string[]): StartOptions {
  const parsed = read(args);
  const port = parsed.port === undefined ? undefined : Number(parsed.port);
  if (port !== undefined && (!Number.isInteger(port) || port < 1 || port > 65_535)) {
    throw new Explained(`--port takes a number from 1 to 65535.\n${HELP}`);
  }
  return { port, state: parsed.state, node: parsed.node ?? true };
}

function read(args: readonly string[]) {
  try {
    const options = { port: { type: "string" }, state: { type: "string" }, node: { type: "boolean" } } as const;
    return parseArgs({ args: [...args], options, allowNegative: true, strict: true }).values;
  } catch (error) {
    throw new Explained(`${error instanceof Error ? error.message : String(error)}\n${HELP}`);
  }
}
