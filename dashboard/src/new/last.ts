import { Runtime } from "@reprise/protocol";
import { z } from "zod";

const Last = z.object({ node_id: z.string(), profile_id: z.string(), runtime: Runtime, cwd: z.string() }).partial();
type Last = z.infer<typeof Last>;

const KEY = "reprise.new";

/** What was chosen the last time: most often it is right again. */
export function readLast(): Last {
  const text = localStorage.getItem(KEY);
  if (text === null) return {};
  try {
    return Last.catch({}).parse(JSON.parse(text));
  } catch {
    // Not ours, or cut off: begin afresh.
    return {};
  }
}

/** Remembers what was chosen. */
export function writeLast(last: Last): void {
  localStorage.setItem(KEY, JSON.stringify(last));
}
