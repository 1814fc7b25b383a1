import type { KeptConversation } from "@reprise/protocol";
import { ApiError } from "@reprise/sdk";
import { expect, it } from "vitest";
import { holderOf, matching, pastedId } from "./kept.ts";

const all: KeptConversation[] = [
  { id: "6f2a-11", title: "Fix the login", updated_at: 2 },
  { id: "0b9c-22", title: null, updated_at: 1 },
];

it("finds a conversation by its words, or by its id", () => {
  expect(matching(all, " LOGIN ").map(({ id }) => id)).toEqual(["6f2a-11"]);
  expect(matching(all, "0b9").map(({ id }) => id)).toEqual(["0b9c-22"]);
  expect(matching(all, "")).toEqual(all);
});

it("takes what is in no list for an id, unless it has several words", () => {
  expect(pastedId(all, " dead-33 ")).toBe("dead-33");
  expect(pastedId(all, "0b9c-22")).toBeNull();
  expect(pastedId(all, "login")).toBeNull();
  expect(pastedId(all, "some words")).toBeNull();
  expect(pastedId([], "")).toBeNull();
});

it("C16: a conversation that another session holds leads there", () => {
  const held = new ApiError(409, "token_in_use", "Another session holds it.", { session_id: "ses_000009" });
  expect(holderOf(held)).toBe("ses_000009");
  expect(holderOf(new ApiError(409, "token_in_use", "Another session holds it."))).toBeNull();
  expect(holderOf(new ApiError(409, "not_resumable", "No.", { session_id: "ses_000009" }))).toBeNull();
  expect(holderOf(new Error("no"))).toBeNull();
});
