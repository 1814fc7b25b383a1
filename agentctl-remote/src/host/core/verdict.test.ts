import { DEATH_GASP_MS } from "@reprise/protocol";
import { describe, expect, it } from "vitest";
import { type AgentEnd, farewell, type Goodbye } from "./verdict.ts";

const END = 1_000_000;
const soon = END - DEATH_GASP_MS;
const before = soon - 1;
const exited = (status: number, hung_up = false): AgentEnd => ({ how: "exited", status, hung_up, at: END });
const UNKNOWN: AgentEnd = { how: "unknown", at: END };
const UNTIMED: AgentEnd = { how: "unknown", at: null };
const explicit = (at: number): Goodbye => ({ explicit: true, at });
const other = (at: number): Goodbye => ({ explicit: false, at });

/** Last event x death path x time since: what it means between two turns, and with one open. */
const TABLE: [string, AgentEnd, Goodbye | null, "agent_exit" | "interrupted", "agent_exit" | "interrupted"][] = [
  ["exit 0, nothing said", exited(0), null, "agent_exit", "interrupted"],
  ["exit 1, nothing said", exited(1), null, "agent_exit", "interrupted"],
  ["exit 127, nothing said", exited(127), null, "agent_exit", "interrupted"],
  ["exit 0 right after /exit", exited(0), explicit(END), "agent_exit", "agent_exit"],
  ["exit 0 right after a goodbye of another kind", exited(0), other(END), "agent_exit", "agent_exit"],
  ["exit 0 long after a goodbye", exited(0), other(before), "agent_exit", "agent_exit"],

  ["exit 128, nothing said", exited(128), null, "interrupted", "interrupted"],
  ["killed (137), nothing said", exited(137), null, "interrupted", "interrupted"],
  ["SIGHUP (129) with its death gasp", exited(129), other(END), "interrupted", "interrupted"],
  ["SIGHUP 30 s after a goodbye: still its death gasp", exited(129), other(soon), "interrupted", "interrupted"],
  ["SIGHUP over 30 s after a goodbye", exited(129), other(before), "agent_exit", "agent_exit"],
  ["killed within 30 s of /exit", exited(137), explicit(soon), "interrupted", "interrupted"],
  ["killed over 30 s after /exit", exited(137), explicit(before), "agent_exit", "agent_exit"],

  ["hung up, then exit 0, nothing said", exited(0, true), null, "interrupted", "interrupted"],
  ["hung up, then exit 0 with its death gasp", exited(0, true), other(END), "interrupted", "interrupted"],
  ["hung up, then exit 0, after /exit", exited(0, true), explicit(END), "agent_exit", "agent_exit"],
  ["hung up, then exit 0, long after a goodbye", exited(0, true), other(before), "agent_exit", "agent_exit"],
  ["hung up, then exit 129 after /exit", exited(129, true), explicit(END), "interrupted", "interrupted"],

  ["its terminal died, nothing said", UNKNOWN, null, "interrupted", "interrupted"],
  ["its terminal died right after /exit", UNKNOWN, explicit(END), "agent_exit", "agent_exit"],
  ["its terminal died with its death gasp", UNKNOWN, other(soon), "interrupted", "interrupted"],
  ["its terminal died long after a goodbye", UNKNOWN, other(before), "agent_exit", "agent_exit"],

  ["its machine died, nobody knows when, nothing said", UNTIMED, null, "interrupted", "interrupted"],
  ["its machine died, nobody knows when, after /exit", UNTIMED, explicit(before), "agent_exit", "agent_exit"],
  ["its machine died, nobody knows when, after a goodbye", UNTIMED, other(before), "interrupted", "interrupted"],
];

describe("R7: what an end means", () => {
  it.each(TABLE)("%s", (_what, end, goodbye, inPeace, inTurn) => {
    expect(farewell(end, goodbye, false)).toBe(inPeace);
    expect(farewell(end, goodbye, true)).toBe(inTurn);
  });
});
