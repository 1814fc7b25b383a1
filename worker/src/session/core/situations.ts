import type { LaunchSpec, NodeView, Presence } from "@reprise/protocol";
import type { Birth } from "../rpc.ts";
import { DEATH, Rig, TERMINAL } from "./rig.ts";
import type { SessionCore } from "./state.ts";

/** For tests: where a session can stand in its recovery. What may happen next, and who acts, hangs on this alone. */
export type Situation =
  /** A start is ordered; nobody may have begun it. Of a new conversation, or of one that is resumed. */
  | "CLN"
  | "CLR"
  /** Its host may start it, once. */
  | "PRN"
  | "PRR"
  /** The agent's process lives, and does not answer yet. */
  | "STN"
  | "STR"
  /** A terminal agent's, that a person started by hand; and one whose launch brought a prompt, of which nobody knows yet. */
  | "FND"
  | "LPN"
  /** The agent waits; a turn runs; a person's stop of it is not confirmed yet. */
  | "WAI"
  | "WRK"
  | "SPG"
  /** It died or failed: a person resumes it, or the next attempt is due. */
  | "INT"
  | "RTY"
  /** Likewise, with nothing said yet; of an agent that can't resume; with its conversation gone. */
  | "NEV"
  | "NOR"
  | "GON"
  /** A person stopped it, or marked it done; the agent said goodbye; it was deleted. */
  | "STP"
  | "DON"
  | "BYE"
  | "REM";

/** @returns null for what no order of events may lead to */
export function situationOf(s: SessionCore): Situation | null {
  if (s.removed) return "REM";
  const e = s.execution;
  if (s.stop !== null) return e?.execution_id === s.stop.execution_id && e.phase !== "claimed" ? "SPG" : null;
  const isNew = e?.how === "new";
  switch (s.state) {
    case "CREATED":
      return null;
    case "STARTING":
      if (e === null) return null;
      if (e.phase === "claimed") return isNew ? "CLN" : "CLR";
      if (e.phase === "permitted") return isNew ? "PRN" : "PRR";
      if (e.how === "found") return "FND";
      if (isNew && s.turn?.end === null) return "LPN";
      return isNew ? "STN" : "STR";
    case "WAITING_FOR_INPUT":
      return e?.phase === "running" && e.ready ? "WAI" : null;
    case "RUNNING":
      return e?.phase === "running" && s.turn?.end === null ? "WRK" : null;
    case "COMPLETED":
      if (e !== null) return null;
      return s.end_reason === "agent_exit" ? "BYE" : "DON";
    case "CANCELLED":
      return e === null ? "STP" : null;
    case "ERROR":
      if (e !== null) return null;
      if (s.recovery?.retry_at != null) return "RTY";
      if (!s.prompted) return "NEV";
      if (s.resume_failure?.code === "conversation_gone") return "GON";
      return s.supports_session_resume === true ? "INT" : "NOR";
  }
}

/** How each is reached, by nothing but events. */
export const REACH: Readonly<Record<Situation, () => Rig>> = {
  CLN: () => {
    const rig = new Rig();
    rig.payOutbox();
    return rig;
  },
  PRN: () => permitted(new Rig()),
  STN: () => spawned(permitted(new Rig())),
  WAI: () => {
    const rig = working();
    rig.host({ type: "turn.ended", turn_id: rig.state.turn?.turn_id ?? "", outcome: "done", message: null });
    return rig;
  },
  WRK: () => working(),
  SPG: () => {
    const rig = working();
    rig.do({ type: "stop", end_reason: "stopped" });
    return rig;
  },
  INT: () => interrupted(),
  CLR: () => resuming(interrupted()),
  PRR: () => permitted(resuming(interrupted())),
  STR: () => spawned(permitted(resuming(interrupted()))),
  FND: () => {
    const rig = interrupted(TERMINAL);
    rig.find();
    return rig;
  },
  LPN: () => {
    const rig = permitted(new Rig(TERMINAL));
    const { turn_id = "", prompt_id = "" } = rig.state.execution?.launch_prompt ?? {};
    spawned(rig).host({ type: "turn.started", turn_id, prompt_id });
    return rig;
  },
  RTY: () => {
    const rig = resuming(interrupted());
    launchFails(rig);
    return rig;
  },
  NEV: () => {
    const rig = new Rig();
    launchFails(rig);
    return rig;
  },
  NOR: () => {
    const rig = new Rig();
    rig.launch("tok-1", false);
    rig.accept();
    rig.die();
    return rig;
  },
  GON: () => {
    const rig = spawned(permitted(resuming(interrupted())));
    rig.die({ end_reason: "failed", failure: { code: "conversation_gone", message: "No conversation found" } });
    return rig;
  },
  STP: () => stopped("stopped"),
  DON: () => stopped("completed"),
  BYE: () => {
    const rig = REACH.WAI();
    rig.die({ ...DEATH, end_reason: "agent_exit" });
    return rig;
  },
  REM: () => {
    const rig = working();
    rig.do({ type: "remove", remove_worktree: false });
    return rig;
  },
};

export const SITUATIONS: readonly Situation[] = Object.keys(REACH).filter((name): name is Situation => name in REACH);

/** A turn runs, and something was said in it. */
export function working(birth: Partial<Birth> = {}): Rig {
  const rig = new Rig(birth);
  rig.launch();
  if (rig.state.turn === null) rig.accept();
  rig.say("half");
  return rig;
}

/** Its agent died in the middle of that turn, under a living daemon. */
export function interrupted(birth: Partial<Birth> = {}): Rig {
  const rig = working(birth);
  rig.die();
  return rig;
}

export function resuming(rig: Rig): Rig {
  rig.do({ type: "resume", body: { mode: "resume", strategy: "native" } });
  rig.payOutbox();
  return rig;
}

export function permitted(rig: Rig): Rig {
  const execution_id = rig.state.execution?.execution_id ?? "";
  rig.payOutbox();
  rig.do({ type: "link.permit_request", execution_id, spool_id: rig.spool, head_seq: rig.seq });
  return rig;
}

export function spawned(rig: Rig): Rig {
  const how = rig.state.execution?.how ?? "new";
  rig.host(
    { type: "execution.opened", how, automatic: false },
    { type: "agent.spawned", pid: 42, start_time: "1", boot_id: "b" },
  );
  return rig;
}

export function launchFails(rig: Rig): void {
  const command_id = rig.state.execution?.execution_id ?? "";
  const failure = { code: "host_start_failed", message: "no" } as const;
  rig.do({ type: "node.command_failed", command_id, failure, retry_at: null });
}

function stopped(end_reason: "stopped" | "completed"): Rig {
  const rig = working();
  rig.do({ type: "stop", end_reason });
  rig.die({ ...DEATH, end_reason });
  return rig;
}

export function nodeView(presence: Presence, since = 0): Omit<NodeView, "entry" | "as_of"> {
  return { id: "nod_000001", name: "mini", kind: "local", presence, since, reason: null, heard_at: since };
}

export const SPEC: LaunchSpec = {
  agent_kind: "claude-code",
  agent_name: "Claude Code",
  driver: "acp",
  command: "claude-agent-acp",
  args: [],
  env: {},
};
