import { rmSync } from "node:fs";
import { join } from "node:path";
import { killGroup } from "../../processes.ts";
import { EXECUTORS, isDocker } from "../executors.ts";
import type { Stage } from "../stage.ts";
import type { Row } from "../table.ts";
import type { Watched } from "../watched.ts";

/** The agent's own files of its conversations are gone. */
async function forget(stage: Stage, session: Watched): Promise<void> {
  if (isDocker(stage.executor)) await stage.docker.containers.exec(session.id, ["rm", "-rf", "/home/agent"]);
  else rmSync(join(stage.machine.dir, "home-claude", ".claude", "projects"), { recursive: true });
}

/** Resumes that can't work. */
export const RESUMES: readonly Row[] = [
  {
    fault: "conversation gone, on resume (Claude Code; in Docker the scripted agent)",
    afterwards: "`conversation_gone` with the agent's words, Create new session; not tried again",
    executors: EXECUTORS,
    cases: ["R3", "R4", "C10", "C11"],
    real: true,
    async run(stage) {
      const { session } = await stage.play({ real: "claude", prompt: "remember CODEWORD-GONE", until: "CODEWORD" });
      await stage.system.untilYourTurn(session.id);
      killGroup(await session.agentPid());
      await stage.system.untilStatus(session.id, "interrupted", (s) => s.needs_resume);
      await forget(stage, session);
      await session.press("Resume");
      const gone = await session.everywhere("afterwards", {
        status: {
          state: "ERROR",
          executor_status: "ready",
          resume_reason: "conversation_gone",
          is_resumable: false,
          needs_resume: false,
          attempt: 0,
          retry_at: null,
        },
        agent: "none",
        page: {
          badge: "cant_resume",
          banner: /no longer has this conversation \(.*(session|resource).*\)/i,
          buttons: ["Create new session", "Try again"],
        },
      });
      // A restart of its machine is what tries by itself, if anything does.
      await stage.machine.powerOff();
      await stage.machine.powerOn();
      await session.everywhere("after a reboot", {
        status: { resume_reason: "conversation_gone", agent_execution_id: gone.agent_execution_id, retry_at: null },
        agent: "none",
        page: { badge: "cant_resume" },
      });
    },
  },
];
