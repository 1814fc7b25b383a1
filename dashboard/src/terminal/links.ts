import { WebLinksAddon } from "@xterm/addon-web-links";
import type { ILinkHandler, Terminal } from "@xterm/xterm";
import { isTouch } from "../lib/useMedia.ts";

/**
 * The one address that a link in a program's output may open (S5): of the web, as the browser reads it, so that a host
 * of look-alike letters is shown as what it is. @returns null where nothing may be opened
 */
export function webAddress(text: string): string | null {
  if (!URL.canParse(text)) return null;
  const url = new URL(text);
  // A name before the host is there to be taken for it.
  const plain = url.username === "" && url.password === "";
  return plain && (url.protocol === "http:" || url.protocol === "https:") ? url.href : null;
}

/** Where the pointer rests on a link, and what it would open. */
export interface PointedLink {
  readonly href: string;
  readonly x: number;
  readonly y: number;
}

/**
 * Links, written out or hidden behind other words. They open in a page that can't reach this one, by a click with the
 * modifier, as in other terminals: a plain click belongs to the program. A finger has no modifier.
 */
export function followLinks(terminal: Terminal, point: (link: PointedLink | null) => void): void {
  const activate = (event: MouseEvent, text: string) => {
    const href = webAddress(text);
    const meant = event.ctrlKey || event.metaKey || isTouch();
    if (href !== null && meant) window.open(href, "_blank", "noopener,noreferrer");
  };
  const hover = (event: MouseEvent, text: string) => {
    const href = webAddress(text);
    if (href !== null) point({ href, x: event.clientX, y: event.clientY });
  };
  const leave = () => point(null);
  const handler: ILinkHandler = { activate, hover, leave };
  terminal.options.linkHandler = handler;
  terminal.loadAddon(new WebLinksAddon(activate, { hover, leave }));
}
