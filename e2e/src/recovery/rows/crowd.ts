import type { SessionStatus } from "@reprise/protocol";
import { expect } from "vitest";
import { until } from "../../processes.ts";
import { STANDALONE } from "../executors.ts";
import type { Row } from "../table.ts";

/** Two automatic starts, one of a person's, four in the slow lane (X5). */
const MOST_STARTS = 7;
const SESSIONS = 25;
/** So many programs that start at a time, two cores carry slowly: no assertion. */
const CROWD_MS = 180_000;

/** Many at once. */
export const CROWD: readonly Row[] = [
  {
    fault: `load of the conversation hangs 90 s in ${SESSIONS} sessions (6 s here)`,
    meanwhile: "a person's Resume of a 26th starts while these hang",
    afterwards: "all end somewhere, `ready` never waited",
    executors: STANDALONE,
    cases: ["X5", "X3", "C10", "C24"],
    limits: { AGENT_SESSION_MS: 6_000, SLOW_START_MS: 1_300 },
    async run(stage) {
      const { client } = stage.system;
      const first = await stage.play({ prompt: "echo hi", until: "hi", flags: ["--load-hangs"] });
      const others = await stage.crowd(first.profile, SESSIONS - 1);
      const mine = await stage.play({ prompt: "echo hi", until: "hi", auto_resume: "never" });
      const crowd = [first.session.id, ...others];
      const all = [...crowd, mine.session.id];
      const list = async (): Promise<SessionStatus[]> =>
        (await client.sessions.list({})).sessions.filter((s) => all.includes(s.session_id));
      await until(async () => (await list()).every((s) => s.state === "WAITING_FOR_INPUT"), {
        ms: CROWD_MS,
        what: "26 at rest",
      });

      await stage.machine.powerOff();
      await stage.machine.powerOn();
      await until(
        async () => {
          const now = await list();
          const ready = now.every((s) => s.executor_status === "ready" && s.node.presence === "online");
          return ready && now.filter((s) => s.state === "STARTING").length > MOST_STARTS;
        },
        { ms: CROWD_MS, what: "every workspace to be ready while more agents wait than may start" },
      );

      await mine.session.press("Resume");
      await until(
        async () => {
          const now = await list();
          const started = now.some((s) => s.session_id === mine.session.id && s.state === "WAITING_FOR_INPUT");
          return started && now.some((s) => s.state === "STARTING");
        },
        { ms: CROWD_MS, what: "the 26th to have started while others hang" },
      );
      await mine.session.everywhere("meanwhile", {
        status: { state: "WAITING_FOR_INPUT", executor_status: "ready", is_agent_running: true },
        agent: "one",
        page: { badge: "your_turn" },
      });

      let most = 0;
      await until(
        async () => {
          const now = (await list()).filter((s) => crowd.includes(s.session_id));
          most = Math.max(most, stage.agents().length - 1);
          return now.every((s) => s.state === "ERROR" && s.attempt === 1 && s.retry_at !== null);
        },
        { ms: CROWD_MS, what: "every first try to end, with the next one said" },
      );
      expect(most, "agents at a time").toBeLessThanOrEqual(MOST_STARTS);
      expect(most).toBeGreaterThan(2);
      const failed = { state: "ERROR", executor_status: "ready", resume_reason: "resume_failed" } as const;
      await first.session.everywhere("afterwards", {
        status: { ...failed, attempt: 1 },
        executor: { attempt: 1 },
        agent: "none",
        page: {
          badge: "resuming",
          banner: /Could not resume: The agent did not answer .* Next try in/,
          buttons: ["Try now", "Cancel", "Create new session"],
        },
      });
      // A person ends what would be tried four times more (C10: launch.test.ts).
      for (const id of crowd) await client.sessions.recovery(id, "cancel");
      await first.session.everywhere("afterwards, cancelled", {
        status: { ...failed, attempt: 0, retry_at: null, needs_resume: true },
        agent: "none",
        page: { badge: "failed", banner: /Could not resume/, buttons: ["Retry", "Create new session"] },
      });
      for (const s of await list()) expect(s).toMatchObject({ executor_status: "ready" });
    },
  },
];
