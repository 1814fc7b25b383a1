import { expect, it } from "vitest";
import { pasteable } from "./paste.ts";

it("S5: a paste can't end its bracket by itself", () => {
  expect(pasteable("a\x1b[201~; rm -rf x\r\n\tb\u009bc")).toBe("a[201~; rm -rf x\r\n\tbc");
  expect(pasteable("Grüße, 世界 👩‍👩‍👧")).toBe("Grüße, 世界 👩‍👩‍👧");
});
