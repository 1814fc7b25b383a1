import type { Page } from "playwright-core";
import { until } from "../processes.ts";
import { TerminalOnPage } from "./on-page.ts";

/** What the agent's terminal on a page shows, line by line. */
export function screenOf(page: Page): Promise<string> {
  return TerminalOnPage.agent(page).screen();
}

export function shows(page: Page, text: string | RegExp, ms?: number): Promise<void> {
  return TerminalOnPage.agent(page).shows(text, ms);
}

/** Types as a person does who looks at it. */
export async function types(page: Page, text: string): Promise<void> {
  const terminal = TerminalOnPage.agent(page);
  await terminal.takesKeys();
  await terminal.focus();
  await page.keyboard.type(text);
  // A terminal UI takes a newline that comes with the words for one of the paste's.
  await terminal.shows(text.slice(0, 40));
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
