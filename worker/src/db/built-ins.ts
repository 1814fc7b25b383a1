import { BUILT_INS, type BuiltIn, commandLineKey } from "@reprise/protocol";
import { and, eq } from "drizzle-orm";
import type { BatchItem } from "drizzle-orm/batch";
import { forgetCapabilities } from "./capabilities.ts";
import type { Db } from "./db.ts";
import { agentProfiles } from "./schema-config.ts";

type Row = typeof agentProfiles.$inferSelect;

/** A built-in profile's row as the catalog has it, with nothing of a person's in it. */
export function asBuiltIn({ id, name, spec }: BuiltIn) {
  const { resume_args = null, prompt_transport = null, prompt_args = null } = spec;
  return {
    ...spec,
    id,
    name,
    resume_args,
    prompt_transport,
    prompt_args,
    mode: null,
    model: null,
    turn_limit_s: null,
    auto_resume: "interrupted" as const,
    built_in: true,
    default_line: commandLineKey(spec),
    deleted_at: null,
  };
}

/**
 * What brings the table to the catalog: the built-in profiles that it lacks, and new command lines for those that still
 * hold an older default. What a person changed or deleted stays so.
 */
export function overdueWrites(db: Db, rows: readonly Row[], now: number): BatchItem<"sqlite">[] {
  return BUILT_INS.flatMap((builtIn): BatchItem<"sqlite">[] => {
    const row = rows.find((each) => each.id === builtIn.id);
    if (row === undefined) return [insert(db, builtIn, now)];
    return holdsOlderDefault(row, builtIn) ? [update(db, row, builtIn, now), forgetCapabilities(db, row.id)] : [];
  });
}

function holdsOlderDefault(row: Row, { spec }: BuiltIn): boolean {
  const held = commandLineKey(row);
  return held === row.default_line && held !== commandLineKey(spec);
}

function insert(db: Db, builtIn: BuiltIn, now: number) {
  return db
    .insert(agentProfiles)
    .values({ ...asBuiltIn(builtIn), created_at: now, updated_at: now })
    .onConflictDoNothing();
}

function update(db: Db, row: Row, builtIn: BuiltIn, now: number) {
  const { driver, command, args, resume_args, prompt_transport, prompt_args, default_line } = asBuiltIn(builtIn);
  return (
    db
      .update(agentProfiles)
      .set({ driver, command, args, resume_args, prompt_transport, prompt_args, default_line, updated_at: now })
      // A person may have changed it since it was read.
      .where(and(eq(agentProfiles.id, row.id), eq(agentProfiles.updated_at, row.updated_at)))
  );
}
