import type { ErrorCode } from "@reprise/protocol";

/** Why a question about a workspace has no answer, as a code and a sentence for people. */
export class WorkspaceProblem extends Error {
  readonly code: ErrorCode;
  constructor(code: ErrorCode, message: string) {
    super(message);
    this.name = "WorkspaceProblem";
    this.code = code;
  }
}
