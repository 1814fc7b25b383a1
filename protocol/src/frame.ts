import type { z } from "zod";
import { MAX_FRAME_BYTES } from "./limits.ts";

export type Decoded<T> =
  | { ok: true; frame: T }
  | { ok: false; code: "too_large" | "invalid_json" | "invalid_field"; message: string; field?: string };

/**
 * Read one text frame: size, JSON, schema. Never throws (S6).
 * @param raw as it came from the socket @param schema of this direction of this socket
 */
export function decodeFrame<T>(raw: string, schema: z.ZodType<T>): Decoded<T> {
  if (raw.length > MAX_FRAME_BYTES)
    return { ok: false, code: "too_large", message: `A frame may have ${MAX_FRAME_BYTES} bytes.` };
  let json: unknown;
  try {
    json = JSON.parse(raw);
  } catch {
    return { ok: false, code: "invalid_json", message: "The frame isn't valid JSON." };
  }
  const parsed = schema.safeParse(json);
  if (parsed.success) return { ok: true, frame: parsed.data };
  const issue = parsed.error.issues[0];
  const field = issue?.path.map(String).join(".") ?? "";
  return { ok: false, code: "invalid_field", message: issue?.message ?? "The frame has the wrong form.", field };
}
