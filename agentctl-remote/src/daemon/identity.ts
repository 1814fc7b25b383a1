import { randomUUID } from "node:crypto";
import { closeSync, fsyncSync, openSync, readFileSync, renameSync, writeSync } from "node:fs";
import { NodeId } from "@reprise/protocol";
import { z } from "zod";
import { machineId } from "./machine.ts";
import type { StatePaths } from "./paths.ts";

/** `identity.json`: who this node is. Holds its credential, so it is readable by its user alone. */
export const Identity = z.object({
  machine_id: z.string().min(1),
  /** Made with the state folder: a new disk is a new state (C12). */
  state_id: z.string().min(1),
  joined: z.object({ url: z.string(), node_id: NodeId, name: z.string(), credential: z.string() }).nullable(),
  /** From the last welcome (T3). */
  nonce: z.string().nullable(),
  /** The one before, until the newer was accepted once. */
  nonce_before: z.string().nullable(),
});
export type Identity = z.infer<typeof Identity>;

/** Who this node is; made at the first call. @throws when the file is damaged: guessing would make a second node */
export function loadIdentity(paths: StatePaths, env: NodeJS.ProcessEnv = process.env): Identity {
  let text: string;
  try {
    text = readFileSync(paths.identity, "utf8");
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "ENOENT")) throw error;
    const made: Identity = {
      machine_id: machineId(env),
      state_id: randomUUID(),
      joined: null,
      nonce: null,
      nonce_before: null,
    };
    saveIdentity(paths, made);
    return made;
  }
  const identity = parseIdentity(text, paths.identity);
  // A made id stays; a system's or an injected one is asked afresh, so that a copied folder is told by it.
  return { ...identity, machine_id: env["REPRISE_MACHINE_ID"] ?? identity.machine_id };
}

function parseIdentity(text: string, path: string): Identity {
  try {
    return Identity.parse(JSON.parse(text));
  } catch (cause) {
    throw new Error(`${path} is damaged. Restore it, or move it away and join again with --replace.`, { cause });
  }
}

/** Whole, synced, 0600. */
export function saveIdentity(paths: StatePaths, identity: Identity): void {
  const temp = `${paths.identity}.${process.pid}.tmp`;
  const file = openSync(temp, "w", 0o600);
  try {
    writeSync(file, `${JSON.stringify(identity, null, 2)}\n`);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  renameSync(temp, paths.identity);
}
