import { findNodeAtLocation, getNodeValue, type Node, type ParseError, parseTree } from "jsonc-parser";
import { z } from "zod";
import { isOurs } from "./command.ts";
import { appendTo, type Insertion, removeFrom } from "./text-edits.ts";

/** A hook as Claude Code and Gemini CLI have it in their settings. */
export interface HookEntry {
  type: "command";
  command: string;
  timeout: number;
  name?: string;
}

/** What was put into a text, newest first: taken out in this order, the text is byte for byte what it was. */
export const Inserted = z.array(z.object({ offset: z.number().int(), length: z.number().int() }));
export type Inserted = z.infer<typeof Inserted>;

/** Settings that aren't what their agent would understand: they stay as they are. */
export class SettingsNotUnderstood extends Error {}

/** @throws SettingsNotUnderstood */
export function settingsOf(text: string): unknown {
  return getNodeValue(treeOf(text));
}

/** Do the settings hold our hook for exactly these events, as it should be? */
export function hasHooks(text: string, events: readonly string[], entry: HookEntry): boolean {
  const found = ourHooks(treeOf(text));
  const right = found.every(({ value }) => JSON.stringify(value) === JSON.stringify(entry));
  const named = new Set(found.map(({ event }) => event));
  return right && found.length === events.length && events.every((event) => named.has(event));
}

/** Does anything of ours stand in them? */
export function hasAnyHooks(text: string): boolean {
  return ourHooks(treeOf(text)).length > 0;
}

/** Put our hook in for each event; nothing else of the text changes. @param text without our hooks */
export function insertHooks(text: string, events: readonly string[], entry: HookEntry) {
  const inserted: Inserted = [];
  let now = text;
  for (const event of events)
    for (const piece of piecesFor(now, event, { hooks: [entry] })) {
      now = now.slice(0, piece.offset) + piece.text + now.slice(piece.offset);
      inserted.unshift({ offset: piece.offset, length: piece.text.length });
    }
  if (!hasHooks(now, events, entry)) throw new SettingsNotUnderstood("They have a form that can't be added to.");
  return { text: now, inserted };
}

/** Undo insertions into the very text that they made. */
export function takeOut(text: string, inserted: Inserted): string {
  return inserted.reduce((now, { offset, length }) => now.slice(0, offset) + now.slice(offset + length), text);
}

/** Remove our hooks from a text that may have changed since, and what would be left empty by that. */
export function removeHooks(text: string): string {
  for (let now = text; ; ) {
    const ours = ourHooks(treeOf(now))[0];
    if (!ours) return now;
    const { container, node } = ours.lineage.find(({ container }) => (container.children?.length ?? 0) > 1) ?? ours.top;
    now = removeFrom(now, container, node);
  }
}

function piecesFor(text: string, event: string, group: unknown): Insertion[] {
  const root = treeOf(text);
  const hooks = findNodeAtLocation(root, ["hooks"]);
  const list = findNodeAtLocation(root, ["hooks", event]);
  if (!hooks) return appendTo(text, root, { [event]: [group] }, "hooks");
  if (hooks.type !== "object" || (list && list.type !== "array"))
    throw new SettingsNotUnderstood("Their hooks have a form that isn't known.");
  return list ? appendTo(text, list, group) : appendTo(text, hooks, [group], event);
}

/** Something in a container that can be taken out of it. */
interface Place {
  container: Node;
  node: Node;
}
interface OurHook {
  event: string;
  value: unknown;
  /** From the hook itself outward: what could be taken out to remove it. */
  lineage: Place[];
  top: Place;
}

function ourHooks(root: Node): OurHook[] {
  const hooks = findNodeAtLocation(root, ["hooks"]);
  const top = hooks?.parent;
  if (!hooks || !top || hooks.type !== "object") return [];
  return (hooks.children ?? []).flatMap((property) => {
    const [name, list] = property.children ?? [];
    return groupsOf(list).flatMap(({ group, inner }) =>
      (inner.children ?? []).flatMap((hook): OurHook[] => {
        const value: unknown = getNodeValue(hook);
        if (!list || !isOurs(findNodeAtLocation(hook, ["command"])?.value)) return [];
        return [
          {
            event: String(name?.value),
            value,
            lineage: [
              { container: inner, node: hook },
              { container: list, node: group },
              { container: hooks, node: property },
            ],
            top: { container: root, node: top },
          },
        ];
      }),
    );
  });
}

function groupsOf(list: Node | undefined): { group: Node; inner: Node }[] {
  if (list?.type !== "array") return [];
  return (list.children ?? []).flatMap((group) => {
    const inner = findNodeAtLocation(group, ["hooks"]);
    return inner?.type === "array" ? [{ group, inner }] : [];
  });
}

function treeOf(text: string): Node {
  const errors: ParseError[] = [];
  const root = parseTree(text, errors, { allowTrailingComma: true });
  if (root?.type !== "object" || errors.length > 0) throw new SettingsNotUnderstood("They aren't valid JSON.");
  return root;
}
