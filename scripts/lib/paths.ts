import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** The checkout's root folder. */
export const ROOT = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

/** A tool of node_modules/.bin. */
export function bin(name: string): string {
  return join(ROOT, "node_modules", ".bin", name);
}
