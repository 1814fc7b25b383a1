import { rmSync } from "node:fs";
import { expect } from "vitest";
import { until } from "../../processes.ts";
import { EXECUTORS } from "../executors.ts";
import { BACK, INTERRUPTED } from "../expected.ts";
import type { Stage } from "../stage.ts";
import type { Row } from "../table.ts";
import type { Watched } from "../watched.ts";

const LONG = "stream 900 every 100";

/** Powers it off until it is offline, in the middle of a turn that is then the last that is known. */
async function reboot({ machine }: Stage, session: Watched, whileOff: () => void = () => undefined): Promise<void> {
  await machine.powerOff();
  await machine.untilPresence("offline");
  await session.everywhere("meanwhile", {
    status: {
      state: "RUNNING",
      end_reason: null,
      node: { presence: "offline" },
      executor_status: "error",
      error_code: "node_unreachable",
    },
    agent: "none",
    page: { badge: "working", lastKnown: true, banner: /is offline since/, buttons: ["Create new session elsewhere"] },
  });
  whileOff();
  await machine.powerOn();
}

/** Machines that are rebooted. */
export const REBOOTS: readonly Row[] = [
  {
    fault: "machine rebooted (Claude Code; in Docker the scripted agent)",
    meanwhile: "offline, last known",
    afterwards: "WAITING_FOR_INPUT, turn marked, queue held",
    executors: EXECUTORS,
    cases: ["R6", "X2", "P2", "C06"],
    real: true,
    async run(stage) {
      const { session } = await stage.play({ real: "claude", prompt: "remember CODEWORD-REBOOT", until: "CODEWORD" });
      await stage.system.untilYourTurn(session.id);
      await session.prompt("long-0001", "stream 900 words every 100 ms");
      await until(async () => (await session.said()).includes("w3"), { what: "the long answer" });
      await session.prompt("queued-01", "this waits");
      await reboot(stage, session);
      await session.everywhere("afterwards", {
        ...BACK,
        status: { ...BACK.status, end_reason: null, queue_held: true, queued_prompts: 1 },
        page: { ...BACK.page, buttons: ["Continue"], text: [/Turn interrupted/, "this waits"] },
      });
      await session.prompt("recall-01", "recall");
      await until(async () => (await session.said()).split("CODEWORD-REBOOT").length > 2, { what: "the codeword" });
    },
  },
  {
    fault: "machine rebooted, auto-resume `never`",
    meanwhile: "offline, last known",
    afterwards: "ERROR `interrupted`, Resume",
    executors: EXECUTORS,
    cases: ["R6", "X2"],
    async run(stage) {
      const { session, starts } = await stage.play({ prompt: LONG, auto_resume: "never" });
      await reboot(stage, session);
      await session.everywhere("afterwards", {
        ...INTERRUPTED,
        status: { ...INTERRUPTED.status, error_code: "machine_restarted" },
      });
      expect(starts()).toHaveLength(1);
    },
  },
  {
    fault: "machine rebooted, agent can't resume",
    meanwhile: "offline, last known",
    afterwards: "ERROR `not_resumable`, workspace `ready`, Create new session",
    executors: EXECUTORS,
    cases: ["X2", "X3", "R1"],
    async run(stage) {
      const { session, starts } = await stage.play({ prompt: LONG, flags: ["--no-load", "--no-resume"] });
      await reboot(stage, session);
      await session.everywhere("afterwards", {
        status: {
          state: "ERROR",
          end_reason: "interrupted",
          executor_status: "ready",
          is_resumable: false,
          requires_new_session: true,
          resume_reason: "not_resumable",
        },
        agent: "none",
        page: { badge: "cant_resume", banner: /can't resume earlier sessions/, buttons: ["Create new session"] },
      });
      expect(starts()).toHaveLength(1);
    },
  },
  {
    fault: "rebooted before the first prompt reached the agent",
    afterwards: "`never_prompted`, Start again, the queued prompt kept",
    executors: EXECUTORS,
    cases: ["R6", "P2", "C19"],
    async run(stage) {
      const { session, starts } = await stage.play({ prompt: "echo kept", until: null, flags: ["--init-hangs"] });
      await until(() => starts().length === 1, { what: "the agent to start" });
      await session.agentPid();
      await stage.machine.powerOff();
      await stage.machine.powerOn();
      await session.everywhere("afterwards", {
        status: {
          state: "ERROR",
          executor_status: "ready",
          resume_reason: "never_prompted",
          queued_prompts: 1,
          needs_resume: false,
        },
        agent: "none",
        page: { badge: "interrupted", banner: /nothing to resume/, buttons: ["Start again"], text: ["echo kept"] },
      });
      expect(starts()).toHaveLength(1);
    },
  },
  {
    fault: "stopped by a person, then rebooted",
    afterwards: "CANCELLED, `deliberate_stop`, nothing starts",
    executors: EXECUTORS,
    cases: ["T5", "C25"],
    async run(stage) {
      const { session, starts } = await stage.play({ prompt: LONG });
      await stage.system.client.sessions.stop(session.id);
      await stage.system.untilStatus(session.id, "stopped", (s) => s.state === "CANCELLED");
      await stage.machine.powerOff();
      await stage.machine.powerOn();
      // A second one, which does come back, is the clock: by then the first would have, too.
      const other = await stage.play({ prompt: LONG });
      await stage.machine.powerOff();
      await stage.machine.powerOn();
      await stage.system.untilStatus(other.session.id, "back by itself", (s) => s.state === "WAITING_FOR_INPUT");
      await session.everywhere("afterwards", {
        status: { state: "CANCELLED", end_reason: "stopped", needs_resume: false, resume_reason: "deliberate_stop" },
        agent: "none",
        page: { badge: "stopped", banner: "You stopped this session.", buttons: ["Resume"] },
      });
      expect(starts()).toHaveLength(1);
    },
  },
  {
    fault: "worktree removed, rebooted",
    afterwards: "executor `error`, session ERROR, `workspace_missing`",
    executors: EXECUTORS,
    cases: ["X2", "T4", "C13"],
    async run(stage) {
      const { session, starts } = await stage.play({ prompt: LONG, worktree: true });
      const { worktree_path } = await session.status();
      await reboot(stage, session, () => rmSync(worktree_path ?? "", { recursive: true }));
      await session.everywhere("afterwards", {
        status: {
          state: "ERROR",
          end_reason: "interrupted",
          executor_status: "error",
          is_resumable: false,
          resume_reason: "workspace_missing",
        },
        executor: { error_code: "workspace_missing" },
        agent: "none",
        page: {
          badge: "cant_resume",
          banner: /^The folder .* is gone from/,
          buttons: ["Create new session", "Check again"],
        },
      });
      expect(starts()).toHaveLength(1);
    },
  },
];
