#!/usr/bin/env node
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable, Writable } from "node:stream";
import { ndJsonStream } from "@agentclientprotocol/sdk";
import { scriptedAgent } from "./agent.ts";
import { readOptions } from "./options.ts";
import { noteStart } from "./start-log.ts";
import { Store } from "./store.ts";

/** The project's own scripted ACP agent: `node e2e/src/scripted-agent/main.ts --state DIR [flags]`. */
const argv = process.argv.slice(2);
const options = readOptions(argv);
if (options["start-log"] !== undefined) {
  noteStart(options["start-log"], { pid: process.pid, argv: argv.join(" "), at: Date.now() });
}
if (options["exit-on-start"] !== undefined) {
  console.error(`scripted agent: exits at once with ${options["exit-on-start"]}, as told`);
  process.exit(Number(options["exit-on-start"]));
}
const store = new Store(options.state ?? join(tmpdir(), `scripted-agent-${process.pid}`));
const input = Readable.toWeb(process.stdin) as ReadableStream<Uint8Array>;
const connection = scriptedAgent(options, store).connect(ndJsonStream(Writable.toWeb(process.stdout), input));
// As most agents: the end of stdin is the end of the agent.
await connection.closed;
process.exit(0);
