import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { MAX_FILE_CHARS, MAX_FOLDER_ENTRIES } from "@reprise/protocol";
import { afterEach, beforeEach, expect, it } from "vitest";
import { readWorkspaceFiles } from "./files.ts";
import { rootsOf } from "./roots.ts";

let dir = "";
let work = "";
beforeEach(() => {
  dir = realpathSync(mkdtempSync(join(tmpdir(), "files-")));
  work = join(dir, "work");
  mkdirSync(work);
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

const read = (path: string) => readWorkspaceFiles(work, path, rootsOf([], dir));

it("lists one level: folders first, links as what they lead to", async () => {
  mkdirSync(join(work, "src"));
  writeFileSync(join(work, "src", "deep"), "");
  writeFileSync(join(work, "a.txt"), "four");
  symlinkSync("src", join(work, "also"));
  symlinkSync("/etc", join(work, "out"));
  symlinkSync("nowhere", join(work, "broken"));
  const listed = await read("");
  if (listed.kind !== "folder") throw new Error("no folder");
  expect(listed.entries.map(({ name, kind, link }) => [name, kind, link])).toEqual([
    ["also", "folder", true],
    ["src", "folder", false],
    ["a.txt", "file", false],
    ["broken", "other", false],
    ["out", "other", true],
  ]);
  expect(listed.entries.find(({ name }) => name === "a.txt")?.size).toBe(4);
  expect(await read("also")).toMatchObject({ kind: "folder", path: "also", entries: [{ name: "deep" }] });
});

it("S4: nothing outside the workspace, by whatever way", async () => {
  writeFileSync(join(dir, "secret"), "x");
  symlinkSync(join(dir, "secret"), join(work, "link"));
  symlinkSync(dir, join(work, "up"));
  for (const path of ["../secret", "/etc/passwd", "link", "up/secret", "a/../../secret"])
    await expect(read(path), path).rejects.toMatchObject({ code: "path_not_allowed" });
  await expect(read("no/such")).rejects.toMatchObject({ code: "file_not_found" });
  const roots = rootsOf([join(dir, "elsewhere")], dir);
  await expect(readWorkspaceFiles(work, "", roots)).rejects.toMatchObject({ code: "path_not_allowed" });
});

it("says workspace_missing when the folder is gone", async () => {
  rmSync(work, { recursive: true });
  await expect(read("")).rejects.toMatchObject({ code: "workspace_missing" });
});

it("S4: a file's text up to its limit, cut between characters; what isn't text has none", async () => {
  writeFileSync(join(work, "long"), "ä".repeat(MAX_FILE_CHARS));
  const long = await read("long");
  if (long.kind !== "file") throw new Error("no file");
  expect([long.truncated, long.text?.length, long.text?.endsWith("ä")]).toEqual([true, MAX_FILE_CHARS / 2, true]);
  writeFileSync(join(work, "binary"), Buffer.from([1, 2, 0, 3]));
  writeFileSync(join(work, "control"), "\x01".repeat(100));
  expect(await read("binary")).toMatchObject({ text: null, size: 4 });
  expect(await read("control")).toMatchObject({ text: null });
});

it("a pipe is not waited for", async () => {
  execFileSync("mkfifo", [join(work, "pipe")]);
  await expect(read("pipe")).rejects.toMatchObject({ code: "file_not_found" });
});

it("S4: a huge folder is listed up to its limit, and says so", async () => {
  for (let i = 0; i <= MAX_FOLDER_ENTRIES; i++) writeFileSync(join(work, `f${i}`), "");
  const listed = await read("");
  if (listed.kind !== "folder") throw new Error("no folder");
  expect([listed.entries.length, listed.truncated]).toEqual([MAX_FOLDER_ENTRIES, true]);
});
