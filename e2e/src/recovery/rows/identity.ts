import { expect } from "vitest";
import { alive } from "../../processes.ts";
import { STANDALONE } from "../executors.ts";
import type { Row } from "../table.ts";

const LONG = "stream 900 every 100";

/** Machines that lose, or share, who they are. */
export const IDENTITY: readonly Row[] = [
  {
    fault: "daemon's state folder lost, machine joined again with `--replace`",
    meanwhile: "sessions `unknown`, last known",
    afterwards: 'nothing is declared dead by absence; "declare lost" makes them resumable or new',
    executors: STANDALONE,
    cases: ["T3", "T6", "C12"],
    async run(stage) {
      const { session, starts } = await stage.play({ prompt: LONG });
      const { session: onlyNew } = await stage.play({ prompt: LONG, flags: ["--no-load", "--no-resume"] });
      const pids = [await session.agentPid(), await onlyNew.agentPid()] as const;
      const seen = (await session.status()).turn?.id;
      await stage.machine.killDaemon();
      stage.machine.loseState();
      await stage.machine.rejoin();
      await stage.machine.startDaemon();
      for (const [n, one] of [session, onlyNew].entries()) {
        const status = await one.everywhere("meanwhile", {
          status: { state: "RUNNING", end_reason: null, node: { presence: "online" }, executor_status: "stopped" },
          agent: pids[n] ?? 0,
          page: {
            badge: "working",
            lastKnown: true,
            banner: /lost its record of this session .* whether the agent still runs, it can't tell/,
            buttons: ["Declare it lost"],
          },
        });
        expect(status.unknown_since).not.toBeNull();
        expect(status.as_of).toBe(status.unknown_since);
        await one.press("Declare it lost");
        await one.page.getByRole("dialog").getByRole("button", { name: "Declare it lost" }).click();
      }
      const ended = { state: "ERROR", end_reason: "interrupted", error_code: "declared_lost" } as const;
      await session.everywhere("afterwards", {
        status: {
          ...ended,
          executor_status: "ready",
          unknown_since: null,
          needs_resume: true,
          resume_reason: "agent_not_running",
          turn: { id: seen ?? "", outcome: "interrupted" },
        },
        agent: "none",
        page: { badge: "interrupted", buttons: ["Resume"] },
      });
      await onlyNew.everywhere("afterwards, one that can't resume", {
        status: { ...ended, executor_status: "ready", is_resumable: false, resume_reason: "not_resumable" },
        agent: "none",
        page: { badge: "cant_resume", buttons: ["Create new session"] },
      });
      expect(pids.some(alive), "what the lost folder had started is ended before anything takes its place").toBe(false);
      expect(starts()).toHaveLength(1);
      await session.press("Resume");
      await session.everywhere("after Resume", {
        status: { state: "WAITING_FOR_INPUT", executor_status: "ready", is_agent_running: true },
        agent: "one",
        page: { badge: "your_turn", banner: /its turn was cut off/ },
      });
    },
  },
];
