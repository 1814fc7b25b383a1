import { applyD1Migrations, type D1Migration } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { beforeAll } from "vitest";

declare global {
  // biome-ignore lint/style/noNamespace: the platform's types are extended by declaration alone.
  namespace Cloudflare {
    interface GlobalProps {
      mainModule: typeof import("../src/index.ts");
    }
    // Only the tests' own bindings: the Worker's are typed in src/env.ts.
    interface Env {
      DB: D1Database;
      OLD_DB: D1Database;
      SESSIONS: DurableObjectNamespace;
      NODES: DurableObjectNamespace;
      FEED: DurableObjectNamespace;
      TEST_MIGRATIONS: D1Migration[];
    }
  }
}

beforeAll(async () => {
  await applyD1Migrations(env.DB, env.TEST_MIGRATIONS);
});
