import { randomBytes } from "../ids.ts";

/** What each kind of secret begins with, so that a leaked one tells what it is. */
const PREFIX = { browser: "rps_", api: "rpa_", node: "rpn_", join: "rpj_", link: "rpl_" } as const;
export type SecretKind = keyof typeof PREFIX;

const SECRET_BYTES = 32;

/** A secret of 256 random bits. Its hash is what is stored (S2): with that much randomness, no salt is needed. */
export async function newSecret(kind: SecretKind): Promise<{ secret: string; hash: string }> {
  const secret = PREFIX[kind] + base64url(randomBytes(SECRET_BYTES));
  return { secret, hash: await hashSecret(secret) };
}

/** @returns the kind that a secret claims to be, or null. */
export function secretKind(secret: string): SecretKind | null {
  if (secret.startsWith(PREFIX.browser)) return "browser";
  if (secret.startsWith(PREFIX.api)) return "api";
  if (secret.startsWith(PREFIX.node)) return "node";
  if (secret.startsWith(PREFIX.join)) return "join";
  if (secret.startsWith(PREFIX.link)) return "link";
  return null;
}

export async function hashSecret(secret: string): Promise<string> {
  return [...(await digest(secret))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Equal, in a time that doesn't tell where they differ: both are hashed to one length first. */
export async function sameSecret(a: string, b: string): Promise<boolean> {
  const [x, y] = await Promise.all([digest(a), digest(b)]);
  let difference = 0;
  for (let i = 0; i < x.length; i++) difference |= (x[i] ?? 0) ^ (y[i] ?? 0);
  return difference === 0;
}

async function digest(text: string): Promise<Uint8Array> {
  return new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text)));
}

function base64url(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");
}
