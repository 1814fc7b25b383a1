import { existsSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { expect } from "vitest";
import { POLL_MS } from "../../limits.ts";
import { until } from "../../processes.ts";
import { EXECUTORS, isRemote, REMOTE } from "../executors.ts";
import { SHORT_CUT_MS } from "../limits.ts";
import { type Stage, words } from "../stage.ts";
import type { Row } from "../table.ts";
import type { Watched } from "../watched.ts";

const LONG = "stream 900 every 100";

/** The machine is there and can't be reached: its cable is cut, or, beside the control plane, its daemon is dead. */
async function away({ machine, executor }: Stage): Promise<() => Promise<void>> {
  if (isRemote(executor)) machine.network.cut();
  else await machine.killDaemon();
  await machine.untilPresence("reconnecting");
  return async () => {
    if (isRemote(executor)) machine.network.heal();
    else await machine.startDaemon({ wait: false });
    await machine.untilPresence("online");
  };
}

/** A session whose agent was killed: it offers Resume. */
async function interrupted(stage: Stage) {
  const played = await stage.play({ prompt: "echo hi", until: "hi" });
  await stage.system.untilYourTurn(played.session.id);
  process.kill(-(await played.session.agentPid()), "SIGKILL");
  await stage.system.untilStatus(played.session.id, "interrupted", (s) => s.needs_resume);
  return played;
}

async function gone(stage: Stage, session: Watched): Promise<void> {
  await expect(session.status()).rejects.toMatchObject({ status: 404 });
  const { sessions } = await stage.system.client.sessions.list({});
  expect(sessions.map((s) => s.session_id)).not.toContain(session.id);
}

/** Machines that can't be reached. */
export const NETWORK: readonly Row[] = [
  {
    fault: "network cut 20 s, silently",
    meanwhile: "nothing changes",
    afterwards: "nothing lost; an approval given meanwhile arrives",
    executors: REMOTE,
    cases: ["N2", "P3", "L1", "C23"],
    async run(stage) {
      const COUNT = 250;
      const { session: asking } = await stage.play({ prompt: "approve; echo went on", until: null });
      await stage.system.untilStatus(asking.id, "an approval", (s) => s.pending_approvals === 1);
      await asking.page.getByRole("button", { name: /^Allow once/ }).waitFor();
      const { session: streaming } = await stage.play({ prompt: `stream ${COUNT} every 100` });
      const pid = await streaming.agentPid();
      stage.machine.network.cut();
      await asking.press(/^Allow once/);
      // Looked at all the while, and never waited for: a cut that lasts until all is right would be a longer one.
      const seen: string[] = [];
      const badge = streaming.page.locator("header").getByTestId("state").first();
      for (const until = Date.now() + SHORT_CUT_MS; Date.now() < until; await pause(POLL_MS)) {
        const { state, node } = await streaming.status();
        const shown = await badge.getAttribute("data-state");
        seen.push(
          `${state} ${node.presence} ${shown} ${streaming.agents()} ${stage.system.database.session(streaming.id).state}`,
        );
      }
      stage.machine.network.heal();
      expect([...new Set(seen)]).toEqual([`RUNNING online working ${pid} RUNNING`]);
      await asking.everywhere("afterwards", {
        status: { state: "WAITING_FOR_INPUT", turn: { outcome: "done" }, pending_approvals: 0 },
        agent: "one",
        page: { badge: "your_turn", text: [/went on/] },
      });
      expect(await asking.said()).toContain("permission: allow");
      await stage.system.untilYourTurn(streaming.id);
      await streaming.wholeOnce(words(COUNT));
      await streaming.everywhere("afterwards", {
        status: { state: "WAITING_FOR_INPUT", executor_status: "ready", node: { presence: "online" } },
        agent: pid,
        page: { badge: "your_turn", banner: null },
      });
    },
  },
  {
    fault: "network cut 2 min, silently",
    meanwhile: "`reconnecting`, last known, prompts queue",
    afterwards: "as before; no agent restarted; queued prompts delivered once",
    executors: REMOTE,
    cases: ["N2", "N4", "P1", "P2", "C05", "C29"],
    async run(stage) {
      const COUNT = 250;
      const { session: idle, starts } = await stage.play({ prompt: "echo hi", until: "hi" });
      await stage.system.untilYourTurn(idle.id);
      const { session: streaming } = await stage.play({ prompt: `stream ${COUNT} every 100` });
      const [pid, idlePid] = [await streaming.agentPid(), await idle.agentPid()];
      stage.machine.network.cut();
      await streaming.everywhere("meanwhile", {
        status: { state: "RUNNING", end_reason: null, node: { presence: "reconnecting" } },
        agent: pid,
        page: { badge: "working", lastKnown: true, banner: /has been silent for .*; waiting for it to call/ },
      });
      await idle.prompt("while-cut", "echo once only");
      await idle.everywhere("meanwhile", {
        status: { state: "WAITING_FOR_INPUT", node: { presence: "reconnecting" }, queued_prompts: 1 },
        agent: idlePid,
        page: { badge: "your_turn", lastKnown: true, text: ["echo once only"] },
      });
      stage.machine.network.heal();
      await idle.everywhere("afterwards", {
        status: { state: "WAITING_FOR_INPUT", queued_prompts: 0, last_line: "once only", turn: { outcome: "done" } },
        agent: idlePid,
        page: { badge: "your_turn", banner: null },
      });
      expect((await idle.said()).split("once only")).toHaveLength(2);
      await stage.system.untilYourTurn(streaming.id);
      await streaming.wholeOnce(words(COUNT));
      await streaming.everywhere("afterwards", {
        status: { state: "WAITING_FOR_INPUT", executor_status: "ready", node: { presence: "online" } },
        agent: pid,
        page: { badge: "your_turn", banner: null },
      });
      expect(starts()).toHaveLength(1);
    },
  },
  {
    fault: "network cut for ever",
    meanwhile: "`offline` after 5 min, `node_unreachable`; archive, delete, stop accepted",
    afterwards: "when it returns: these are carried out, the rest recovers",
    executors: REMOTE,
    cases: ["T7", "X2", "T5", "C05"],
    async run(stage) {
      const { client } = stage.system;
      const { session: stopped } = await stage.play({ prompt: LONG });
      const { session: deleted } = await stage.play({ prompt: LONG });
      const { session: archived } = await stage.play({ prompt: LONG });
      const { session: rest } = await stage.play({ prompt: LONG });
      const pids = { archived: await archived.agentPid(), rest: await rest.agentPid() };
      const toStop = await stopped.agentPid();
      stage.machine.network.cut();
      await stage.machine.untilPresence("offline");
      const unreachable = { executor_status: "error", error_code: "node_unreachable" } as const;
      await rest.everywhere("meanwhile", {
        status: { state: "RUNNING", end_reason: null, node: { presence: "offline" }, ...unreachable },
        executor: { error_code: "node_unreachable" },
        agent: pids.rest,
        page: { badge: "working", lastKnown: true, banner: /is offline since .* It goes on by itself when it is back/ },
      });
      await client.sessions.stop(stopped.id);
      await client.sessions.archive(archived.id);
      await client.sessions.remove(deleted.id);
      await gone(stage, deleted);
      expect((await archived.status()).archived_at).not.toBeNull();
      await stopped.everywhere("meanwhile, stop asked", {
        status: { state: "RUNNING", resume_reason: "agent_running", ...unreachable },
        agent: toStop,
        page: { badge: "working", lastKnown: true, banner: /^Stopping, as soon as .* is back\./, buttons: ["Undo"] },
      });
      expect((await stopped.status()).stop_requested_at).not.toBeNull();
      stage.machine.network.heal();
      await stopped.everywhere("afterwards", {
        status: { state: "CANCELLED", end_reason: "stopped", stop_requested_at: null, needs_resume: false },
        agent: "none",
        page: { badge: "stopped", banner: "You stopped this session." },
      });
      await until(() => deleted.marked().length === 0, { what: "the deleted session's agent to end" });
      const folder = join(stage.machine.state, "sessions", deleted.id);
      await until(() => !existsSync(join(folder, "spool.db")), { what: "its folder to be gone" });
      await gone(stage, deleted);
      const running = { state: "RUNNING", executor_status: "ready", is_agent_running: true, error_code: null } as const;
      await archived.everywhere("afterwards, archived", {
        status: running,
        agent: pids.archived,
        page: { badge: "working" },
      });
      await rest.everywhere("afterwards, the rest", {
        status: running,
        agent: pids.rest,
        page: { badge: "working", banner: null },
      });
    },
  },
  {
    fault: "claim cancelled, session deleted while the node is away",
    afterwards: "never launched",
    executors: EXECUTORS,
    cases: ["R3", "T7", "T5", "C25"],
    async run(stage) {
      const { client } = stage.system;
      const [cancelled, deleted, wanted] = [
        await interrupted(stage),
        await interrupted(stage),
        await interrupted(stage),
      ];
      const back = await away(stage);
      for (const { session } of [cancelled, deleted, wanted])
        await client.sessions.resume(session.id, { mode: "resume" });
      await client.sessions.recovery(cancelled.session.id, "cancel");
      await client.sessions.remove(deleted.session.id);
      await gone(stage, deleted.session);
      await cancelled.session.everywhere("meanwhile", {
        status: { state: "ERROR", end_reason: "interrupted", node: { presence: "reconnecting" } },
        agent: "none",
        page: { badge: "interrupted", lastKnown: true },
      });
      await back();
      // The third claim is the clock: it was made in the same moment, and nobody took it back.
      await wanted.session.everywhere("afterwards, the one that is wanted", {
        status: { state: "WAITING_FOR_INPUT", is_agent_running: true },
        agent: "one",
        page: { badge: "your_turn" },
      });
      await cancelled.session.everywhere("afterwards", {
        status: { state: "ERROR", end_reason: "interrupted", needs_resume: true, is_agent_running: false },
        agent: "none",
        page: { badge: "interrupted", buttons: ["Resume"] },
      });
      await gone(stage, deleted.session);
      expect([cancelled, deleted, wanted].map((one) => one.starts().length)).toEqual([1, 1, 2]);
    },
  },
];
