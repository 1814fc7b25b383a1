import { expect, it } from "vitest";
import { z } from "zod";
import { negotiate, PROTOCOL_VERSION } from "./version.ts";
import { NodeDown, NodeUp } from "./wire/node-link.ts";
import { SessionDown, SessionUp } from "./wire/session-link.ts";

/** FNV-1a: enough to notice a change, and needs no platform's crypto. */
function hash(text: string): string {
  let h = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) h = Math.imul(h ^ text.charCodeAt(i), 0x01000193);
  return (h >>> 0).toString(16).padStart(8, "0");
}

/** A message changed? Then old and new must still understand each other: raise PROTOCOL_VERSION, and pin the new hash here. */
const PINNED: Record<number, string> = { 1: "86e0e0f4", 2: "1fedbcea", 3: "1e653b16" };

it("§2: no message between node and control plane changes unnoticed", () => {
  const schemas = [NodeUp, NodeDown, SessionUp, SessionDown].map((s) => z.toJSONSchema(s, { unrepresentable: "any" }));
  expect(hash(JSON.stringify(schemas))).toBe(PINNED[PROTOCOL_VERSION]);
});

it("§2: one version apart works together; older than the oldest is refused", () => {
  expect(negotiate(PROTOCOL_VERSION + 1)).toBe(PROTOCOL_VERSION);
  expect(negotiate(PROTOCOL_VERSION - 1)).toBe(PROTOCOL_VERSION - 1);
  expect(negotiate(0)).toBeNull();
});
