import type { ErrorCode } from "@reprise/protocol";

/** An answer that crosses an object's RPC border: exceptions lose their class there, codes don't. */
export type Result<T = unknown> =
  | ({ ok: true } & T)
  | { ok: false; error: { code: ErrorCode; message: string; details?: Record<string, unknown> } };
