import { expect } from "vitest";
import { alive, killPid, until } from "../../processes.ts";
import { EXECUTORS } from "../executors.ts";
import { INTERRUPTED } from "../expected.ts";
import { words } from "../stage.ts";
import type { Row } from "../table.ts";

const COUNT = 250;
const STREAM = `stream ${COUNT} every 100`;

/** What is killed on a machine. */
export const PROCESSES: readonly Row[] = [
  {
    fault: "daemon killed",
    meanwhile: "node `reconnecting`, last known",
    afterwards: "RUNNING, `ready`, `agent_running`; same pid; text whole, once",
    executors: EXECUTORS,
    cases: ["X4", "X7", "T3", "C04"],
    async run(stage) {
      const { session } = await stage.play({ prompt: STREAM });
      const pid = await session.agentPid();
      await stage.machine.killDaemon();
      await session.everywhere("meanwhile", {
        status: { state: "RUNNING", end_reason: null, node: { presence: "reconnecting" } },
        agent: pid,
        page: { badge: "working", lastKnown: true },
      });
      await stage.machine.startDaemon();
      await session.everywhere("afterwards", {
        status: { state: "RUNNING", executor_status: "ready", resume_reason: "agent_running", is_agent_running: true },
        agent: pid,
        page: { badge: "working", banner: null },
      });
      await stage.system.untilYourTurn(session.id);
      await session.wholeOnce(words(COUNT));
    },
  },
  {
    fault: "host killed, daemon lives",
    afterwards: "agent's group is gone too; ERROR `interrupted`, workspace `ready` again, banner Resume",
    executors: EXECUTORS,
    cases: ["X6", "X3"],
    async run(stage) {
      const { session } = await stage.play({ prompt: `child; ${STREAM}` });
      const agent = await session.agentPid();
      const group = session.marked();
      expect(group.length, "the agent and its child").toBeGreaterThan(1);
      killPid(await stage.machine.hostPid(session.id));
      await session.everywhere("afterwards", INTERRUPTED);
      await until(() => ![agent, ...group].some(alive), { what: "the agent's whole group to be gone" });
      expect(alive(await stage.machine.hostPid(session.id)), "a host serves the workspace").toBe(true);
    },
  },
  {
    fault: "agent killed",
    afterwards: "ERROR `interrupted`, `ready`, banner Resume",
    executors: EXECUTORS,
    cases: ["R6", "R7", "X3"],
    async run(stage) {
      const { session, starts } = await stage.play({ prompt: `remember CODEWORD-KILLED; ${STREAM}` });
      const host = await stage.machine.hostPid(session.id);
      killPid(await session.agentPid());
      await session.everywhere("afterwards", INTERRUPTED);
      expect(starts()).toHaveLength(1);
      expect(await stage.machine.hostPid(session.id)).toBe(host);
      await session.press("Resume");
      await session.everywhere("after Resume", {
        status: { state: "WAITING_FOR_INPUT", executor_status: "ready", resume_reason: "agent_running" },
        agent: "one",
        page: { badge: "your_turn", banner: "The agent is back; its turn was cut off.", buttons: ["Continue"] },
      });
    },
  },
];
