import { expect } from "vitest";
import { DOCKER } from "../executors.ts";
import { BACK } from "../expected.ts";
import type { Row } from "../table.ts";

const LONG = "stream 900 every 100";

/** What becomes of containers. */
export const CONTAINERS: readonly Row[] = [
  {
    fault: "container removed",
    afterwards: "executor `error`, session ERROR, `container_missing`, Create new session",
    executors: DOCKER,
    cases: ["X2", "T4", "R4"],
    async run(stage) {
      const { session, starts } = await stage.play({ prompt: LONG });
      await stage.docker.containers.remove(session.id);
      await session.everywhere("afterwards", {
        status: {
          state: "ERROR",
          end_reason: "interrupted",
          executor_status: "error",
          is_resumable: false,
          resume_reason: "container_missing",
          turn: { outcome: "interrupted" },
        },
        executor: { error_code: "container_missing" },
        agent: "none",
        page: {
          badge: "cant_resume",
          banner: "The container of this session is gone, and its conversation with it.",
          buttons: ["Create new session"],
        },
      });
      expect(await stage.docker.containers.list(session.id)).toEqual([]);
      await expect(
        stage.system.client.sessions.resume(session.id, { mode: "resume" }),
        "never a fresh container in its place",
      ).rejects.toMatchObject({ status: 409, code: "not_resumable", details: { reason: "container_missing" } });
      expect(starts()).toHaveLength(1);
    },
  },
  {
    fault: "container stopped",
    afterwards: "started again, then as a reboot",
    executors: DOCKER,
    cases: ["X2", "R6", "P2"],
    async run(stage) {
      const { session, starts } = await stage.play({ prompt: `remember CODEWORD-STOPPED; ${LONG}` });
      const before = await stage.docker.containers.list(session.id);
      await session.prompt("queued-01", "echo this waits");
      await stage.docker.containers.stop(session.id);
      await session.everywhere("afterwards", {
        ...BACK,
        status: { ...BACK.status, queue_held: true, queued_prompts: 1 },
        page: { ...BACK.page, buttons: ["Continue"], text: [/Turn interrupted/, "echo this waits"] },
      });
      expect(await stage.docker.containers.list(session.id)).toEqual(before);
      expect(starts()).toHaveLength(2);
    },
  },
];

/** What becomes of the engine that all containers of a room have in common. */
export const ENGINE: readonly Row[] = [
  {
    fault: "Docker engine stopped, started later",
    meanwhile: "executor `error` `runtime_unavailable`, `retry_at`",
    afterwards: "recovers by itself",
    executors: DOCKER,
    cases: ["X2", "X5", "T4", "C07"],
    async run(stage) {
      const { session, starts } = await stage.play({ prompt: LONG });
      await stage.docker.stopEngine();
      const away = await session.everywhere("meanwhile", {
        status: { executor_status: "error", error_code: "runtime_unavailable", is_agent_running: false },
        executor: { error_code: "runtime_unavailable" },
        agent: "none",
        page: {
          badge: "working",
          lastKnown: true,
          banner: /^Docker does not answer on .*Next try in/,
          buttons: ["Try now"],
        },
      });
      expect(away.retry_at).toBeGreaterThan(0);
      await stage.docker.startEngine();
      await session.everywhere("afterwards", BACK);
      expect(starts()).toHaveLength(2);
    },
  },
];
