import { readdirSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { z } from "zod";

const SessionRow = z.object({
  id: z.string(),
  state: z.string(),
  end_reason: z.string().nullable(),
  version: z.number(),
});
const ExecutorRow = z.object({
  agentctl_url: z.string().nullable(),
  agentctl_port: z.number().nullable(),
  session_id: z.string(),
  node_id: z.string(),
  runtime: z.string(),
  executor_type: z.string(),
  container_id: z.string().nullable(),
  pid: z.number().nullable(),
  status: z.string(),
  resume_token: z.string().nullable(),
  execution_id: z.string().nullable(),
  error_code: z.string().nullable(),
  attempt: z.number(),
  retry_at: z.number().nullable(),
});

/** D1 as it lies on disk, read beside the running control plane. */
export class Database {
  readonly #folder: string;

  constructor(controlPlaneState: string) {
    this.#folder = controlPlaneState;
  }

  session(id: string) {
    return SessionRow.parse(this.#row("SELECT id, state, end_reason, version FROM task_sessions WHERE id = ?", id));
  }

  executor(sessionId: string) {
    return ExecutorRow.parse(
      this.#row(
        `SELECT ${Object.keys(ExecutorRow.shape).join(", ")} FROM executors_running WHERE session_id = ?`,
        sessionId,
      ),
    );
  }

  #row(sql: string, id: string): unknown {
    const db = new DatabaseSync(this.#file(), { readOnly: true });
    try {
      return db.prepare(sql).get(id);
    } finally {
      db.close();
    }
  }

  /** D1's file is named by a hash; the platform's own bookkeeping lies beside it. */
  #file(): string {
    const files = readdirSync(this.#folder, { recursive: true, encoding: "utf8" });
    const file = files.find((name) => /d1.*\.sqlite$/i.test(name) && !name.includes("metadata"));
    if (file === undefined) throw new Error(`no D1 database below ${this.#folder}`);
    return join(this.#folder, file);
  }
}
