import { expect, it } from "vitest";
import { alive, descendants, findByEnv, killPid, lastingPort, spawnGroup, until } from "./processes.ts";

it("until returns what the condition gave, and says what it waited for when time is up", async () => {
  let n = 0;
  expect(await until(() => (++n > 2 ? n : undefined), { what: "three" })).toBe(3);
  await expect(until(() => false, { ms: 50, what: "the impossible" })).rejects.toThrow(
    "not within 50 ms: the impossible",
  );
  const failing = until(() => Promise.reject(new Error("no such row")), { ms: 50, what: "a row" });
  await expect(failing).rejects.toThrow("no such row");
});

it("a group dies as a whole, and is found by its environment and as descendants before", async () => {
  const marker = `marker-${process.pid}-${Date.now()}`;
  const group = await spawnGroup("bash", ["-c", "sleep 1000 & sleep 1000"], {
    env: { PATH: process.env.PATH, REPRISE_TEST_MARKER: marker },
  });
  const inside = await until(() => descendants(group.pid).length === 2 && descendants(group.pid), { what: "2 sleeps" });
  expect(inside.map((one) => one.pgid)).toEqual([group.pid, group.pid]);
  // In the middle of its exec a process shows no environment.
  await until(() => findByEnv("REPRISE_TEST_MARKER", marker).length === 3, { what: "all three by their environment" });
  await group.kill();
  expect(await group.exited).toEqual({ code: null, signal: "SIGKILL" });
  await until(() => inside.every((one) => !alive(one.pid)), { what: "the sleeps to die" });
  expect(findByEnv("REPRISE_TEST_MARKER", marker)).toEqual([]);
});

it("a program that is not there is an error that names it", async () => {
  await expect(spawnGroup("/no/such/program", [])).rejects.toThrow("could not start /no/such/program");
});

it("gives ports and kills politely", async () => {
  const port = await lastingPort();
  expect(port).toBeGreaterThan(1023);
  expect(port).toBeLessThan(32_768);
  const group = await spawnGroup("sleep", ["1000"]);
  expect(killPid(group.pid, "SIGTERM")).toBe(true);
  expect(await group.exited).toEqual({ code: null, signal: "SIGTERM" });
  expect(killPid(group.pid)).toBe(false);
});
