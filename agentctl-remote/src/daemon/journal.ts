import { DatabaseSync } from "node:sqlite";
import { Command, Failure } from "@reprise/protocol";
import { z } from "zod";

/**
 * Commands that were delivered, on disk before `command.received` is said, so that each is carried out once:
 * `received` (to be done), `handed` (a launch that the host has taken), `done`, `failed`.
 */
const Row = z.object({
  id: z.string(),
  seq: z.number(),
  session_id: z.string(),
  command: z.string(),
  state: z.enum(["received", "handed", "done", "failed"]),
  failure: z.string().nullable(),
});

export interface JournalEntry {
  id: string;
  seq: number;
  command: Command;
  state: "received" | "handed" | "done" | "failed";
  failure: Failure | null;
}

export type JournalState = JournalEntry["state"];

/** Raised when another daemon has the journal open. */
export class JournalBusy extends Error {}

/** The node's durable memory of commands. Its exclusive lock is also what makes the daemon the only one (N6). */
export class Journal {
  private readonly db: DatabaseSync;

  /** @throws JournalBusy when another daemon lives on this state folder */
  constructor(path: string) {
    this.db = new DatabaseSync(path);
    try {
      this.db.exec("PRAGMA busy_timeout = 0; PRAGMA locking_mode = EXCLUSIVE; PRAGMA synchronous = FULL;");
      this.db.exec("BEGIN EXCLUSIVE");
      this.db.exec(`CREATE TABLE IF NOT EXISTS commands (
        id TEXT PRIMARY KEY, seq INTEGER NOT NULL, session_id TEXT NOT NULL, command TEXT NOT NULL,
        state TEXT NOT NULL, failure TEXT, changed_at INTEGER NOT NULL
      ) STRICT`);
      this.db.exec("CREATE INDEX IF NOT EXISTS commands_by_state ON commands (state)");
      this.db.exec("COMMIT");
    } catch (cause) {
      this.db.close();
      if (cause instanceof Error && /locked|busy/i.test(cause.message))
        throw new JournalBusy("Another agentctl daemon runs on this state folder.", { cause });
      throw cause;
    }
  }

  close(): void {
    this.db.close();
  }

  /** Store a command, synced. @returns false when it was known already */
  receive(seq: number, command: Command, now: number): boolean {
    const result = this.db
      .prepare("INSERT OR IGNORE INTO commands VALUES (?, ?, ?, ?, 'received', NULL, ?)")
      .run(command.command_id, seq, command.session_id, JSON.stringify(command), now);
    return result.changes > 0;
  }

  mark(id: string, state: JournalState, failure: Failure | null, now: number): void {
    this.db
      .prepare("UPDATE commands SET state = ?, failure = ?, changed_at = ? WHERE id = ?")
      .run(state, failure ? JSON.stringify(failure) : null, now, id);
  }

  get(id: string): JournalEntry | null {
    const row = this.db.prepare("SELECT * FROM commands WHERE id = ?").get(id);
    return row === undefined ? null : entryOf(row);
  }

  /** What is still to be done, in order. A launch stays open until its execution is known to have begun or failed. */
  open(): JournalEntry[] {
    return this.db
      .prepare("SELECT * FROM commands WHERE state IN ('received', 'handed') ORDER BY seq")
      .all()
      .map(entryOf);
  }

  /** Results changed since then: told again after a reconnect, as nobody acknowledges them. */
  resultsSince(since: number): JournalEntry[] {
    return this.db
      .prepare("SELECT * FROM commands WHERE state IN ('done', 'failed') AND changed_at >= ? ORDER BY seq")
      .all(since)
      .map(entryOf);
  }

  /** Was this session torn down here? Then nothing is started for it again (T5). */
  tornDown(sessionId: string): boolean {
    return (
      this.db
        .prepare("SELECT 1 FROM commands WHERE session_id = ? AND json_extract(command, '$.type') = 'teardown' LIMIT 1")
        .get(sessionId) !== undefined
    );
  }

  /** The newest command up to which every one has had its effect: only then is absence evidence (T3). */
  lastSeq(): number {
    const open = this.db.prepare("SELECT min(seq) AS seq FROM commands WHERE state IN ('received', 'handed')").get();
    const all = this.db.prepare("SELECT max(seq) AS seq FROM commands").get();
    const first = open?.["seq"];
    if (typeof first === "number") return Math.max(0, first - 1);
    return typeof all?.["seq"] === "number" ? all["seq"] : 0;
  }

  /** Forget results older than `before`, but the newest row: `lastSeq` needs it. */
  prune(before: number): void {
    this.db
      .prepare(
        "DELETE FROM commands WHERE state IN ('done', 'failed') AND changed_at < ? AND seq < (SELECT max(seq) FROM commands)",
      )
      .run(before);
  }
}

function entryOf(raw: unknown): JournalEntry {
  const row = Row.parse(raw);
  return {
    id: row.id,
    seq: row.seq,
    command: Command.parse(JSON.parse(row.command)),
    state: row.state,
    failure: row.failure === null ? null : Failure.parse(JSON.parse(row.failure)),
  };
}
