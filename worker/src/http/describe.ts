import type { ZodType } from "zod";

/** A JSON answer in a route's description. */
export function answers<T extends ZodType>(schema: T, description: string) {
  return { content: { "application/json": { schema } }, description };
}

/** A JSON body in a route's description: always required, so that a missing one is refused. */
export function takes<T extends ZodType>(schema: T) {
  return { content: { "application/json": { schema } }, required: true as const };
}
