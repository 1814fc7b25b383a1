import { appendFileSync, existsSync, readFileSync } from "node:fs";

/** One start of the scripted agent. */
export type Start = { readonly pid: number; readonly argv: string; readonly at: number };

/** Notes this start; one short append is atomic, so agents that start together do not mix their lines. */
export function noteStart(file: string, start: Start): void {
  appendFileSync(file, `${start.pid}\t${start.argv}\t${start.at}\n`);
}

/** Every start that the file knows of: how tests count agent processes. */
export function readStarts(file: string): Start[] {
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, "utf8").split("\n");
  return lines.filter(Boolean).map((line) => {
    const [pid = "", argv = "", at = ""] = line.split("\t");
    return { pid: Number(pid), argv, at: Number(at) };
  });
}
