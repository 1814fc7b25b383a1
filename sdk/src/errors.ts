import type { ErrorCode } from "@reprise/protocol";

/** What went wrong: the server's own code, or one of two that only a client can know. */
export type ApiErrorCode = ErrorCode | "unreachable" | "bad_answer" | (string & {});

/** Every failed call ends in one of these. `status` is 0 when no answer came. */
export class ApiError extends Error {
  readonly status: number;
  readonly code: ApiErrorCode;
  readonly details: Readonly<Record<string, unknown>> | undefined;
  constructor(
    status: number,
    code: ApiErrorCode,
    message: string,
    details?: Readonly<Record<string, unknown>>,
    options?: ErrorOptions,
  ) {
    super(message, options);
    this.name = "ApiError";
    this.status = status;
    this.code = code;
    this.details = details;
  }
}

/** Whether an error is an answer that will not change by asking again: signed out, forbidden, not there. */
export function isFinal(error: unknown): error is ApiError {
  return error instanceof ApiError && [401, 403, 404].includes(error.status);
}
