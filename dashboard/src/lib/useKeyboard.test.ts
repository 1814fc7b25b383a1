import { expect, it } from "vitest";
import { keyboardOf } from "./useKeyboard.ts";

it("a keyboard that the page is made smaller for covers nothing; one that lies over it covers its own height", () => {
  expect(keyboardOf({ layout: 844, seen: 844, top: 0, tallest: 844 })).toEqual({ open: false, covered: 0 });
  expect(keyboardOf({ layout: 500, seen: 500, top: 0, tallest: 844 })).toEqual({ open: true, covered: 0 });
  expect(keyboardOf({ layout: 844, seen: 500, top: 0, tallest: 844 })).toEqual({ open: true, covered: 344 });
  expect(keyboardOf({ layout: 844, seen: 500, top: 60, tallest: 844 })).toEqual({ open: true, covered: 284 });
});

it("a browser's own bars are no keyboard", () => {
  expect(keyboardOf({ layout: 844, seen: 760, top: 0, tallest: 844 })).toEqual({ open: false, covered: 0 });
});
