import type { LogRow, RowBody } from "@reprise/protocol";

type Notice = Extract<RowBody, { kind: "notice" }>;

/** Shells of earlier agents in which something still runs, by the names of their terminals; the newest first. */
export function keptTerminals(rows: readonly LogRow[]): readonly string[] {
  const names = rows.flatMap(({ body }) =>
    body.kind === "notice" && body.code === "terminal_kept" && body.terminal_id ? [body.terminal_id] : [],
  );
  return [...new Set(names.toReversed())];
}

/** What its person should know of the agent that runs now. */
export function warningsOf(rows: readonly LogRow[], executionId: string | null): readonly Notice[] {
  return rows.flatMap(({ body, execution_id }) =>
    body.kind === "notice" && body.level === "warning" && execution_id === executionId ? [body] : [],
  );
}
