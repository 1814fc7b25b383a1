import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, it } from "vitest";
import { groupMembers } from "../../agentctl-remote/src/host/process.ts";
import { freePort } from "../lib/net.ts";
import { type ControlPlane, startControlPlane } from "./control-plane.ts";
import { asOwner } from "./setup.ts";
import { stateFolder } from "./state.ts";

/** A build and two starts of workerd on a machine that does other things too. */
const TEST_MS = 180_000;

let folder: string;
let plane: ControlPlane | null = null;
afterEach(async () => {
  await plane?.stop();
  rmSync(folder, { recursive: true, force: true });
});

const titles = ({ origin, setupSecret }: ControlPlane) =>
  asOwner(origin, setupSecret, async (client) => (await client.tasks.list()).tasks.map(({ title }) => title));

it("C01: kill -9 reaches workerd too, and the next start finds its databases, port and secret again", {
  timeout: TEST_MS,
}, async () => {
  folder = mkdtempSync(join(tmpdir(), "reprise-plane-"));
  const state = stateFolder(folder);
  plane = await startControlPlane({ state, port: 0 });
  expect(plane.migrated).toContain("0000_init.sql");
  await asOwner(plane.origin, plane.setupSecret, (client) => client.tasks.create({ title: "Still here" }));
  const first = plane;
  expect(groupMembers(first.pid).length).toBeGreaterThan(1);

  await first.kill9();
  expect(groupMembers(first.pid)).toEqual([]);
  expect(await freePort(first.port), "free at once: workerd ends later than what holds it").toBe(first.port);
  expect(await first.ended).toContain("was ended by SIGKILL");

  plane = await startControlPlane({ state });
  expect(plane).toMatchObject({ origin: first.origin, setupSecret: first.setupSecret, migrated: [] });
  expect(await titles(plane)).toEqual(["Still here"]);

  const second = plane;
  await second.stop();
  expect(groupMembers(second.pid)).toEqual([]);
});
