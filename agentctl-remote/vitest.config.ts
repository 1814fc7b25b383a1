import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    name: "agentctl",
    include: ["src/**/*.test.ts"],
    // These need an engine of Docker, which only the e2e step provides.
    exclude: ["src/**/*.e2e.test.ts"],
    // A time limit is no assertion: on two busy cores anything may take long; what hangs is told all the same.
    testTimeout: 60_000,
  },
});
