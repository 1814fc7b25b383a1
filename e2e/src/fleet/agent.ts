import type { Driver, DriverPorts } from "../../../agentctl-remote/src/drivers/driver.ts";
import type { AgentEvent } from "../../../agentctl-remote/src/host/core/types.ts";
import { CHECKPOINT_MS, SLOW_LOAD_MS, START_MS, WORD_MS } from "./limits.ts";
import type { World } from "./world.ts";

/** What an agent does is said by its arguments and by the first word of a prompt: `stream`, `ask`, or anything else. */
type Flag = "--no-load" | "--gone" | "--slow-load" | "--missing";

/** A scripted agent in the place of a process: it lives in the world's process table, and dies out of it. */
export function startScriptedAgent(ports: DriverPorts, world: World): Driver {
  const { launch, now } = ports;
  const session_id = launch.session_id;
  const truth = world.session(session_id);
  const has = (flag: Flag) => launch.spec.args.includes(flag);
  const resumes = launch.how.type === "resume";
  const start = {
    machine: world.machine,
    session_id,
    automatic: launch.automatic,
    began_at: world.handed.get(launch.command_id) ?? now(),
    over_at: null as number | null,
  };
  const timers = new Set<NodeJS.Timeout>();
  let dead = false;
  let turn: { turn_id: string; item_id: string; words: number; checkpoint_at: number; started_at: number } | null =
    null;

  const tell = (event: AgentEvent) => {
    if (!dead) ports.tell(event);
  };
  const later = (ms: number, run: () => void) => {
    const timer = setTimeout(() => {
      timers.delete(timer);
      run();
    }, ms);
    timers.add(timer);
  };
  const isOver = () => {
    start.over_at ??= now();
  };
  const item = (status: "open" | "done", text: string, item_id: string, started_at: number) =>
    tell({ type: "item", item: { kind: "text", item_id, started_at, status, text } });
  const words = (n: number) => Array.from({ length: n }, (_, i) => `w${i + 1}`).join(" ");

  function endOfProcess(exit: { exit_code: number | null; signal: string | null } | null): void {
    if (dead) return;
    isOver();
    if (exit) tell({ type: "exited", ...exit });
    for (const timer of timers) clearTimeout(timer);
    truth.agent_pid = null;
    world.agents.delete(session_id);
    tell({ type: "dead", stderr: "" });
    dead = true;
  }

  function speak(): void {
    if (!turn || dead) return;
    turn.words += 1;
    const text = words(turn.words);
    truth.said[turn.item_id] = text;
    if (now() - turn.checkpoint_at >= CHECKPOINT_MS) {
      turn.checkpoint_at = now();
      item("open", text, turn.item_id, turn.started_at);
    }
    later(WORD_MS, speak);
  }

  function finish(): void {
    if (!turn || dead) return;
    const { turn_id, item_id, started_at } = turn;
    const text = `${truth.said[item_id] ?? ""} end`.trim();
    turn = null;
    truth.said[item_id] = text;
    item("done", text, item_id, started_at);
    tell({ type: "turn.over", turn_id, outcome: "done", message: null });
  }

  later(0, () => {
    if (has("--missing")) {
      isOver();
      tell({ type: "failed", failure: { code: "agent_not_found", message: "No such program." } });
      return;
    }
    const pid = world.pid();
    world.starts.push(start);
    truth.agent_pid = pid;
    // A question waits for its answer; only what streams has a last word.
    world.agents.set(session_id, {
      finish: () => turn !== null && turn.words > 0 && finish(),
      die: () => endOfProcess({ exit_code: null, signal: "SIGKILL" }),
    });
    tell({ type: "agent.spawned", pid, start_time: "1", boot_id: "simulated" });
    later(resumes && has("--slow-load") ? SLOW_LOAD_MS : START_MS, () => {
      isOver();
      const capabilities = {
        load_session: !has("--no-load"),
        resume_session: false,
        list_sessions: false,
        close_session: false,
        prompt_image: false,
        prompt_embedded_context: false,
      };
      tell({ type: "agent.initialized", name: "Simulated", version: "1", capabilities });
      if (resumes && has("--gone")) {
        tell({ type: "failed", failure: { code: "conversation_gone", message: "No conversation found" } });
        return;
      }
      const token = launch.how.type === "resume" ? launch.how.token : `conversation-${launch.command_id}`;
      tell({ type: "agent.ready", token, how: resumes ? "load" : "new", replayed: resumes ? 3 : 0, verified: true });
    });
  });

  return {
    prompt: (turn_id, blocks) => {
      const said = blocks.map((block) => (block.type === "text" ? block.text : "")).join("");
      const at = now();
      turn = { turn_id, item_id: `item-${turn_id}`, words: 0, checkpoint_at: at, started_at: at };
      if (said.startsWith("stream")) return speak();
      if (!said.startsWith("ask")) return finish();
      tell({
        type: "asked",
        ask: {
          request_id: `ask-${turn_id}`,
          tool_call_id: null,
          title: "May I?",
          options: [{ option_id: "yes", name: "Yes", kind: "allow_once" }],
          content: [],
          input: null,
        },
      });
    },
    cancel: () => {
      if (turn) tell({ type: "turn.over", turn_id: turn.turn_id, outcome: "cancelled", message: null });
      turn = null;
    },
    answer: (_request, option) => option !== null && finish(),
    kill: () => endOfProcess(null),
    // It has no modes, and nobody looks at its previews.
    setMode: () => undefined,
    setModel: () => undefined,
    watch: () => undefined,
    whole: () => undefined,
    pauseReading: () => undefined,
    resumeReading: () => undefined,
  };
}
