import { defineConfig } from "drizzle-kit";

/** Run from the root: `drizzle-kit generate --config worker/drizzle.config.ts`. */
export default defineConfig({
  dialect: "sqlite",
  schema: ["./worker/src/db/schema.ts", "./worker/src/db/schema-config.ts"],
  out: "./drizzle",
});
