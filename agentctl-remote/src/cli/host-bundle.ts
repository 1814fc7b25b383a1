import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** Where the host program lies: beside the built agentctl, or in `dist` when this runs from source. */
export function hostBundle(): string {
  const given = process.env["REPRISE_HOST_BUNDLE"];
  if (given) return given;
  const beside = fileURLToPath(new URL("./host.mjs", import.meta.url));
  return existsSync(beside) ? beside : fileURLToPath(new URL("../../dist/host.mjs", import.meta.url));
}
