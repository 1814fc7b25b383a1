import type { HookPlace } from "./agents.ts";
import { MARKER } from "./command.ts";
import type { Note } from "./note.ts";
import { FileProblem, readPersonFile, removePersonFile, replacePersonFile, sha256 } from "./person-file.ts";

type PluginPlace = Extract<HookPlace, { in: "plugin" }>;

/** @throws FileProblem */
export function pluginIsThere(path: string, place: PluginPlace): boolean {
  return readPersonFile(path).text === place.text;
}

/** Write our plugin, unless it is there. @throws FileProblem, and nothing is changed */
export function writePlugin(
  path: string,
  agent: { agent_kind: string; folder: string },
  place: PluginPlace,
  note: Note,
): void {
  const file = readPersonFile(path);
  if (file.text === place.text) return;
  if (file.text !== null && !file.text.includes(MARKER))
    throw new FileProblem(`${path} was left as it is: it isn't the plugin that Reprise writes there.`);
  const heldUp = place.heldUp(agent.folder);
  if (heldUp !== null) throw new FileProblem(heldUp);
  const folder = replacePersonFile(path, file, place.text) ?? note.made(path)?.folder ?? null;
  note.remember(path, agent.agent_kind, { sha256: sha256(place.text), inserted: [], instead_of: null, folder });
}

/** @returns whether it was there @throws FileProblem, and nothing is changed */
export function removePlugin(path: string, note: Note): boolean {
  const file = readPersonFile(path);
  const there = file.text?.includes(MARKER) === true;
  if (there) removePersonFile(file.real, note.made(path)?.folder ?? null);
  note.forget(path);
  return there;
}
