import { type ErrorCode, RepriseError } from "@reprise/protocol";

/** An answer that crosses an object's RPC border: exceptions lose their class there, codes don't. */
export type Result<T = unknown> =
  | ({ ok: true } & T)
  | { ok: false; error: { code: ErrorCode; message: string; details?: Record<string, unknown> } };

/** @returns the answer itself. @throws the error that it holds, as one a door can answer with. */
export function unwrap<T>(result: Result<T>): { ok: true } & T {
  if (result.ok) return result;
  throw new RepriseError(result.error.code, result.error.message, result.error.details);
}
