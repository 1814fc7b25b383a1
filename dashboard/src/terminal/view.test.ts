import { expect, it } from "vitest";
import { createView, typed } from "./view.ts";

it("the bar's Ctrl goes to the next key that is typed, and to no paste or report before it", () => {
  const view = createView();
  view.setState({ ctrl: "once" });
  expect(typed(view, "\x1b[I")).toBe("\x1b[I");
  expect(typed(view, "r")).toBe("\x12");
  expect(typed(view, "r")).toBe("r");
  view.setState({ ctrl: "held" });
  expect([typed(view, "a"), typed(view, "e")]).toEqual(["\x01", "\x05"]);
});
