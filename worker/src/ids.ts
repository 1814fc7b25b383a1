import { type IdKind, newId } from "@reprise/protocol";

/** Random bytes of the platform; cores get them passed in. */
export function randomBytes(count: number): Uint8Array {
  return crypto.getRandomValues(new Uint8Array(count));
}

/** A fresh id of that kind. */
export function makeId(kind: IdKind): string {
  return newId(kind, randomBytes);
}
