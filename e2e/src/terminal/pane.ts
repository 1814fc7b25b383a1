import type { Page } from "playwright-core";
import { until } from "../processes.ts";

/** What the terminal on a page shows, line by line. */
export async function screenOf(page: Page): Promise<string> {
  return (await page.locator(".xterm-rows > div").allInnerTexts())
    .map((line) => line.replaceAll("\u00a0", " "))
    .join("\n");
}

/** It takes keys: its look says so, too. */
export async function attached(page: Page): Promise<void> {
  await page.locator('[data-testid="agent-terminal"][data-screen="live"]').waitFor();
}

export async function shows(page: Page, text: string | RegExp, ms = 30_000): Promise<void> {
  let last = "";
  const is = () => (typeof text === "string" ? last.includes(text) : text.test(last));
  try {
    await until(
      async () => {
        last = await screenOf(page);
        return is();
      },
      { what: `the terminal to show ${text}`, ms },
    );
  } catch (error) {
    throw new Error(`${String(error)}\n${last}`);
  }
}

/** Types as a person does who looks at it. */
export async function types(page: Page, text: string): Promise<void> {
  await attached(page);
  await page.locator(".xterm-helper-textarea").focus();
  await page.keyboard.type(text);
  // A terminal UI takes a newline that comes with the words for one of the paste's.
  await shows(page, text.slice(0, 40));
  await page.keyboard.press("Enter");
}

/** Its hints come and go for a while after each turn. How many looks in a row are to be the same. */
const SAME_LOOKS = 15;

/** @returns what the terminal shows once nothing on it moves any more */
export async function settled(page: Page): Promise<string> {
  let last = "";
  let same = 0;
  return await until(
    async () => {
      const now = await screenOf(page);
      same = now === last ? same + 1 : 0;
      last = now;
      return same >= SAME_LOOKS ? now : false;
    },
    { what: "the terminal to come to rest", ms: 60_000 },
  );
}
