import type { WebglAddon } from "@xterm/addon-webgl";
import type { Terminal } from "@xterm/xterm";
import { withNonce } from "./page-policy.ts";

/** What draws by the graphics card. */
export type Card = typeof WebglAddon;

/** Fetched where there is a card. A renderer in software is slower than the terminal's own, which stays then. */
export async function loadCard(): Promise<Card | null> {
  const probe = document.createElement("canvas").getContext("webgl2", { failIfMajorPerformanceCaveat: true });
  if (probe === null) return null;
  const told = probe.getExtension("WEBGL_debug_renderer_info")?.UNMASKED_RENDERER_WEBGL ?? probe.RENDERER;
  const renderer = String(probe.getParameter(told));
  // A page has few contexts: this one has told all that it can.
  probe.getExtension("WEBGL_lose_context")?.loseContext();
  if (isSoftware(renderer)) return null;
  try {
    return (await import("@xterm/addon-webgl")).WebglAddon;
  } catch (error) {
    console.warn("The terminal is drawn without the graphics card: what does it could not be loaded.", error);
    return null;
  }
}

/** What browsers that have no card call what they draw with instead. */
export function isSoftware(renderer: string): boolean {
  return /swiftshader|llvmpipe|softpipe|software|basic render/i.test(renderer);
}

/** The terminal's own renderer comes back when the card takes its context away: a sleep, a driver's restart, many tabs. */
export function drawByCard(terminal: Terminal, Addon: Card): void {
  const addon = new Addon();
  addon.onContextLoss(() => withNonce(() => addon.dispose()));
  try {
    terminal.loadAddon(addon);
  } catch (error) {
    console.warn("The terminal is drawn without the graphics card: it does not take it.", error);
    withNonce(() => addon.dispose());
  }
}
