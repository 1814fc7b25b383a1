import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { z } from "zod";

const read = (path: string) => readFileSync(new URL(path, import.meta.url), "utf8");

it("a machine that joins fetches the native part of the very version that its programs were built with", () => {
  const { dependencies } = z
    .object({ dependencies: z.record(z.string(), z.string()) })
    .parse(JSON.parse(read("../../package.json")));
  expect(read("../../join.sh")).toContain(`"@lydell/node-pty-$platform@${dependencies["@lydell/node-pty"]}"`);
});
