import { fileURLToPath } from "node:url";
import { cloudflareTest, readD1Migrations } from "@cloudflare/vitest-plugin";
import { defineConfig } from "vitest/config";

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url));

export default defineConfig({
  plugins: [
    cloudflareTest(async () => ({
      wrangler: { configPath: at("../wrangler.toml") },
      miniflare: {
        // Pages are filled into this shell, so that tests need no build of the dashboard.
        assets: {
          directory: at("test/assets"),
          binding: "ASSETS",
          routerConfig: { invoke_user_worker_ahead_of_assets: true },
        },
        // A database as an older version left it.
        d1Databases: ["OLD_DB"],
        bindings: {
          SETUP_SECRET: "test-setup-secret",
          ALLOWED_HOSTS: "reprise.example",
          TEST_MIGRATIONS: await readD1Migrations(at("../drizzle")),
        },
      },
    })),
  ],
  test: {
    name: "worker",
    include: ["src/**/*.test.ts"],
    setupFiles: [at("test/setup.ts")],
    // A busy machine is no failure: what hangs is told all the same.
    testTimeout: 60_000,
  },
});
