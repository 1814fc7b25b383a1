import type { Executors } from "./executor.ts";
import { standalone } from "./standalone/executor.ts";

/** @param bundle `host.mjs` */
export function executorsOf(bundle: string): Executors {
  const here = standalone(bundle);
  return { of: () => here };
}
