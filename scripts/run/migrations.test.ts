import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, expect, it } from "vitest";
import { ROOT } from "../lib/paths.ts";
import { migrate, readMigrations } from "./migrations.ts";
import type { Database } from "./runtime.ts";

let folder: string;
let sqlite: DatabaseSync;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "reprise-migrations-"));
  sqlite = new DatabaseSync(":memory:");
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** D1's interface over SQLite itself: a batch is one transaction. */
function database(): Database {
  const statement = (sql: string, values: string[] = []): ReturnType<Database["prepare"]> => ({
    bind: (...more) => statement(sql, more.map(String)),
    all: async () => ({ results: sqlite.prepare(sql).all(...values) }),
    run: async () => sqlite.prepare(sql).run(...values),
  });
  return {
    prepare: (sql) => statement(sql),
    batch: async (statements) => {
      sqlite.exec("BEGIN");
      try {
        for (const one of statements) await one.run();
        sqlite.exec("COMMIT");
      } catch (error) {
        sqlite.exec("ROLLBACK");
        throw error;
      }
    },
  };
}

function write(name: string, sql: string): void {
  writeFileSync(join(folder, name), sql);
}

it("applies what is due, in order, once", async () => {
  write("0001_b.sql", "INSERT INTO a VALUES (1);");
  write("0000_a.sql", "CREATE TABLE a (x);\n--> statement-breakpoint\nCREATE INDEX i ON a (x);");
  expect(await migrate(database(), readMigrations(folder))).toEqual(["0000_a.sql", "0001_b.sql"]);
  expect(await migrate(database(), readMigrations(folder))).toEqual([]);
  expect(sqlite.prepare("SELECT count(*) AS n FROM a").get()).toEqual({ n: 1 });
});

it("leaves nothing of a migration that fails", async () => {
  write("0000_a.sql", "CREATE TABLE a (x);\n--> statement-breakpoint\nCREATE TABLE a (x);");
  await expect(migrate(database(), readMigrations(folder))).rejects.toThrow("already exists");
  expect(sqlite.prepare("SELECT name FROM sqlite_master WHERE name = 'a'").get()).toBeUndefined();
  expect(sqlite.prepare("SELECT count(*) AS n FROM d1_migrations").get()).toEqual({ n: 0 });
});

it("applies the project's own", async () => {
  const own = readMigrations(join(ROOT, "drizzle"));
  expect(await migrate(database(), own)).toEqual(own.map(({ name }) => name));
});
