import { accessSync, constants, mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { type Browser, type BrowserContext, chromium, type Page } from "playwright-core";
import { BROWSER_WAIT_MS } from "./limits.ts";

const NAMES = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];

/** Quiet on the network, and able to run as root in a container. */
const FLAGS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  "--no-first-run",
  "--disable-dev-shm-usage",
];

/** The sizes in which every page is looked at. */
export const VIEWPORTS = {
  desk: { width: 1280, height: 800 },
  phone: { width: 390, height: 844 },
} as const;

export type Device = keyof typeof VIEWPORTS;
export type Scheme = "light" | "dark";

/** The path of the system's Chromium: the path or command in `CHROMIUM`, or one on PATH under its usual names. */
export function findChromium(env: NodeJS.ProcessEnv = process.env): string {
  const wanted = env.CHROMIUM ? [env.CHROMIUM] : NAMES;
  const found = wanted.flatMap((name) => placesOf(name, env)).find(isExecutable);
  if (found === undefined) {
    throw new Error(`no Chromium called ${wanted.join(", ")}: install it (apt-get install chromium) or set CHROMIUM`);
  }
  return found;
}

function placesOf(name: string, env: NodeJS.ProcessEnv): string[] {
  if (name.includes("/")) return [name];
  return (env.PATH ?? "").split(":").map((folder) => join(folder, name));
}

/** Starts Chromium; the caller closes it. */
export function launchBrowser(): Promise<Browser> {
  return chromium.launch({ executablePath: findChromium(), args: FLAGS });
}

/** A person with cookies of their own: two of them are two people, or one in two browsers. */
export async function newPerson(
  browser: Browser,
  { device = "desk", scheme = "light" }: { device?: Device; scheme?: Scheme } = {},
): Promise<BrowserContext> {
  const phone = device === "phone";
  const context = await browser.newContext({
    viewport: VIEWPORTS[device],
    colorScheme: scheme,
    reducedMotion: "reduce",
    ...(phone && { isMobile: true, hasTouch: true }),
  });
  context.setDefaultTimeout(BROWSER_WAIT_MS);
  return context;
}

/** What a page complained about: a test asserts that it is empty. */
export function complaints(page: Page): string[] {
  const found: string[] = [];
  page.on("pageerror", (error) => found.push(`error: ${error.message}`));
  page.on("console", (message) => {
    if (message.type() === "error") found.push(`console: ${message.text()}`);
  });
  return found;
}

/** Saves a screenshot, in the page's present size and scheme. */
export async function screenshot(page: Page, file: string): Promise<void> {
  mkdirSync(dirname(file), { recursive: true });
  // Half-loaded fonts and half-run transitions would make every picture another one.
  await page.evaluate(() => document.fonts.ready.then(() => undefined));
  await page.screenshot({ path: file, animations: "disabled", caret: "hide" });
}

/** Saves the page in both schemes and both sizes: `NAME-desk-light.png` and so on; leaves it as it was. */
export async function screenshots(page: Page, folder: string, name: string): Promise<string[]> {
  const before = page.viewportSize();
  const files: string[] = [];
  for (const device of ["desk", "phone"] as const) {
    await page.setViewportSize(VIEWPORTS[device]);
    for (const scheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme: scheme });
      const file = `${folder}/${name}-${device}-${scheme}.png`;
      await screenshot(page, file);
      files.push(file);
    }
  }
  await page.emulateMedia({ colorScheme: null });
  if (before) await page.setViewportSize(before);
  return files;
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    // Not there, or not ours to run: either way the next place is tried, and the caller says so if all fail.
    return false;
  }
}
