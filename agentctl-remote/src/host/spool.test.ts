import { mkdirSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { MAX_SOCKET_PATH_BYTES, SPOOL_RESERVE_BYTES } from "../limits.ts";
import { sessionPaths, socketPath } from "./paths.ts";
import { readSpool, Spool, SpoolInUse } from "./spool.ts";

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "reprise-spool-"));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

const open = () => new Spool(sessionPaths(dir).spool, sessionPaths(dir).reserve);
const EXE = "exe_aaaa0001";
const title = (text: string) => ({ execution_id: EXE, body: { type: "agent.title" as const, title: text } });

it("X7: one holder; numbers go on after an acknowledgement and a new start, the id stays", () => {
  const first = open();
  expect(() => open()).toThrow(SpoolInUse);
  expect(readSpool(sessionPaths(dir).spool).state).toBe("locked");
  first.append([title("a"), title("b")], 1);
  first.append([title("c")], 2);
  first.ack(3);
  expect(first.read(1)).toEqual([]);
  const { spool_id } = first;
  first.close();
  const second = open();
  second.append([title("d")], 3);
  expect(second.read(1).map((one) => one.seq)).toEqual([4]);
  expect(second.spool_id).toBe(spool_id);
  second.close();
  expect(readSpool(sessionPaths(dir).spool)).toMatchObject({ state: "read", spool_id, last_seq: 4, acked: 3 });
});

it("an event that isn't one is refused whole: nothing of its transaction stays", () => {
  const spool = open();
  expect(() => spool.append([title("good"), title("x".repeat(5_000))], 1)).toThrow(/too_big/);
  expect(spool.last_seq).toBe(0);
  spool.append([title("good")], 1);
  expect(spool.read(1)).toHaveLength(1);
  spool.close();
});

it("P1, R3: prompts and executions are remembered after their events are gone", () => {
  const spool = open();
  spool.append([{ execution_id: EXE, body: { type: "execution.opened", how: "new", automatic: false } }], 1);
  spool.append(
    [{ execution_id: EXE, body: { type: "turn.started", turn_id: "trn_aaaa0001", prompt_id: "prompt-0001" } }],
    1,
  );
  spool.ack(2);
  spool.close();
  const again = open();
  expect(again.prompted("prompt-0001")).toBe(true);
  expect(again.opened(EXE)).toBe(true);
  expect(again.facts.execution).toMatchObject({ execution_id: EXE, open: true, open_turn: "trn_aaaa0001" });
  again.close();
});

it("P5: space is kept back, given, and taken again", () => {
  const spool = open();
  expect(statSync(sessionPaths(dir).reserve).size).toBe(SPOOL_RESERVE_BYTES);
  expect(spool.releaseReserve()).toBe(true);
  expect(spool.releaseReserve()).toBe(false);
  expect(spool.restoreReserve()).toBe(true);
  spool.close();
});

it("a session without a spool has none to read", () => {
  expect(readSpool(join(dir, "nothing.db"))).toEqual({ state: "absent" });
});

it("X7: a socket's path never exceeds what the kernel takes whole, and its folder is private", () => {
  expect(socketPath("/short")).toBe("/short/host.sock");
  const deep = join(dir, "x".repeat(120));
  const short = socketPath(deep, dir);
  expect(Buffer.byteLength(short)).toBeLessThanOrEqual(MAX_SOCKET_PATH_BYTES);
  expect(socketPath(`${deep}y`, dir)).not.toBe(short);
  expect(() => socketPath(deep, join(dir, "y".repeat(90)))).toThrow(/TMPDIR/);
  const open = join(dir, "public");
  mkdirSync(join(open, `reprise-${process.getuid?.()}`), { recursive: true, mode: 0o755 });
  expect(() => socketPath(deep, open)).toThrow(/0700/);
});
