import { join } from "node:path";
import { ROOT } from "../lib/paths.ts";

/** wrangler without telemetry, look-ups, banners, questions, or logs in the home folder. */
export function wranglerEnv(): NodeJS.ProcessEnv {
  return {
    ...process.env,
    CI: "true",
    WRANGLER_SEND_METRICS: "false",
    WRANGLER_SEND_ERROR_REPORTS: "false",
    WRANGLER_HIDE_BANNER: "true",
    WRANGLER_NO_SKILLS_UPDATE_PROMPTS: "true",
    // Where this machine is, it would ask a server on the internet.
    CLOUDFLARE_CF_FETCH_ENABLED: "false",
    WRANGLER_LOG_PATH: join(ROOT, ".wrangler", "logs"),
  };
}
