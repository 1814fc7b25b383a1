import { env } from "cloudflare:workers";
import { CAPABILITIES } from "@reprise/protocol/testing";
import { beforeEach, expect, it } from "vitest";
import { factsOf } from "../../test/facts.ts";
import { openDb } from "./db.ts";
import { deleteProfile, findProfile, listProfiles, updateProfile } from "./profiles.ts";
import { projectSession } from "./projection.ts";

const db = openDb(env.DB);
const extra = { node_kind: "local" as const, pid: 7, agentctl_url: null, last_seen_at: 5, now: 9 };
const PROFILE = "prf_claudecode";

let ids = 0;
/** A session of the profile, begun at `at`, tells D1 what its agent said. */
async function tell(at: number, agent_capabilities: typeof CAPABILITIES | null, now = 9): Promise<void> {
  ids += 1;
  const facts = factsOf(`ses_cap${ids}`, { agent_profile_id: PROFILE, created_at: at, agent_capabilities });
  await projectSession(db, facts, { ...extra, now });
}
const known = async () => (await findProfile(db, PROFILE, 1))?.capabilities;

beforeEach(async () => {
  await listProfiles(db, 1);
  await updateProfile(db, PROFILE, { name: "Claude Code" }, 1);
});

it("R1: what a profile's agent said of itself is kept by node and runtime, since when it says so", async () => {
  await tell(2, null);
  expect(await known()).toEqual([]);
  await tell(3, CAPABILITIES, 10);
  await tell(4, CAPABILITIES, 20);
  expect(await known()).toMatchObject([{ runtime: "standalone", capabilities: CAPABILITIES, since: 10 }]);
  await tell(5, { ...CAPABILITIES, load_session: false }, 30);
  expect(await known()).toMatchObject([{ capabilities: { load_session: false }, since: 30 }]);
});

it("R1: a changed profile has not been asked yet, and a session of before says nothing of it", async () => {
  await tell(3, CAPABILITIES);
  await updateProfile(db, PROFILE, { args: ["--other"] }, 100);
  expect(await known()).toEqual([]);
  await tell(50, CAPABILITIES);
  expect(await known()).toEqual([]);
  await tell(101, CAPABILITIES);
  expect(await known()).toHaveLength(1);
});

it("a deleted profile is told of nowhere", async () => {
  await tell(3, CAPABILITIES);
  await deleteProfile(db, PROFILE, 4);
  expect(await findProfile(db, PROFILE, 5)).toBeNull();
});
