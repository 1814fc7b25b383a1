import { ExecutionId } from "@reprise/protocol";
import { z } from "zod";

/** What the wrapper and the hooks of a terminal agent drop into the session's folder: a line, and a hook's JSON after it. */
export type Report =
  /** The agent's wrapper is there; its process number. */
  | { type: "start"; execution_id: string; pid: number }
  | { type: "exit"; execution_id: string; status: number; hung_up: boolean }
  /** `chain`: who called, then its parent, and so on: whose words these are. */
  | { type: "hook"; agent_kind: string; chain: number[]; payload: unknown };

const number = z
  .string()
  .regex(/^\d{1,10}$/)
  .transform(Number);

const Line = z.union([
  z.tuple([z.literal("start"), ExecutionId, number]),
  z.tuple([z.literal("exit"), ExecutionId, number, z.enum(["-", "hup"])]),
  z.tuple([z.literal("hook"), z.string().regex(/^[A-Za-z0-9:._-]{1,80}$/), number]).rest(number),
]);

/** @returns null for what isn't a whole report: it was cut, or somebody else wrote it */
export function readReport(text: string): Report | null {
  const end = text.indexOf("\n");
  if (end < 0) return null;
  const parsed = Line.safeParse(text.slice(0, end).split(" "));
  if (!parsed.success) return null;
  const line = parsed.data;
  switch (line[0]) {
    case "start":
      return { type: "start", execution_id: line[1], pid: line[2] };
    case "exit":
      return { type: "exit", execution_id: line[1], status: line[2], hung_up: line[3] === "hup" };
    case "hook": {
      const [, agent_kind, ...chain] = line;
      const payload = json(text.slice(end + 1));
      return payload === undefined ? null : { type: "hook", agent_kind, chain, payload };
    }
  }
}

function json(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Cut at the limit, or not JSON: it can't be told what it says.
    return undefined;
  }
}

/** Two reports of one moment: an agent's words come before its end. */
export function rank(report: Report): number {
  switch (report.type) {
    case "start":
      return 0;
    case "hook":
      return 1;
    case "exit":
      return 2;
  }
}
