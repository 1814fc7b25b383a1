import { z } from "zod";
import { emptyState, FIELDS, MAPS, type NodeState } from "./core/state.ts";

type Field = keyof typeof FIELDS;
type MapName = keyof typeof MAPS;
const FIELD_NAMES = Object.keys(FIELDS) as Field[];
const MAP_NAMES = Object.keys(MAPS) as MapName[];

/** One table for all: a cell is a field, or one entry of a collection. A change writes its own cell alone. */
export function createTables(sql: SqlStorage): void {
  sql.exec(
    "CREATE TABLE IF NOT EXISTS cells (bucket TEXT NOT NULL, key TEXT NOT NULL, value TEXT NOT NULL, PRIMARY KEY (bucket, key)) WITHOUT ROWID",
  );
}

/** @returns the state as it was stored; what was never stored is as in an empty one. */
export function loadState(sql: SqlStorage): NodeState {
  const empty = emptyState();
  const cells = new Map<string, Map<string, unknown>>();
  for (const row of sql.exec<{ bucket: string; key: string; value: string }>("SELECT bucket, key, value FROM cells")) {
    const bucket = cells.get(row.bucket) ?? new Map<string, unknown>();
    bucket.set(row.key, JSON.parse(row.value));
    cells.set(row.bucket, bucket);
  }
  const fields = z.object(FIELDS).parse({ ...empty, ...Object.fromEntries(cells.get("field") ?? []) });
  const map = <T>(name: MapName, schema: z.ZodType<T>): Map<string, T> =>
    new Map([...(cells.get(name) ?? [])].map(([key, value]) => [key, schema.parse(value)]));
  const commands = [...map("commands", MAPS.commands)].sort(([, a], [, b]) => a.seq - b.seq);
  return {
    ...fields,
    entries: map("entries", MAPS.entries),
    pushes: map("pushes", MAPS.pushes),
    commands: new Map(commands),
    tokens: map("tokens", MAPS.tokens),
  };
}

/** Write what changed between the two, and nothing else: rows written are the bill. */
export function saveChanges(sql: SqlStorage, before: NodeState, after: NodeState): void {
  for (const name of FIELD_NAMES) {
    if (before[name] !== after[name]) put(sql, "field", name, after[name]);
  }
  for (const name of MAP_NAMES) {
    const [old, now]: [ReadonlyMap<string, unknown>, ReadonlyMap<string, unknown>] = [before[name], after[name]];
    if (old === now) continue;
    for (const [key, value] of now) if (old.get(key) !== value) put(sql, name, key, value);
    for (const key of old.keys()) {
      if (!now.has(key)) sql.exec("DELETE FROM cells WHERE bucket = ? AND key = ?", name, key);
    }
  }
}

function put(sql: SqlStorage, bucket: string, key: string, value: unknown): void {
  sql.exec("INSERT OR REPLACE INTO cells VALUES (?, ?, ?)", bucket, key, JSON.stringify(value));
}
