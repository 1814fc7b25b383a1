import { mkdtempSync, rmSync } from "node:fs";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { whySilent } from "./silence.ts";

const folder = mkdtempSync(join(tmpdir(), "reprise-silence-"));
afterAll(() => rmSync(folder, { recursive: true }));

it("T4: a socket that isn't there is said in words, not in the system's", async () => {
  const error = await new Promise<unknown>((resolve) => {
    request({ socketPath: join(folder, "docker.sock") })
      .on("error", resolve)
      .end();
  });
  expect(whySilent(error)).toBe("there is no such socket; is Docker running?");
});

it("T4: what has no words of ours keeps its own", () => {
  expect(whySilent(new Error("socket hang up"))).toBe("socket hang up");
  expect(whySilent("gone")).toBe("gone");
});
