import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { expect, it } from "vitest";
import { complaints, findChromium, launchBrowser, newPerson, screenshots } from "./browser.ts";

it("takes screenshots in both sizes and schemes, and hears complaints", async () => {
  const folder = mkdtempSync(join(tmpdir(), "reprise-shots-"));
  const browser = await launchBrowser();
  try {
    const page = await (await newPerson(browser, { scheme: "dark" })).newPage();
    const heard = complaints(page);
    await page.setContent("<title>t</title><h1>hello</h1><script>console.error('oh no')</script>");
    const files = await screenshots(page, folder, "hello");
    expect(files.map((file) => file.slice(folder.length + 1))).toEqual([
      "hello-desk-light.png",
      "hello-desk-dark.png",
      "hello-phone-light.png",
      "hello-phone-dark.png",
    ]);
    for (const file of files) expect(statSync(file).size).toBeGreaterThan(500);
    expect(heard).toEqual(["console: oh no"]);
  } finally {
    await browser.close();
    rmSync(folder, { recursive: true });
  }
});

it("says what to install where there is no Chromium", () => {
  expect(() => findChromium({ CHROMIUM: "/no/chromium" })).toThrow("no Chromium called /no/chromium");
});

it("takes a path or a command on PATH, as the test runner's search gives it", () => {
  const path = findChromium();
  expect(findChromium({ CHROMIUM: path })).toBe(path);
  expect(findChromium({ CHROMIUM: basename(path), PATH: dirname(path) })).toBe(path);
});
