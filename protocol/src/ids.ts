import { z } from "zod";

/** Every id says what it names by its prefix; the rest is 100 bits of base32, so ids never collide and sort by nothing. */
const PREFIXES = {
  session: "ses",
  task: "tsk",
  execution: "exe",
  node: "nod",
  profile: "prf",
  turn: "trn",
  item: "itm",
  prompt: "prm",
  command: "cmd",
  spool: "spl",
  log: "log",
  connection: "con",
  person: "usr",
  credential: "crd",
  answer: "ans",
} as const;

export type IdKind = keyof typeof PREFIXES;

const ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz";
const LENGTH = 20;

/** @param random gives that many random bytes (passed in: the protocol has no randomness of its own). */
export function newId(kind: IdKind, random: (bytes: number) => Uint8Array): string {
  let text = "";
  for (const byte of random(LENGTH)) text += ALPHABET[byte & 31];
  return `${PREFIXES[kind]}_${text}`;
}

function id(kind: IdKind) {
  return z.string().regex(new RegExp(`^${PREFIXES[kind]}_[0-9a-z]{4,40}$`), `not the id of a ${kind}`);
}

export const SessionId = id("session");
export const TaskId = id("task");
export const ExecutionId = id("execution");
export const NodeId = id("node");
export const ProfileId = id("profile");
export const TurnId = id("turn");
export const SpoolId = id("spool");
export const LogId = id("log");
export const CommandId = z.string().min(4).max(64);
export const ItemId = z.string().min(1).max(128);
/** Made by clients: the same id is the same prompt (P1). */
export const PromptId = z.string().regex(/^[A-Za-z0-9_-]{8,64}$/, "8 to 64 letters, digits, _ or -");
/** The agent's own id of the held request. */
export const RequestId = z.string().min(1).max(128);
/** Milliseconds since 1970 on the clock of whoever wrote it. */
export const Millis = z.number().int().nonnegative();
