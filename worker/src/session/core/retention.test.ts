import type { EndReason, SpoolEventBody } from "@reprise/protocol";
import { describe, expect, it } from "vitest";
import type { Effect } from "./event.ts";
import { factsOf } from "./facts.ts";
import { DEATH, Rig, TERMINAL } from "./rig.ts";
import { nodeView } from "./situations.ts";
import { SessionCore } from "./state.ts";

type Died = Partial<Extract<SpoolEventBody, { type: "execution.ended" }>>;

/** A terminal agent in the middle of a turn; a second later it is gone. */
function working(): Rig {
  const rig = new Rig({ ...TERMINAL, auto_resume: "never" });
  rig.launch();
  rig.host({ type: "agent.prompted" });
  rig.now += 1_000;
  return rig;
}

const dies = (died: Died) => (rig: Rig) => rig.die(died);
const absent = (rig: Rig) =>
  rig.do({
    type: "node.evidence",
    evidence: { node_id: "nod_000001", state_id: "state-1", entry: null, complete: true, last_command_seq: 9 },
  });

interface Path {
  name: string;
  dies(rig: Rig): void;
  end_reason: EndReason;
  /** The last that was heard before. */
  last: SpoolEventBody["type"];
  code?: string | null;
}

const PATHS: readonly Path[] = [
  {
    name: "hook goodbye",
    dies: (rig) => {
      rig.host({ type: "agent.goodbye", reason: "prompt_input_exit", explicit: true });
      rig.die({ end_reason: "agent_exit", failure: null, exit_code: 0, signal: null });
    },
    end_reason: "agent_exit",
    last: "agent.goodbye",
    code: null,
  },
  {
    name: "a goodbye that was its death gasp",
    dies: (rig) => {
      rig.host({ type: "agent.goodbye", reason: "other", explicit: false });
      rig.die({ exit_code: 129, signal: null });
    },
    end_reason: "interrupted",
    last: "agent.goodbye",
    code: "agent_died",
  },
  {
    name: "stop by a person",
    dies: (rig) => {
      rig.do({ type: "stop", end_reason: "stopped" });
      rig.die({ end_reason: "stopped", failure: null });
    },
    end_reason: "stopped",
    last: "agent.prompted",
    code: null,
  },
  {
    name: "marked done by a person",
    dies: (rig) => {
      rig.do({ type: "stop", end_reason: "completed" });
      rig.die({ end_reason: "completed", failure: null });
    },
    end_reason: "completed",
    last: "agent.prompted",
    code: null,
  },
  {
    name: "PTY exit",
    dies: dies({ exit_code: null, signal: "SIGHUP" }),
    end_reason: "interrupted",
    last: "agent.prompted",
    code: "agent_died",
  },
  {
    name: "host death, seen by a living daemon",
    dies: dies({ died: "host", failure: { code: "host_died", message: "gone" } }),
    end_reason: "interrupted",
    last: "agent.prompted",
    code: "host_died",
  },
  {
    name: "daemon loss, its host gone meanwhile",
    dies: dies({ died: "host", found: "scan", failure: { code: "host_died", message: "gone" } }),
    end_reason: "interrupted",
    last: "agent.prompted",
    code: "host_died",
  },
  {
    name: "daemon loss, with nothing left there",
    dies: absent,
    end_reason: "interrupted",
    last: "agent.prompted",
    code: "spool_lost",
  },
  {
    name: "reboot",
    dies: dies({ died: "machine", found: "scan", failure: { code: "machine_restarted", message: "rebooted" } }),
    end_reason: "interrupted",
    last: "agent.prompted",
    code: "machine_restarted",
  },
  {
    name: "a machine that was declared lost",
    dies: (rig) => {
      rig.do({ type: "node.presence", node: nodeView("offline") });
      rig.do({ type: "recovery", action: "declare_lost" });
    },
    end_reason: "interrupted",
    last: "agent.prompted",
    code: "declared_lost",
  },
  {
    name: "boot back-fill of a session that was open in an older state",
    dies: (rig) => {
      rig.state = SessionCore.parse(olderState(rig.state));
      absent(rig);
    },
    end_reason: "interrupted",
    last: "agent.prompted",
    code: "spool_lost",
  },
];

/** As it was stored before terminal agents were known. */
function olderState(state: SessionCore): unknown {
  const { attention: _attention, launch_seq: _seq, ...old } = structuredClone(state);
  const { launch_prompt: _prompt, ...execution } = old.execution ?? {};
  const { with_launch: _with, ...turn } = old.turn ?? {};
  return { ...old, execution, turn };
}

const isRow = (e: Effect): e is Extract<Effect, { type: "execution" }> => e.type === "execution";
const rowOf = (rig: Rig, id: string) => rig.history.filter(isRow).findLast((row) => row.execution_id === id)?.ended;

describe("Retention: how an execution ended is kept at every death path", () => {
  for (const path of PATHS) {
    it(`§3, R7: ${path.name}`, () => {
      const rig = working();
      const id = rig.state.execution?.execution_id ?? "";
      path.dies(rig);
      const facts = factsOf(rig.state);
      expect(facts).toMatchObject({ end_reason: path.end_reason, ended_at: rig.now, last_execution_id: id });
      expect(facts.error?.code ?? null).toBe(path.code ?? null);
      // The conversation's id is kept, whatever became of the agent (T6).
      expect(facts.resume_token).toBe("tok-1");
      expect(rowOf(rig, id)).toMatchObject({ at: rig.now, end_reason: path.end_reason, last_event_type: path.last });
      expect(rig.history).toContainEqual(
        expect.objectContaining({
          type: "row.put",
          body: expect.objectContaining({ kind: "execution_end", end_reason: path.end_reason, ended_at: rig.now }),
        }),
      );
      // It stays as it ended, whatever is told later.
      const before = rig.state;
      rig.now += 60_000;
      rig.hostOf(
        id,
        { type: "agent.goodbye", reason: "other", explicit: false },
        { type: "execution.ended", ...DEATH },
      );
      absent(rig);
      const { state, end_reason, ended_at, error } = rig.state;
      expect({ state, end_reason, ended_at, error }).toEqual({
        state: before.state,
        end_reason: before.end_reason,
        ended_at: before.ended_at,
        error: before.error,
      });
    });
  }
});
