import { expect } from "vitest";
import { EXECUTORS } from "../executors.ts";
import { words } from "../stage.ts";
import type { Row } from "../table.ts";

const COUNT = 250;

/** The control plane's own end. */
export const CONTROL_PLANE: readonly Row[] = [
  {
    fault: "control plane killed (Claude Code; in Docker the scripted agent)",
    meanwhile: "pages say they are behind, since when",
    afterwards: "RUNNING, `ready`, `agent_running`; same pid; text whole, once",
    executors: EXECUTORS,
    cases: ["C01", "C07", "T2", "X4"],
    real: true,
    async run({ play, system }) {
      const { session } = await play({ real: "claude", prompt: `stream ${COUNT} words every 100 ms` });
      const pid = await session.agentPid();
      await system.controlPlane.kill9();
      await session.page.getByText(/Behind since .*, reconnecting/).waitFor();
      await session.onPage("meanwhile", { badge: "working", lastKnown: true });
      expect(session.agents()).toEqual([pid]);
      await system.startControlPlane();
      const first = (await system.client.sessions.list({})).sessions.find((s) => s.session_id === session.id);
      expect(first).toMatchObject({ state: "RUNNING", end_reason: null, is_agent_running: true });
      await session.everywhere("afterwards", {
        status: {
          state: "RUNNING",
          executor_status: "ready",
          resume_reason: "agent_running",
          is_agent_running: true,
        },
        agent: pid,
        page: { badge: "working", banner: null },
      });
      await system.untilYourTurn(session.id);
      await session.wholeOnce(words(COUNT));
      expect(await session.page.getByText(/Behind since/).count()).toBe(0);
      expect(await session.agentPid()).toBe(pid);
    },
  },
];
