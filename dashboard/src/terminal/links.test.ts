import { expect, it } from "vitest";
import { webAddress } from "./links.ts";

it("S5: a program's links lead to the web and nowhere else", () => {
  expect(webAddress("https://example.com/a?b=1")).toBe("https://example.com/a?b=1");
  expect(webAddress("http://localhost:5173")).toBe("http://localhost:5173/");
  for (const bad of ["javascript:alert(1)", "data:text/html,x", "file:///etc/passwd", "vscode://x", "example.com", ""])
    expect(webAddress(bad), bad).toBeNull();
});

it("S5: an address is shown as what it is: look-alike letters, and no name that passes for the host", () => {
  expect(webAddress("https://аpple.com/")).toBe("https://xn--pple-43d.com/");
  expect(webAddress("https://bank.example@evil.example/")).toBeNull();
});
