import { existsSync } from "node:fs";
import { defineConfig } from "vitest/config";

/** Workspaces that bring their own vitest.config.ts, each a project of its own name. */
const workspaces = ["protocol", "worker", "sdk", "agentctl-remote", "dashboard"].filter((name) =>
  existsSync(new URL(`./${name}/vitest.config.ts`, import.meta.url)),
);

export default defineConfig({
  test: {
    projects: [
      ...workspaces,
      { test: { name: "scripts", root: "./scripts", include: ["**/*.test.ts"], testTimeout: 60_000 } },
      {
        test: {
          name: "e2e-tools",
          root: "./e2e",
          include: ["src/**/*.test.ts"],
          // These need the real agents, which only the e2e step installs.
          exclude: ["src/**/*.e2e.test.ts"],
          testTimeout: 60_000,
        },
      },
      {
        test: {
          name: "e2e",
          root: "./e2e",
          include: ["tests/**/*.e2e.test.ts", "src/**/*.e2e.test.ts", "../agentctl-remote/src/**/*.e2e.test.ts"],
          // Each file starts a whole system of processes; two cores carry one at a time.
          fileParallelism: false,
          // Tests that are concurrent in one file mostly wait; these many of them two cores carry.
          maxConcurrency: 4,
          testTimeout: 180_000,
          hookTimeout: 120_000,
        },
      },
    ],
  },
});
