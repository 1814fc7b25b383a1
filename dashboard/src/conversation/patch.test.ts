import { expect, it } from "vitest";
import { hunksOfPatch } from "./patch.ts";

const PATCH = `diff --git a/x b/x
index 1..2 100644
--- a/x
+++ b/x
@@ -1,3 +1,3 @@ head
 one
-two
+2
 three
@@ -10 +10,2 @@
 ten
+-- eleven
\\ No newline at end of file
`;

it("reads git's hunks with their line numbers, and lines that look like headers", () => {
  expect(hunksOfPatch(PATCH)).toEqual([
    [
      { sign: " ", text: "one", old: 1, now: 1 },
      { sign: "-", text: "two", old: 2, now: null },
      { sign: "+", text: "2", old: null, now: 2 },
      { sign: " ", text: "three", old: 3, now: 3 },
    ],
    [
      { sign: " ", text: "ten", old: 10, now: 10 },
      { sign: "+", text: "-- eleven", old: null, now: 11 },
    ],
  ]);
});

it("gives what is there of a patch that was cut short, and nothing of one without hunks", () => {
  expect(hunksOfPatch(PATCH.slice(0, PATCH.indexOf("-two")))).toEqual([[{ sign: " ", text: "one", old: 1, now: 1 }]]);
  expect(hunksOfPatch("rename from a\nrename to b\n")).toEqual([]);
});
