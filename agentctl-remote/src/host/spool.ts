import { randomBytes } from "node:crypto";
import { existsSync, rmSync, writeFileSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import {
  MAX_EVENTS_FRAME_BYTES,
  MAX_EVENTS_PER_FRAME,
  newId,
  SpoolEvent,
  type SpoolEventBody,
} from "@reprise/protocol";
import {
  KNOWN_PROMPTS,
  SPOOL_LOCK_WAIT_MS,
  SPOOL_MAX_PAGES,
  SPOOL_READ_WAIT_MS,
  SPOOL_RESERVE_BYTES,
} from "../limits.ts";
import { foldFacts, NO_FACTS, SpoolFacts } from "./facts.ts";

const SCHEMA = `
CREATE TABLE IF NOT EXISTS meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS events (seq INTEGER PRIMARY KEY, at INTEGER NOT NULL, execution_id TEXT, body TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS prompts (n INTEGER PRIMARY KEY, prompt_id TEXT NOT NULL UNIQUE);
CREATE TABLE IF NOT EXISTS executions (execution_id TEXT PRIMARY KEY) WITHOUT ROWID;
`;

/** Another host has this spool: it serves the session. */
export class SpoolInUse extends Error {
  override readonly name = "SpoolInUse";
}

/** The disk is full; nothing of the transaction was written. */
export class SpoolFull extends Error {
  override readonly name = "SpoolFull";
}

export interface NewEvent {
  execution_id: string | null;
  body: SpoolEventBody;
}

function sqliteCode(error: unknown): number | null {
  return error instanceof Error && "errcode" in error && typeof error.errcode === "number"
    ? error.errcode & 0xff
    : null;
}
const SQLITE_BUSY = 5;
const SQLITE_IOERR = 10;
const SQLITE_FULL = 13;

function text(row: Record<string, unknown> | undefined, column: string): string | null {
  const value = row?.[column];
  return typeof value === "string" ? value : null;
}

function readMeta(db: DatabaseSync, name: string): string | null {
  return text(db.prepare("SELECT value FROM meta WHERE name = ?").get(name), "value");
}

function readFacts(db: DatabaseSync): SpoolFacts {
  const stored = readMeta(db, "facts");
  return stored === null ? NO_FACTS : SpoolFacts.parse(JSON.parse(stored));
}

/** The host's append-only store: every event, before anyone else sees it. One host at a time holds it (X7). */
export class Spool {
  private readonly db: DatabaseSync;
  private readonly reservePath: string;
  readonly spool_id: string;
  last_seq: number;
  acked: number;
  facts: SpoolFacts;

  /** @throws SpoolInUse when another process has it */
  constructor(path: string, reservePath: string) {
    this.reservePath = reservePath;
    this.db = new DatabaseSync(path, { timeout: SPOOL_LOCK_WAIT_MS });
    try {
      // In this order: an exclusive WAL needs no shared memory file, and its lock is held until the process ends.
      this.db.exec("PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;");
      this.db.exec(`PRAGMA max_page_count = ${SPOOL_MAX_PAGES};`);
      this.db.exec(`BEGIN EXCLUSIVE; ${SCHEMA} COMMIT;`);
    } catch (error) {
      this.db.close();
      if (sqliteCode(error) === SQLITE_BUSY) throw new SpoolInUse("Another host serves this session.");
      throw error;
    }
    const known = readMeta(this.db, "spool_id");
    this.spool_id = known ?? newId("spool", (n) => randomBytes(n));
    if (known === null) this.setMeta("spool_id", this.spool_id);
    this.last_seq = Number(readMeta(this.db, "last_seq") ?? 0);
    this.acked = Number(readMeta(this.db, "acked") ?? 0);
    this.facts = readFacts(this.db);
    this.restoreReserve();
  }

  private setMeta(name: string, value: string): void {
    this.db
      .prepare("INSERT INTO meta VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value")
      .run(name, value);
  }

  private transaction(work: () => void): void {
    try {
      this.db.exec("BEGIN IMMEDIATE");
      work();
      this.db.exec("COMMIT");
    } catch (error) {
      if (this.db.isTransaction) this.db.exec("ROLLBACK");
      const code = sqliteCode(error);
      // A write that meets the end of the disk shows as either.
      if (code === SQLITE_FULL || code === SQLITE_IOERR) throw new SpoolFull("The disk is full.", { cause: error });
      throw error;
    }
  }

  /**
   * Write events in one synced transaction. When it returns they are on disk; when it throws, none is.
   * @throws SpoolFull
   */
  append(events: readonly NewEvent[], at: number): void {
    if (events.length === 0) return;
    let seq = this.last_seq;
    let facts = this.facts;
    this.transaction(() => {
      const insert = this.db.prepare("INSERT INTO events VALUES (?, ?, ?, ?)");
      for (const { execution_id, body } of events) {
        const event = SpoolEvent.parse({ seq: ++seq, at, execution_id, body });
        insert.run(seq, at, execution_id, JSON.stringify(event.body));
        facts = foldFacts(facts, event);
        if (body.type === "turn.started" && body.prompt_id !== null) this.rememberPrompt(body.prompt_id);
        if (body.type === "execution.opened" && execution_id !== null)
          this.db.prepare("INSERT OR IGNORE INTO executions VALUES (?)").run(execution_id);
      }
      this.setMeta("last_seq", String(seq));
      if (facts !== this.facts) this.setMeta("facts", JSON.stringify(facts));
    });
    this.last_seq = seq;
    this.facts = facts;
  }

  private rememberPrompt(promptId: string): void {
    this.db.prepare("INSERT OR IGNORE INTO prompts (prompt_id) VALUES (?)").run(promptId);
    this.db.prepare("DELETE FROM prompts WHERE n <= (SELECT MAX(n) FROM prompts) - ?").run(KNOWN_PROMPTS);
  }

  /** Did this prompt reach an agent at any time (P1)? */
  prompted(promptId: string): boolean {
    return this.db.prepare("SELECT 1 FROM prompts WHERE prompt_id = ?").get(promptId) !== undefined;
  }

  /** Was this execution's permit used at any time (R3)? */
  opened(executionId: string): boolean {
    return this.db.prepare("SELECT 1 FROM executions WHERE execution_id = ?").get(executionId) !== undefined;
  }

  /** The next frame's worth of events from `from` on. */
  read(from: number): SpoolEvent[] {
    const rows = this.db
      .prepare("SELECT * FROM events WHERE seq >= ? ORDER BY seq LIMIT ?")
      .iterate(from, MAX_EVENTS_PER_FRAME);
    const events: SpoolEvent[] = [];
    let bytes = 0;
    for (const row of rows) {
      const body = text(row, "body") ?? "null";
      bytes += Buffer.byteLength(body) + 200;
      if (events.length > 0 && bytes > MAX_EVENTS_FRAME_BYTES) break;
      events.push(SpoolEvent.parse({ ...row, body: JSON.parse(body) }));
    }
    return events;
  }

  /**
   * Everything up to `seq` is stored elsewhere for good: it needn't be kept here.
   * @returns false when the disk is too full even for that; a later acknowledgement covers it
   */
  ack(seq: number): boolean {
    if (seq <= this.acked || seq > this.last_seq) return true;
    try {
      this.transaction(() => {
        this.db.prepare("DELETE FROM events WHERE seq <= ?").run(seq);
        this.setMeta("acked", String(seq));
      });
    } catch (error) {
      if (error instanceof SpoolFull) return false;
      throw error;
    }
    this.acked = seq;
    return true;
  }

  /** Give the kept-back space to the file system (P5). @returns false when it was given already */
  releaseReserve(): boolean {
    if (!existsSync(this.reservePath)) return false;
    rmSync(this.reservePath);
    return true;
  }

  /** Keep space back (again). @returns false when the disk has none */
  restoreReserve(): boolean {
    if (existsSync(this.reservePath)) return true;
    try {
      writeFileSync(this.reservePath, Buffer.alloc(SPOOL_RESERVE_BYTES), { mode: 0o600 });
      return true;
    } catch (error) {
      rmSync(this.reservePath, { force: true });
      if (error instanceof Error && "code" in error && (error.code === "ENOSPC" || error.code === "EDQUOT"))
        return false;
      throw error;
    }
  }

  close(): void {
    this.db.close();
  }
}

export type SpoolReading =
  | { state: "read"; spool_id: string; last_seq: number; acked: number; facts: SpoolFacts }
  /** A process holds it: that host lives. */
  | { state: "locked" }
  /** No host ever wrote there. */
  | { state: "absent" };

/** What a dead host left behind, for the daemon's scan. Changes nothing. @throws when the file can't be read */
export function readSpool(path: string): SpoolReading {
  if (!existsSync(path)) return { state: "absent" };
  // Read and write: the log of a killed writer has to be looked through, which a read-only opener may not do.
  const db = new DatabaseSync(path, { timeout: SPOOL_READ_WAIT_MS });
  try {
    const spool_id = readMeta(db, "spool_id");
    if (spool_id === null) return { state: "absent" };
    const last_seq = Number(readMeta(db, "last_seq") ?? 0);
    const acked = Number(readMeta(db, "acked") ?? 0);
    return { state: "read", spool_id, last_seq, acked, facts: readFacts(db) };
  } catch (error) {
    if (sqliteCode(error) === SQLITE_BUSY) return { state: "locked" };
    // Killed between the file's making and its first table.
    if (error instanceof Error && error.message.includes("no such table")) return { state: "absent" };
    throw error;
  } finally {
    db.close();
  }
}
