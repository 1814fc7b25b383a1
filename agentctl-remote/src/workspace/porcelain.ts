import type { GitFile, GitStatus } from "@reprise/protocol";

type Parsed = Pick<GitStatus, "branch" | "commit" | "upstream" | "ahead" | "behind"> & {
  files: Omit<GitFile, "added" | "removed">[];
};

/** Reads `git status --porcelain=v2 --branch -z`. Unknown records are passed over: later versions of git add some. */
export function parseStatus(output: string): Parsed {
  const parsed: Parsed = { branch: null, commit: null, upstream: null, ahead: null, behind: null, files: [] };
  const records = output.split("\0");
  for (let i = 0; i < records.length; i++) {
    const record = records[i] ?? "";
    switch (record[0]) {
      case "#":
        header(parsed, record);
        break;
      case "1":
        parsed.files.push({ ...changeOf(record), path: fields(record, 8), old_path: null });
        break;
      case "2":
        // The old path is a record of its own.
        parsed.files.push({ ...changeOf(record), path: fields(record, 9), old_path: records[++i] ?? null });
        break;
      case "u":
        parsed.files.push({ path: fields(record, 10), old_path: null, change: "conflicted", staged: false });
        break;
      case "?":
        parsed.files.push({ path: record.slice(2), old_path: null, change: "untracked", staged: false });
        break;
      default:
        break;
    }
  }
  return parsed;
}

function header(parsed: Parsed, record: string): void {
  const [, name, ...rest] = record.split(" ");
  const value = rest.join(" ");
  if (name === "branch.oid") parsed.commit = value === "(initial)" ? null : value;
  if (name === "branch.head") parsed.branch = value === "(detached)" ? null : value;
  if (name === "branch.upstream") parsed.upstream = value;
  if (name === "branch.ab") {
    const [ahead, behind] = rest.map(Number);
    parsed.ahead = ahead ?? null;
    parsed.behind = behind === undefined ? null : Math.abs(behind);
  }
}

/** What comes after `count` fields: a path, which may hold spaces. */
function fields(record: string, count: number): string {
  let from = 0;
  for (let i = 0; i < count; i++) from = record.indexOf(" ", from) + 1;
  return record.slice(from);
}

function changeOf(record: string): Pick<GitFile, "change" | "staged"> {
  const index = record[2] ?? ".";
  const tree = record[3] ?? ".";
  const staged = tree === ".";
  if (record[0] === "2") return { change: "renamed", staged };
  if (tree === "D" || index === "D") return { change: "deleted", staged };
  if (index === "A" || tree === "A") return { change: "added", staged };
  return { change: "modified", staged };
}

/** Reads `git diff --numstat -z`: lines added and removed by path, null of binary files. */
export function parseNumstat(output: string): Map<string, { added: number | null; removed: number | null }> {
  const counts = new Map<string, { added: number | null; removed: number | null }>();
  const records = output.split("\0");
  for (let i = 0; i < records.length; i++) {
    const match = /^(\d+|-)\t(\d+|-)\t([\s\S]*)$/.exec(records[i] ?? "");
    if (!match) continue;
    const [, added = "-", removed = "-", inline = ""] = match;
    // Of a rename the two paths follow, the new one last.
    const path = inline === "" ? (records[i + 2] ?? "") : inline;
    if (inline === "") i += 2;
    counts.set(path, { added: number(added), removed: number(removed) });
  }
  return counts;
}

function number(text: string): number | null {
  return text === "-" ? null : Number(text);
}

/** Reads `git diff --name-status -z` of renames: the old path by the new one. */
export function parseRenames(output: string): Map<string, string> {
  const records = output.split("\0");
  const renames = new Map<string, string>();
  for (let i = 0; i + 2 < records.length; i += 3) {
    const [before, after] = [records[i + 1], records[i + 2]];
    if (before !== undefined && after !== undefined) renames.set(after, before);
  }
  return renames;
}
