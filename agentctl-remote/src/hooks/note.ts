import { mkdirSync } from "node:fs";
import { dirname } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { z } from "zod";
import { HOOKS_LOCK_MS } from "../limits.ts";
import { Inserted } from "./settings-text.ts";

const Row = z.object({ path: z.string(), agent_kind: z.string(), made: z.string() });

/** What we made of a file: with it, an unchanged one becomes byte for byte what it was. */
export const Made = z.object({
  /** Of the file as we left it. */
  sha256: z.string(),
  inserted: Inserted,
  /** What stood there where there were no settings yet: no file (null), or an empty one. */
  instead_of: z.string().nullable().optional(),
  /** The outermost folder that was made for it. */
  folder: z.string().nullable(),
});
export type Made = z.infer<typeof Made>;

/**
 * What we remember of one home's hooks: for which agents its person wants none, and which files we changed. It lies in
 * the home, not in a node's state folder: hosts of several nodes, and the command, change the same settings.
 */
export interface Note {
  isOff(agentKind: string): boolean;
  setOff(agentKind: string, off: boolean): void;
  made(path: string): Made | null;
  /** Files of that agent that we changed. */
  paths(agentKind: string): string[];
  remember(path: string, agentKind: string, made: Made): void;
  forget(path: string): void;
}

/**
 * Read and change it, and the settings with it, while nobody else does: the kernel frees the lock of a process that
 * dies, and what it had noted is undone.
 */
export function withNote<T>(path: string, work: (note: Note) => T): T {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const db = new DatabaseSync(path, { timeout: HOOKS_LOCK_MS });
  try {
    db.exec("BEGIN EXCLUSIVE");
    db.exec("CREATE TABLE IF NOT EXISTS off (agent_kind TEXT PRIMARY KEY) STRICT");
    db.exec(
      "CREATE TABLE IF NOT EXISTS files (path TEXT PRIMARY KEY, agent_kind TEXT NOT NULL, made TEXT NOT NULL) STRICT",
    );
    const result = work(noteIn(db));
    db.exec("COMMIT");
    return result;
  } finally {
    // An open transaction is rolled back by this.
    db.close();
  }
}

function noteIn(db: DatabaseSync): Note {
  return {
    isOff: (kind) => db.prepare("SELECT 1 FROM off WHERE agent_kind = ?").get(kind) !== undefined,
    setOff(kind, off) {
      if (off) db.prepare("INSERT OR IGNORE INTO off VALUES (?)").run(kind);
      else db.prepare("DELETE FROM off WHERE agent_kind = ?").run(kind);
    },
    made(path) {
      const row = Row.safeParse(db.prepare("SELECT * FROM files WHERE path = ?").get(path));
      return row.success ? Made.parse(JSON.parse(row.data.made)) : null;
    },
    paths(kind) {
      const rows = db.prepare("SELECT * FROM files WHERE agent_kind = ? ORDER BY path").all(kind);
      return z
        .array(Row)
        .parse(rows)
        .map((row) => row.path);
    },
    remember(path, kind, made) {
      db.prepare("INSERT OR REPLACE INTO files VALUES (?, ?, ?)").run(path, kind, JSON.stringify(made));
    },
    forget: (path) => void db.prepare("DELETE FROM files WHERE path = ?").run(path),
  };
}
