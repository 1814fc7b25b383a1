import { programStamp, type TerminalProgram } from "./find.ts";
import { askVersion } from "./probe.ts";

/** What was learned, by command, as long as it is the same program. */
export type KnownVersions = Record<string, { stamp: string; version: string }>;

/** The versions of terminal agents: each program is asked once, and none is started for anything else. */
export class Versions {
  private readonly known: KnownVersions;
  private readonly save: () => void;

  constructor(known: KnownVersions, save: () => void) {
    this.known = known;
    this.save = save;
  }

  /** @returns null before it was asked, or where it would not tell */
  of({ command }: TerminalProgram): string | null {
    if (command === null) return null;
    const entry = this.known[command];
    return entry !== undefined && entry.stamp === programStamp(command) ? entry.version : null;
  }

  /** @returns null where it isn't there, or tells none in time: it is asked again after the next start */
  async ask({ command, version_args }: TerminalProgram): Promise<string | null> {
    const stamp = command === null ? null : programStamp(command);
    if (command === null || stamp === null) return null;
    const version = await askVersion(command, version_args);
    if (version === null) return null;
    this.known[command] = { stamp, version };
    this.save();
    return version;
  }
}
