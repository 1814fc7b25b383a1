import { expect, it } from "vitest";
import { message, rowsOf, tool } from "../testing/sample.ts";
import { fileChanges } from "./changes.ts";

const edit = (id: string, path: string, old_text: string | null, new_text: string) =>
  tool(id, { tool_kind: "edit", content: [{ type: "diff", path, old_text, new_text }] });

it("gathers the edits of a file, and leaves out what did not happen", () => {
  const rows = rowsOf(
    message(edit("a", "/w/a", null, "1\n")),
    message(edit("b", "/w/b", "x\n", "y\n")),
    message({ ...edit("c", "/w/a", "1\n", "1\n2\n") }),
    message({ ...edit("d", "/w/c", "1\n", "2\n"), tool_status: "failed" }),
  );
  const changes = fileChanges(rows);
  expect(changes.map(({ path, edits, stat }) => [path, edits.length, stat.added, stat.removed])).toEqual([
    ["/w/a", 2, 2, 0],
    ["/w/b", 1, 1, 1],
  ]);
});
