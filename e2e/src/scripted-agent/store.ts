import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { SessionUpdate } from "@agentclientprotocol/sdk";
import { z } from "zod";

const update = z.custom<SessionUpdate>(
  (value) => z.looseObject({ sessionUpdate: z.string() }).safeParse(value).success,
);
const header = z.object({ sessionId: z.string(), cwd: z.string() });

/** A conversation as it is on disk: its header, then every update in order. */
export type Conversation = z.infer<typeof header> & { readonly updates: SessionUpdate[] };

/** The agent's conversations, one file of JSON lines each: what a kill -9 leaves behind is what a load restores. */
export class Store {
  readonly #dir: string;

  constructor(dir: string) {
    mkdirSync(dir, { recursive: true });
    this.#dir = dir;
  }

  /** Begins a conversation; one with the same id is kept as it is. */
  create(sessionId: string, cwd: string): void {
    const file = this.#file(sessionId);
    if (!existsSync(file)) writeFileSync(file, `${JSON.stringify({ sessionId, cwd })}\n`);
  }

  /** Adds what was said or done, before anyone else hears of it. */
  append(sessionId: string, entry: SessionUpdate): void {
    appendFileSync(this.#file(sessionId), `${JSON.stringify(entry)}\n`);
  }

  /** The conversation, or undefined if there is none. */
  read(sessionId: string): Conversation | undefined {
    const file = this.#file(sessionId);
    if (!existsSync(file)) return undefined;
    const [first = "", ...rest] = readFileSync(file, "utf8").split("\n").filter(Boolean);
    return { ...header.parse(JSON.parse(first)), updates: rest.map((line) => update.parse(JSON.parse(line))) };
  }

  /** Every conversation. */
  list(): Conversation[] {
    const ids = readdirSync(this.#dir).map((name) => decodeURIComponent(name.replace(/\.jsonl$/, "")));
    return ids.map((id) => this.read(id)).filter((one) => one !== undefined);
  }

  #file(sessionId: string): string {
    return join(this.#dir, `${encodeURIComponent(sessionId)}.jsonl`);
  }
}

/** The text in an update, whoever said it. */
export function textIn(entry: SessionUpdate): string {
  const chunk = entry.sessionUpdate === "user_message_chunk" || entry.sessionUpdate === "agent_message_chunk";
  return chunk && entry.content.type === "text" ? entry.content.text : "";
}
