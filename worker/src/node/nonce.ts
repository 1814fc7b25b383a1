import { randomBytes } from "../ids.ts";

/** What a node keeps on its disk and says at its next hello (T3). */
export function newNonce(): string {
  return [...randomBytes(16)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
