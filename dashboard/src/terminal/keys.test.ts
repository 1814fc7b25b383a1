import { expect, it } from "vitest";
import { afterKey, barBytes, tapCtrl, withCtrl } from "./keys.ts";

it("Ctrl holds for one key; tapped twice it holds until it is tapped again", () => {
  expect(tapCtrl("off")).toBe("once");
  expect(afterKey("once")).toBe("off");
  expect(tapCtrl("once")).toBe("held");
  expect(afterKey("held")).toBe("held");
  expect(tapCtrl("held")).toBe("off");
});

it("a letter with Ctrl is its control character, and a paste stays what it is", () => {
  expect(withCtrl("c", "once")).toBe("\x03");
  expect(withCtrl("D", "held")).toBe("\x04");
  expect(withCtrl("[", "once")).toBe("\x1b");
  expect(withCtrl(" ", "once")).toBe("\0");
  expect(withCtrl("?", "once")).toBe("\x7f");
  for (const same of ["cd", "é", "1", "\r"]) expect(withCtrl(same, "once")).toBe(same);
  expect(withCtrl("c", "off")).toBe("c");
});

it("arrows come in the form that the program asked for", () => {
  expect(barBytes("up", "off", false)).toBe("\x1b[A");
  expect(barBytes("up", "off", true)).toBe("\x1bOA");
  expect(barBytes("left", "once", true)).toBe("\x1b[1;5D");
  expect([barBytes("esc", "off", false), barBytes("tab", "off", false), barBytes("shift_tab", "off", false)]).toEqual([
    "\x1b",
    "\t",
    "\x1b[Z",
  ]);
});
