import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    name: "sdk",
    include: ["src/**/*.test.ts"],
    // A time limit is no assertion: on two busy cores anything may take long; what hangs is told all the same.
    testTimeout: 60_000,
  },
});
