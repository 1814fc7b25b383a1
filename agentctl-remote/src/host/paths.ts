import { createHash } from "node:crypto";
import { lstatSync, mkdirSync, readlinkSync, symlinkSync, unlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { MAX_SOCKET_PATH_BYTES } from "../limits.ts";

/** Where everything of one session lies: `<state>/sessions/<session_id>`. */
export interface SessionPaths {
  dir: string;
  spool: string;
  /** Zero-filled; given back to the file system when the disk is full (P5). */
  reserve: string;
  /** Written by the host once it listens: how to find it, and its identity for killing. */
  hostFile: string;
  /** Written before the host is started: what it serves. */
  sessionFile: string;
  /** 0600; made once a session and kept, so that any later daemon can adopt any host of it. */
  nonceFile: string;
  log: string;
  /** The shells that live, for a host that comes after one that died. */
  shells: string;
  /** The daemon's own of this session: an agent in a container may read it, not change it (S4). */
  own: string;
  tombstone: string;
  /** The folder's workspace as it was ordered, kept for the day of its removal. */
  workspaceFile: string;
  /** Which container this session has, or once had. */
  containerFile: string;
  /** What wrappers and hooks of a terminal agent tell, a file each, until the host has it in its spool. */
  reports: string;
  /** What they call to tell it. */
  reportScript: string;
  /** The wrapper of each start, and the word that lets its agent go. */
  runs: string;
}

/** @param dir the session's folder */
export function sessionPaths(dir: string): SessionPaths {
  const own = join(dir, "own");
  return {
    dir,
    spool: join(dir, "spool.db"),
    reserve: join(dir, "reserve"),
    hostFile: join(dir, "host.json"),
    sessionFile: join(dir, "session.json"),
    nonceFile: join(dir, "nonce"),
    log: join(dir, "host.log"),
    shells: join(dir, "shells.json"),
    own,
    tombstone: join(own, "tombstone"),
    workspaceFile: join(own, "workspace.json"),
    containerFile: join(own, "container.json"),
    reports: join(dir, "reports"),
    reportScript: join(dir, "report"),
    runs: join(dir, "runs"),
  };
}

/** @throws when the folder can't be had for this user alone: a stranger's socket there could pose as a host */
function privateFolder(path: string): string {
  mkdirSync(path, { recursive: true, mode: 0o700 });
  const stat = lstatSync(path);
  const mine = process.getuid === undefined || stat.uid === process.getuid();
  if (!stat.isDirectory() || !mine || (stat.mode & 0o077) !== 0)
    throw new Error(`${path} must be a folder that only you can open (mode 0700).`);
  return path;
}

/**
 * A session's socket. Longer paths would bind silently under a cut name, so these move to a short private folder under
 * the system's temporary one.
 * @param dir the session's folder @param temp replaced in tests
 */
export function socketPath(dir: string, temp: string = tmpdir()): string {
  const beside = join(dir, "host.sock");
  return fits(beside) ? beside : shortPath(dir, ".sock", temp);
}

/**
 * The socket of a host for which the session's folder lies elsewhere (in a container): it listens in that folder, so a
 * long path is shortened by a link to the folder.
 */
export function insideSocket(dir: string, temp: string = tmpdir()): string {
  const beside = join(dir, "host.sock");
  if (fits(beside)) return beside;
  const link = shortPath(dir, "", temp);
  if (lstatSync(link, { throwIfNoEntry: false }) === undefined) symlinkSync(dir, link);
  // A private folder, so whoever made the link is this user; another session's would need the same hash.
  else if (readlinkSync(link) !== dir) throw new Error(`${link} should lead to ${dir}.`);
  return join(link, "host.sock");
}

/** The session's folder goes: so does the link to it, if there is one. */
export function forgetInsideSocket(dir: string, temp: string = tmpdir()): void {
  if (fits(join(dir, "host.sock"))) return;
  const link = shortPath(dir, "", temp);
  if (lstatSync(link, { throwIfNoEntry: false })?.isSymbolicLink()) unlinkSync(link);
}

function fits(path: string): boolean {
  return Buffer.byteLength(path) <= MAX_SOCKET_PATH_BYTES;
}

function shortPath(dir: string, ending: string, temp: string): string {
  const name = createHash("sha256").update(dir).digest("hex").slice(0, 24);
  const folder = privateFolder(join(temp, `reprise-${process.getuid?.() ?? "user"}`));
  const short = join(folder, `${name}${ending}`);
  if (fits(ending === "" ? join(short, "host.sock") : short)) return short;
  throw new Error(
    `No place for a socket: ${short} is longer than ${MAX_SOCKET_PATH_BYTES} bytes. Set TMPDIR to a shorter folder.`,
  );
}
