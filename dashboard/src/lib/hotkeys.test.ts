import { expect, it } from "vitest";
import { keyName } from "./hotkeys.ts";

const press = (key: string, part: Partial<Parameters<typeof keyName>[0]> = {}) =>
  keyName({ key, metaKey: false, ctrlKey: false, shiftKey: false, altKey: false, ...part });

it("names keys as bindings do", () => {
  expect(press("j")).toBe("j");
  expect(press("K", { metaKey: true })).toBe("mod+k");
  expect(press("k", { ctrlKey: true })).toBe("mod+k");
  expect(press("Enter", { shiftKey: true })).toBe("shift+enter");
  expect(press("J", { shiftKey: true })).toBe("j");
});
