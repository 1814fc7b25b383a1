import { z } from "zod";
import { MAX_DIFF_CHARS, MAX_GIT_FILES } from "../limits.ts";

/** How a file differs from the last commit. */
export const GitFile = z.object({
  path: z.string(),
  /** Where it was before it was renamed or copied. */
  old_path: z.string().nullable(),
  change: z.enum(["added", "modified", "deleted", "renamed", "untracked", "conflicted"]),
  /** All of its change is in the index. */
  staged: z.boolean(),
  /** Lines; null of a binary file, or one that is too large to be counted. */
  added: z.number().nullable(),
  removed: z.number().nullable(),
});
export type GitFile = z.infer<typeof GitFile>;

export const GitStatus = z.object({
  /** The checkout's folder. */
  root: z.string(),
  /** Null on no branch. */
  branch: z.string().nullable(),
  /** Of the last commit; null before the first one. */
  commit: z.string().nullable(),
  upstream: z.string().nullable(),
  /** Commits that the upstream branch doesn't have, and that only it has; null without one. */
  ahead: z.number().nullable(),
  behind: z.number().nullable(),
  files: z.array(GitFile).max(MAX_GIT_FILES),
  /** There are more changed files than are listed. */
  truncated: z.boolean(),
});
export type GitStatus = z.infer<typeof GitStatus>;

export const GitDiff = z.object({
  path: z.string(),
  /** Unified, against the last commit; empty where nothing differs. Null: not text. */
  patch: z.string().max(MAX_DIFF_CHARS).nullable(),
  /** `patch` ends before the diff does. */
  truncated: z.boolean(),
});
export type GitDiff = z.infer<typeof GitDiff>;

/** `none`: the workspace is in no git repository. */
export const GitAnswer = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("none") }),
  z.object({ kind: z.literal("status"), status: GitStatus }),
  z.object({ kind: z.literal("diff"), diff: GitDiff }),
]);
export type GitAnswer = z.infer<typeof GitAnswer>;
