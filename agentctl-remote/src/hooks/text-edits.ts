import { createScanner, type Node } from "jsonc-parser";

/** A piece that was put into a text. */
export interface Insertion {
  offset: number;
  text: string;
}

/** How a text is laid out: what a piece that is put into it must look like. */
interface Layout {
  eol: string;
  unit: string;
}

function layoutOf(text: string): Layout {
  return { eol: text.includes("\r\n") ? "\r\n" : "\n", unit: /^([ \t]+)\S/m.exec(text)?.[1] ?? "  " };
}

const endOf = (node: Node) => node.offset + node.length;

/**
 * What puts one more property or element at the end of an object or array, in the way the text is written. Nothing
 * that is there changes, comments and a trailing comma stay where they are.
 * @param name of a property
 */
export function appendTo(text: string, container: Node, value: unknown, name?: string): Insertion[] {
  const closer = endOf(container) - 1;
  const last = container.children?.at(-1);
  const compact = last !== undefined && !text.slice(container.offset, closer).includes("\n");
  const { eol, unit } = layoutOf(text);
  const inner = last && !compact ? indentAt(text, last.offset) : `${indentAt(text, container.offset)}${unit}`;
  const key = name === undefined ? "" : `${JSON.stringify(name)}:${compact ? "" : " "}`;
  const json = JSON.stringify(value, null, compact ? undefined : unit).replaceAll("\n", `${eol}${inner}`);
  if (last === undefined) {
    const rest = text.slice(container.offset + 1, closer);
    const close = rest.includes("\n") ? "" : `${eol}${indentAt(text, container.offset)}`;
    const offset = container.offset + 1 + rest.trimEnd().length;
    return [{ offset, text: `${eol}${inner}${key}${json}${close}` }];
  }
  const comma = commaIn(text, endOf(last), closer);
  const offset = text.slice(0, closer).trimEnd().length;
  const piece = `${compact ? "" : `${eol}${inner}`}${key}${json}`;
  if (comma !== null) return [{ offset, text: piece }];
  // From the back, so that the first offset holds when the second piece is in.
  return [
    { offset, text: piece },
    { offset: endOf(last), text: "," },
  ];
}

/** The text without one property or element, its comma and its line; comments stay. @param node a child of container */
export function removeFrom(text: string, container: Node, node: Node): string {
  const children = container.children ?? [];
  const at = children.indexOf(node);
  const [before, after] = [children[at - 1], children[at + 1]];
  const next = commaIn(text, endOf(node), after?.offset ?? endOf(container) - 1);
  const previous = next === null && before ? commaIn(text, endOf(before), node.offset) : null;
  const end = next === null ? endOf(node) : next + 1;
  const between = text.slice(endOf(node), next ?? endOf(node));
  const rest = between + text.slice(end);
  const start = startOfLine(text, node.offset, rest);
  if (previous === null) return text.slice(0, start) + rest;
  return text.slice(0, previous) + text.slice(previous + 1, start) + rest;
}

/** The white space before it goes with it, unless a line comment would then swallow what follows. */
function startOfLine(text: string, offset: number, rest: string): number {
  const start = text.slice(0, offset).trimEnd().length;
  const breaks = text.slice(start, offset).includes("\n");
  return !breaks || /^[ \t]*(\r?\n|$)/.test(rest) ? start : offset;
}

/** Where the comma between two places is; comments may hold commas, too. */
function commaIn(text: string, from: number, to: number): number | null {
  const piece = text.slice(from, to);
  const scanner = createScanner(piece, true);
  do {
    scanner.scan();
    if (piece[scanner.getTokenOffset()] === ",") return from + scanner.getTokenOffset();
  } while (scanner.getTokenLength() > 0);
  return null;
}

/** The white space that the line of that place begins with. */
function indentAt(text: string, offset: number): string {
  const line = text.slice(text.lastIndexOf("\n", offset - 1) + 1, offset);
  return /^[ \t]*/.exec(line)?.[0] ?? "";
}
