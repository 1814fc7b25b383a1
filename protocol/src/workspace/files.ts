import { z } from "zod";
import { MAX_FILE_CHARS, MAX_FOLDER_ENTRIES, MAX_PATH_CHARS } from "../limits.ts";

/** A path inside a session's workspace, from its folder on; empty is the folder itself. */
export const InnerPath = z
  .string()
  .max(MAX_PATH_CHARS)
  .refine((path) => !path.includes("\0"), "a path has no NUL");

export const FileEntry = z.object({
  name: z.string(),
  /** Of a link, what it leads to; `other` leads nowhere in this workspace, or is neither file nor folder. */
  kind: z.enum(["folder", "file", "other"]),
  link: z.boolean(),
  /** Of a file, in bytes. */
  size: z.number().nullable(),
  modified_at: z.number().nullable(),
});
export type FileEntry = z.infer<typeof FileEntry>;

/** One level of a folder, or one file of text. */
export const FilesAnswer = z.discriminatedUnion("kind", [
  z.object({
    kind: z.literal("folder"),
    path: z.string(),
    entries: z.array(FileEntry).max(MAX_FOLDER_ENTRIES),
    /** It has more than is listed. */
    truncated: z.boolean(),
  }),
  z.object({
    kind: z.literal("file"),
    path: z.string(),
    size: z.number(),
    modified_at: z.number(),
    /** Null: it isn't text. */
    text: z.string().max(MAX_FILE_CHARS).nullable(),
    /** `text` is only its beginning. */
    truncated: z.boolean(),
  }),
]);
export type FilesAnswer = z.infer<typeof FilesAnswer>;
