import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { CDPSession, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { complaints, System, scriptedAgent, TerminalOnPage, until } from "../src/index.ts";

/** Puts a text where a person has copied it to, and pastes it by the keys. */
async function pastes(page: Page, text: string): Promise<void> {
  await page.evaluate((copied) => navigator.clipboard.writeText(copied), text);
  await page.keyboard.press("ControlOrMeta+v");
}

const clipboard = (page: Page) => page.evaluate(() => navigator.clipboard.readText());

/** What a page has run so far, and its bytes on the wire. */
function scripts(page: Page): Promise<{ name: string; bytes: number }[]> {
  return page.evaluate(() =>
    performance.getEntriesByType("resource").flatMap((entry) => {
      if (!(entry instanceof PerformanceResourceTiming) || !entry.name.endsWith(".js")) return [];
      return [{ name: entry.name, bytes: entry.encodedBodySize }];
    }),
  );
}

/** A finger that moves over the middle of the page, upwards where `y` is below zero. */
async function drags(cdp: CDPSession, y: number): Promise<void> {
  const steps = 10;
  const at = (step: number) => [{ x: 180, y: 400 + (y * step) / steps }];
  await cdp.send("Input.dispatchTouchEvent", { type: "touchStart", touchPoints: at(0) });
  for (let step = 1; step <= steps; step++)
    await cdp.send("Input.dispatchTouchEvent", { type: "touchMove", touchPoints: at(step) });
  await cdp.send("Input.dispatchTouchEvent", { type: "touchEnd", touchPoints: [] });
}

describe("A terminal on the page is a real one", () => {
  let system: System;
  let agent: string;
  let work: string;
  beforeAll(async () => {
    system = await System.start({ nodeEnv: { SHELL: "/bin/sh", PS1: "$ ", ENV: "" } });
    work = system.folder("work");
    ({ id: agent } = (await scriptedAgent(system, "plain")).profile);
  });
  afterAll(() => system?.end());

  async function session(): Promise<string> {
    const { session_id } = await system.client.sessions.create({
      node_id: system.node.nodeId,
      agent_profile_id: agent,
      cwd: work,
      prompt: "echo hi",
    });
    await system.untilYourTurn(session_id);
    return session_id;
  }

  /** A session of its own, and its shell, as a person has it. */
  async function opened(options: Parameters<System["person"]>[0] = {}, before?: (page: Page) => Promise<unknown>) {
    const session_id = await session();
    const page = await system.person(options);
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    await before?.(page);
    const wrong = complaints(page);
    await system.open(page, session_id);
    const shell = await TerminalOnPage.shell(page);
    return { page, shell, wrong };
  }

  it("§7: is fetched only when it is opened, and what comes before it stays within its budget", async () => {
    const page = await system.person();
    await system.open(page, await session());
    await page.getByRole("textbox", { name: "Prompt" }).waitFor();
    const before = await scripts(page);
    expect(before.length).toBeGreaterThan(0);
    expect(before.reduce((sum, { bytes }) => sum + bytes, 0)).toBeLessThan(250 * 1024);
    await TerminalOnPage.shell(page);
    expect((await scripts(page)).length).toBeGreaterThan(before.length);
  });

  it("finds words, also in what has scrolled away, and gives the keyboard back", async () => {
    const { page, shell, wrong } = await opened();
    await shell.types("clear; for i in $(seq 1 200); do echo needle-$((i*1000)); done; echo end-$((40+2))", "end-42");
    await page.keyboard.press("Control+f");
    await page.keyboard.type("needle-77000");
    await page.getByText("1 of 1", { exact: true }).waitFor();
    await shell.shows("needle-77000");
    await page.keyboard.press("ControlOrMeta+a");
    await page.keyboard.type("needle-1");
    const count = page.getByText(/^\d+ of 111$/);
    await count.waitFor();
    const first = (await count.textContent()) ?? "";
    await page.keyboard.press("Shift+Enter");
    await until(async () => (await count.textContent()) !== first, { what: "another match" });
    await page.keyboard.press("Enter");
    await page.getByText(first, { exact: true }).waitFor();
    await page.keyboard.press("Escape");
    await page.keyboard.type("echo back-$((1+1))\n");
    await shell.shows("back-2");
    expect(wrong).toEqual([]);
  });

  it("S5: the page's policy takes no colour from a program that mixes its own", async () => {
    const { shell, wrong } = await opened();
    await shell.types("clear; printf '\\033[38;2;10;80;160mmixed\\033[0m plain\\n'", "mixed plain");
    const colour = await shell.box
      .locator(".xterm-rows span", { hasText: /^mixed$/ })
      .evaluate((span) => getComputedStyle(span).color);
    expect(colour).toBe("rgb(10, 80, 160)");
    expect(wrong).toEqual([]);
  });

  it("S5: a paste is one piece, and can't end its own bracket", async () => {
    const { page, shell } = await opened();
    await shell.types("clear; printf '\\033[?2004h'; echo ready-$((1+1)); cat -v", "ready-2");
    await pastes(page, "one\x1b[201~; echo two\nthree");
    await shell.shows("^[[200~one[201~; echo two");
    await page.keyboard.press("Enter");
    await shell.shows("three^[[201~");
    await page.keyboard.press("Control+c");
    await shell.types("printf '\\033[?2004l'; echo plain-$((1+1))", "plain-2");
  });

  it("Ctrl-C copies what is selected, and interrupts the next time", async () => {
    const { page, shell } = await opened();
    await shell.types("clear; echo copy''-me; sleep 1000", "copy-me");
    const word = await shell.placeOf("copy-me");
    await page.mouse.dblclick(word.x, word.y);
    await page.keyboard.press("Control+c");
    await until(async () => (await clipboard(page)) === "copy-me", { what: "the word in the clipboard" });
    await page.keyboard.press("Control+c");
    await shell.types("echo on-$((1+1))", "on-2");
  });

  it("S5: a link leads to the web only, says where, and opens a page that can't reach this one", async () => {
    const { page, shell } = await opened();
    const health = `${system.controlPlane.origin}/api/health`;
    const link = (uri: string, words: string) => `\x1b]8;;${uri}\x1b\\${words}\x1b]8;;\x1b\\\n`;
    writeFileSync(join(work, "links"), link(health, "good-link") + link("javascript:alert(1)", "bad-link"));
    await shell.types("clear; cat links; echo shown-$((1+1))", "shown-2");
    const [good, bad] = [await shell.placeOf("good-link"), await shell.placeOf("bad-link")];
    const hint = page.getByRole("tooltip");

    await page.mouse.move(bad.x, bad.y);
    await page.mouse.move(good.x, good.y);
    await hint.getByText(health).waitFor();
    await page.mouse.click(good.x, good.y);
    await page.keyboard.down("ControlOrMeta");
    const popup = page.context().waitForEvent("page");
    await page.mouse.click(good.x, good.y);
    const opens = await popup;
    await opens.waitForURL(health);
    expect(await opens.evaluate(() => window.opener)).toBeNull();
    await page.mouse.move(bad.x, bad.y);
    await hint.waitFor({ state: "detached" });
    await page.mouse.click(bad.x, bad.y);
    await page.keyboard.up("ControlOrMeta");
    await shell.types("echo still-$((1+1))", "still-2");
    expect(page.context().pages()).toHaveLength(2);
  });

  it("is drawn by the graphics card where there is one, and goes on without it when that is taken away", async () => {
    const { page, shell, wrong } = await opened({}, (fresh) =>
      fresh.addInitScript(() => {
        // This browser's card is software, which the page would leave alone.
        const get = WebGL2RenderingContext.prototype.getParameter;
        WebGL2RenderingContext.prototype.getParameter = function (this: WebGL2RenderingContext, name: number) {
          const told = get.call(this, name);
          return typeof told === "string" && /swiftshader/i.test(told) ? "A card" : told;
        };
      }),
    );
    await shell.box.locator("canvas").first().waitFor();
    expect(await shell.box.locator(".xterm-rows").count()).toBe(0);
    await shell.focus();
    await page.keyboard.type("clear; echo drawn-$((1+1))\n");
    await page.evaluate(() => {
      for (const canvas of document.querySelectorAll("canvas"))
        canvas.getContext("webgl2")?.getExtension("WEBGL_lose_context")?.loseContext();
    });
    await shell.shows("drawn-2");
    await shell.types("echo on-$((1+2))", "on-3");
    expect(wrong.filter((each) => !/WebGL|CONTEXT_LOST/.test(each))).toEqual([]);
  });

  it("on a phone: keys that its keyboard lacks, a Ctrl that waits for the next one, and a finger that scrolls", async () => {
    const { page, shell, wrong } = await opened({ device: "phone" });
    const keys = page.getByRole("toolbar", { name: "Keys" });
    await shell.types("clear; for i in $(seq 1 200); do echo line-$i; done; sleep 1000", "line-200");
    await keys.getByRole("button", { name: "Ctrl" }).tap();
    expect(await keys.getByRole("button", { name: "Ctrl" }).getAttribute("aria-pressed")).toBe("true");
    await page.keyboard.type("c");
    expect(await keys.getByRole("button", { name: "Ctrl" }).getAttribute("aria-pressed")).toBe("false");
    await shell.types("stty -echo; cat -v", "cat -v");
    for (const name of ["Up", "Escape", "Shift Tab"]) await keys.getByRole("button", { name, exact: true }).tap();
    await page.keyboard.press("Enter");
    await shell.shows("^[[A^[^[[Z");
    await keys.getByRole("button", { name: "Ctrl" }).tap();
    await page.keyboard.type("c");
    await shell.types("stty echo; echo here-$((1+1))", "here-2");

    const cdp = await page.context().newCDPSession(page);
    await drags(cdp, 300);
    await until(async () => !(await shell.screen()).includes("here-2"), { what: "the end to scroll away" });
    await drags(cdp, -300);
    await drags(cdp, -300);
    await shell.shows("here-2");

    const size = await shell.box.locator(".xterm-helper-textarea").evaluate((box) => getComputedStyle(box).fontSize);
    expect(Number.parseFloat(size), "a phone zooms to a field with smaller letters").toBeGreaterThanOrEqual(16);
    expect(wrong).toEqual([]);
  });
});
