import { KNOCK_LABEL } from "@reprise/protocol";
import { openDb } from "../db/db.ts";
import { credentialHash } from "../db/nodes.ts";
import type { Env } from "../env.ts";

/**
 * What a knock proves itself with (N7): made from the node's credential, which both sides have in their own way (we its
 * hash), so that nothing more is stored. Who learns it can make the node dial in, and nothing else.
 */
export async function knockSecretOf(env: Env, nodeId: string): Promise<string> {
  // A removed node isn't called; an empty key is none.
  const hash = (await credentialHash(openDb(env.DB), nodeId)) ?? nodeId;
  const bytes = new TextEncoder();
  const how = { name: "HMAC", hash: "SHA-256" };
  const key = await crypto.subtle.importKey("raw", bytes.encode(hash), how, false, ["sign"]);
  const signed = new Uint8Array(await crypto.subtle.sign("HMAC", key, bytes.encode(KNOCK_LABEL)));
  return [...signed].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
