import { expect } from "vitest";
import { alive, until } from "../../processes.ts";
import { EXECUTORS, STANDALONE } from "../executors.ts";
import { words } from "../stage.ts";
import type { Row } from "../table.ts";

const LONG = "stream 900 every 100";

/** Machines that lose, or share, who they are. */
export const IDENTITY: readonly Row[] = [
  {
    fault: "daemon's state folder lost, machine joined again with `--replace`",
    meanwhile: "sessions `unknown`, last known",
    afterwards: 'nothing is declared dead by absence; "declare lost" makes them resumable or new',
    executors: EXECUTORS,
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
  {
    fault: "machine cloned: two daemons with one credential and state",
    meanwhile: "the clone is refused, said on both",
    afterwards: "the original goes on",
    executors: STANDALONE,
    cases: ["T3", "N6", "K2", "C30"],
    limits: { SLOW_RETRY_MS: 1_000 },
    async run(stage) {
      const COUNT = 200;
      const { session, starts } = await stage.play({ prompt: `stream ${COUNT} every 100` });
      const pid = await session.agentPid();
      const copy = await stage.clone();
      await copy.startDaemon({ wait: false });
      const said = await until(
        async () => {
          const text = await copy.agentctl("status");
          return text.includes("copy of it") && text;
        },
        { what: "the clone to say that it is one" },
      );
      expect(said).toMatch(/not connected .*move the state folder away, then `agentctl join`/);
      const node = await stage.system.client.nodes.get(stage.machine.nodeId);
      expect(node).toMatchObject({ presence: "online", refused_copy: { at: expect.any(Number) } });
      expect(await stage.machine.agentctl("status")).toMatch(/\nconnected since/);
      await stage.system.untilYourTurn(session.id);
      await session.wholeOnce(words(COUNT));
      await session.everywhere("afterwards", {
        status: {
          state: "WAITING_FOR_INPUT",
          executor_status: "ready",
          is_agent_running: true,
          unknown_since: null,
          node: { presence: "online" },
        },
        agent: pid,
        page: { badge: "your_turn", banner: null },
      });
      expect(starts()).toHaveLength(1);
    },
  },
];
