import type { Env } from "../env.ts";

/** The deployed version's id; `dev` where there is none. */
export function buildVersion(env: Env): string {
  return env.VERSION?.id || "dev";
}
