import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import type { Database } from "./runtime.ts";

export interface Migration {
  name: string;
  statements: string[];
}

/** drizzle-kit's mark between two statements. */
const BREAK = "--> statement-breakpoint";

/** The migrations of a folder, in order. */
export function readMigrations(folder: string): Migration[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith(".sql"))
    .sort()
    .map((name) => ({
      name,
      statements: readFileSync(join(folder, name), "utf8")
        .split(BREAK)
        .map((statement) => statement.trim())
        .filter((statement) => statement !== ""),
    }));
}

/** wrangler's own table, so that `wrangler d1 migrations` and this agree on what was applied. */
const TABLE = `CREATE TABLE IF NOT EXISTS d1_migrations (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  name TEXT UNIQUE,
  applied_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP NOT NULL
)`;
const Applied = z.array(z.object({ name: z.string() }));

/** Applies what was not applied yet, each migration whole or not at all. @returns the names of those applied */
export async function migrate(database: Database, migrations: readonly Migration[]): Promise<string[]> {
  await database.prepare(TABLE).run();
  const { results } = await database.prepare("SELECT name FROM d1_migrations").all();
  const applied = new Set(Applied.parse(results).map(({ name }) => name));
  const due = migrations.filter(({ name }) => !applied.has(name));
  for (const { name, statements } of due) {
    const note = database.prepare("INSERT INTO d1_migrations (name) VALUES (?)").bind(name);
    await database.batch([...statements.map((sql) => database.prepare(sql)), note]);
  }
  return due.map(({ name }) => name);
}
