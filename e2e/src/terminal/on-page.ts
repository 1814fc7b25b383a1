import type { Locator, Page } from "playwright-core";
import { until } from "../processes.ts";

/** A terminal on a page, as a person sees it and types into it. Its words can be read where no card draws them. */
export class TerminalOnPage {
  readonly page: Page;
  readonly box: Locator;
  readonly #ready: Locator;

  private constructor(page: Page, testId: string, ready: string) {
    this.page = page;
    this.box = page.getByTestId(testId);
    this.#ready = page.locator(`[data-testid="${testId}"]${ready}`);
  }

  /** The session's shell, opened. */
  static async shell(page: Page): Promise<TerminalOnPage> {
    await page.getByRole("tab", { name: /^Shell/ }).click();
    const shell = new TerminalOnPage(page, "shell", '[data-phase="attached"]');
    await shell.takesKeys();
    return shell;
  }

  /** The agent's own, or the shell's that is left of it. */
  static agent(page: Page): TerminalOnPage {
    return new TerminalOnPage(page, "agent-terminal", '[data-screen="live"]');
  }

  /** Its look says so, too (C28). */
  takesKeys(): Promise<void> {
    return this.#ready.waitFor();
  }

  /** What it shows, line by line. */
  async screen(): Promise<string> {
    const lines = await this.box.locator(".xterm-rows > div").allInnerTexts();
    return lines.map((line) => line.replaceAll("\u00a0", " ")).join("\n");
  }

  /** Lines that are this and nothing else. */
  async lines(line: string): Promise<number> {
    return (await this.screen()).split("\n").filter((shown) => shown.trim() === line).length;
  }

  /** A point within the words that a line of it begins with. */
  async placeOf(words: string): Promise<{ x: number; y: number }> {
    const line = this.box.locator(".xterm-rows > div", { hasText: new RegExp(`^${words}`) });
    const box = await line.boundingBox();
    if (box === null) throw new Error(`the terminal shows no ${words}`);
    return { x: box.x + 20, y: box.y + box.height / 2 };
  }

  async shows(text: string | RegExp, ms = 30_000): Promise<void> {
    let last = "";
    const is = () => (typeof text === "string" ? last.includes(text) : text.test(last));
    try {
      await until(
        async () => {
          last = await this.screen();
          return is();
        },
        { what: `the terminal to show ${text}`, ms },
      );
    } catch (error) {
      throw new Error(`${String(error)}\n${last}`);
    }
  }

  async focus(): Promise<void> {
    await this.box.locator(".xterm-helper-textarea").focus();
  }

  /** Types a line as a person does, and waits for what it prints. */
  async types(line: string, prints: string): Promise<void> {
    await this.takesKeys();
    await this.focus();
    await this.page.keyboard.type(`${line}\n`);
    await this.shows(prints);
  }
}
