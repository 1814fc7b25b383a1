import { defineConfig } from "vitest/config";

export default defineConfig({
  test: { name: "agentctl", include: ["src/**/*.test.ts"] },
});
