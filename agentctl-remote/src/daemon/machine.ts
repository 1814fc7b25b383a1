import { execFileSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";

/** The machine's own id: the system's where it has one. `REPRISE_MACHINE_ID` stands in for it in tests. */
export function machineId(env: NodeJS.ProcessEnv = process.env): string {
  return env["REPRISE_MACHINE_ID"] ?? systemMachineId() ?? randomUUID();
}

function systemMachineId(): string | null {
  try {
    if (process.platform === "darwin") {
      const text = execFileSync("ioreg", ["-rd1", "-c", "IOPlatformExpertDevice"], { encoding: "utf8" });
      return /"IOPlatformUUID" = "([^"]+)"/.exec(text)?.[1] ?? null;
    }
    return readFileSync("/etc/machine-id", "utf8").trim() || null;
  } catch {
    // A system without one (a small container): an id is made, and kept in identity.json.
    return null;
  }
}
