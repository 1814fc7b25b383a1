import { Lexer, type MarkedToken, type Token } from "marked";

const KNOWN: ReadonlySet<string> = new Set<MarkedToken["type"]>([
  "blockquote",
  "br",
  "checkbox",
  "code",
  "codespan",
  "def",
  "del",
  "em",
  "escape",
  "heading",
  "hr",
  "html",
  "image",
  "link",
  "list",
  "list_item",
  "paragraph",
  "space",
  "strong",
  "table",
  "text",
]);

/** A token of the grammar's own; extensions, which we have none of, could bring others. */
export function isKnown(token: Token): token is MarkedToken {
  return KNOWN.has(token.type);
}

/** Reads markdown (GitHub's kind) into tokens. Nothing is turned into HTML on the way. */
export function readMarkdown(text: string): MarkedToken[] {
  return new Lexer({ gfm: true }).lex(text).filter(isKnown);
}

/** Where an agent's link may lead (S5). Anything else is shown as text. */
const SAFE: ReadonlySet<string> = new Set(["http:", "https:", "mailto:"]);

/** @returns the address if it is whole and harmless, else null: a relative path would lead into our own pages */
export function safeHref(href: string): string | null {
  try {
    const url = new URL(href);
    return SAFE.has(url.protocol) ? url.href : null;
  } catch {
    // No whole address: a path of the agent's machine, most often.
    return null;
  }
}

const NAMED: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'", nbsp: "\u00a0" };

/** Character references as the characters that they name; unknown ones stay as they are written. */
export function unescapeText(text: string): string {
  if (!text.includes("&")) return text;
  return text.replaceAll(/&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|(\w+));/gi, (whole, decimal, hex, name) => {
    if (name !== undefined) return NAMED[String(name)] ?? whole;
    const code = decimal === undefined ? Number.parseInt(String(hex), 16) : Number(decimal);
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : whole;
  });
}
