import type { HookPlace } from "./agents.ts";
import type { Made, Note } from "./note.ts";
import {
  FileProblem,
  type PersonFile,
  readPersonFile,
  removePersonFile,
  replacePersonFile,
  sha256,
} from "./person-file.ts";
import {
  hasAnyHooks,
  hasHooks,
  insertHooks,
  removeHooks,
  SettingsNotUnderstood,
  settingsOf,
  takeOut,
} from "./settings-text.ts";

type SettingsPlace = Extract<HookPlace, { in: "settings" }>;

/** What stands for settings that aren't there yet. */
const EMPTY = "{}\n";

/** @throws FileProblem */
export function settingsHaveHooks(path: string, place: SettingsPlace): boolean {
  const text = settingsIn(readPersonFile(path).text);
  return text !== null && understood(path, () => hasHooks(text, place.events, place.entry));
}

/** Put our hooks into settings, unless they are there. @throws FileProblem, and nothing is changed */
export function hookSettings(path: string, agentKind: string, place: SettingsPlace, note: Note): void {
  const file = readPersonFile(path);
  const settings = settingsIn(file.text);
  const present = settings ?? EMPTY;
  const made = note.made(path);
  understood(path, () => {
    if (place.disabled.safeParse(settingsOf(present)).success)
      throw new FileProblem(`${path} switches all hooks off, so Reprise doesn't hear of the agent's turns.`);
    if (hasHooks(present, place.events, place.entry)) return;
    const { text, inserted } = insertHooks(withoutOurs(present, made), place.events, place.entry);
    const folder = replacePersonFile(path, file, text) ?? made?.folder ?? null;
    const instead_of = settings === null ? file.text : isAsMade(present, made) ? made?.instead_of : undefined;
    note.remember(path, agentKind, { sha256: sha256(text), inserted, folder, instead_of });
  });
}

/** Take our hooks out of settings. @returns whether there were any @throws FileProblem, and nothing is changed */
export function unhookSettings(path: string, note: Note): boolean {
  const file = readPersonFile(path);
  const text = settingsIn(file.text);
  const there = text !== null && understood(path, () => hasAnyHooks(text));
  if (there) withdraw(path, file, text, note.made(path));
  note.forget(path);
  return there;
}

function withdraw(path: string, file: PersonFile, text: string, made: Made | null): void {
  const rest = understood(path, () => withoutOurs(text, made));
  const before = /^\{\s*\}\s*$/.test(rest) ? made?.instead_of : undefined;
  if (before === null) removePersonFile(file.real, made?.folder ?? null);
  else replacePersonFile(path, file, before ?? rest);
}

/** @returns null where there are none yet */
function settingsIn(text: string | null): string | null {
  return text === null || text.trim() === "" ? null : text;
}

function isAsMade(text: string, made: Made | null): boolean {
  return made?.sha256 === sha256(text);
}

/** As it was before, where nothing else changed since. */
function withoutOurs(text: string, made: Made | null): string {
  return made && isAsMade(text, made) ? takeOut(text, made.inserted) : removeHooks(text);
}

function understood<T>(path: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof SettingsNotUnderstood)) throw error;
    throw new FileProblem(`${path} was left as it is. ${error.message}`);
  }
}
