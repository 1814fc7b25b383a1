export interface DiffLine {
  readonly sign: "+" | "-" | " ";
  readonly text: string;
  readonly old: number | null;
  readonly now: number | null;
}

/** The hunks of one file's unified patch, as git writes it; one that was cut short gives what is there. */
export function hunksOfPatch(patch: string): DiffLine[][] {
  const hunks: DiffLine[][] = [];
  let hunk: DiffLine[] | null = null;
  let old = 0;
  let now = 0;
  for (const line of patch.split("\n")) {
    const head = /^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@/.exec(line);
    if (head) {
      hunk = [];
      hunks.push(hunk);
      old = Number(head[1]);
      now = Number(head[2]);
    } else if (hunk === null) continue;
    else if (line.startsWith("+")) hunk.push({ sign: "+", text: line.slice(1), old: null, now: now++ });
    else if (line.startsWith("-")) hunk.push({ sign: "-", text: line.slice(1), old: old++, now: null });
    else if (line.startsWith(" ")) hunk.push({ sign: " ", text: line.slice(1), old: old++, now: now++ });
  }
  return hunks;
}
