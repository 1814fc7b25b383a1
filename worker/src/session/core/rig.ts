import type { IdKind, Item, SpoolEventBody } from "@reprise/protocol";
import { CAPABILITIES } from "@reprise/protocol/testing";
import { LIMITS_DEFAULT } from "../../limits.ts";
import type { Birth } from "../rpc.ts";
import { createSession } from "./create.ts";
import type { Ctx, Effect, SessionEvent } from "./event.ts";
import { reduce } from "./reduce.ts";
import type { SessionCore } from "./state.ts";
import { nextDue } from "./timers.ts";

/** For tests: one session, its clock, and a host that tells it things in spool order. */
export class Rig {
  now = 1_000_000;
  state: SessionCore;
  effects: Effect[] = [];
  /** Every effect since the beginning. */
  history: Effect[] = [];
  spool = "spl_aaaa";
  seq = 0;
  #ids = 0;

  constructor(birth: Partial<Birth> = {}) {
    const first = createSession(
      { ...BIRTH, ...birth },
      { name: "mini", kind: "local", presence: "online", since: this.now, reason: null, heard_at: this.now },
      this.ctx(),
    );
    this.state = first.state;
    this.effects = first.effects;
    this.history = [...first.effects];
  }

  ctx(): Ctx {
    return {
      now: this.now,
      newId: (kind: IdKind) => `${PREFIX[kind] ?? kind.slice(0, 3)}_${String(++this.#ids).padStart(6, "0")}`,
      random: () => 0.5,
      limits: LIMITS_DEFAULT,
    };
  }

  do(event: SessionEvent) {
    const step = reduce(this.state, event, this.ctx());
    this.state = step.state;
    this.effects = step.effects;
    this.history.push(...step.effects);
    return step.answer;
  }

  /** The host's next events, about the present (or a named) execution. */
  host(...bodies: SpoolEventBody[]) {
    return this.hostOf(this.state.execution?.execution_id ?? this.state.last_execution_id ?? "exe_none", ...bodies);
  }

  hostOf(execution_id: string, ...bodies: SpoolEventBody[]) {
    const events = bodies.map((body) => ({ seq: ++this.seq, at: this.now, execution_id, body }));
    return this.do({ type: "link.events", spool_id: this.spool, events });
  }

  /** Through permit, spawn and initialize until the agent takes prompts; what its launch brought along is then its turn. */
  launch(token: string | null = "tok-1", can = true): string {
    const id = this.state.execution?.execution_id ?? "";
    this.do({ type: "link.permit_request", execution_id: id, spool_id: this.spool, head_seq: this.seq });
    const along = this.state.execution?.launch_prompt;
    this.host(
      { type: "execution.opened", how: "new", automatic: false },
      { type: "agent.spawned", pid: 42, start_time: "1", boot_id: "b" },
      {
        type: "agent.initialized",
        name: "A",
        version: "1",
        capabilities: { ...CAPABILITIES, load_session: can },
      },
      ...(along ? [{ type: "turn.started", turn_id: along.turn_id, prompt_id: along.prompt_id } as const] : []),
      { type: "agent.ready", token, how: "new", replayed: 0, verified: true },
    );
    this.payOutbox();
    return id;
  }

  /** A person starts an agent by hand in the session's terminal. @returns its execution's id */
  find(): string {
    const id = `exe_found${this.seq}`;
    this.hostOf(id, { type: "execution.opened", how: "found", automatic: false });
    return id;
  }

  /** The other objects take what they are owed. */
  payOutbox() {
    for (const item of this.state.outbox) {
      switch (item.type) {
        case "enqueue":
          this.do({ type: "outbox.done", key: item.key, result: { type: "enqueue", seq: 1 } });
          break;
        case "claim_token":
          this.do({ type: "outbox.done", key: item.key, result: { type: "claim_token", granted: true } });
          break;
        case "dequeue":
        case "want":
        case "forget":
          this.do({ type: "outbox.done", key: item.key, result: { type: item.type } });
          break;
      }
    }
  }

  /** The host accepts the prompt that was sent last. */
  accept() {
    const sent = this.state.prompts.find((p) => p.state === "sent");
    if (sent?.state !== "sent") throw new Error("nothing was sent");
    this.host({ type: "turn.started", turn_id: sent.turn_id, prompt_id: sent.prompt_id });
    return sent.turn_id;
  }

  say(text: string, status: "open" | "done" = "done") {
    const item: Item = { kind: "text", item_id: "i1", started_at: this.now, status, text };
    this.host({ type: "item", turn_id: this.state.turn?.turn_id ?? null, item });
  }

  die(over: Partial<Extract<SpoolEventBody, { type: "execution.ended" }>> = {}) {
    return this.host({ type: "execution.ended", ...DEATH, ...over });
  }

  prompt(prompt_id: string, text = "hello") {
    return this.do({ type: "prompt", prompt_id, blocks: [{ type: "text", text }] });
  }

  /** Let time pass to the next named wait, and do what is due. */
  wait(): boolean {
    const due = nextDue(this.state, this.ctx().limits);
    if (due === null) return false;
    this.now = Math.max(this.now, due);
    this.do({ type: "tick" });
    return true;
  }

  sends(type: string) {
    return this.history.filter((e) => (e.type === "send" ? e.frame.type === type : e.type === type));
  }

  launches(): number {
    return this.#launched.size;
  }

  get #launched() {
    return new Set(
      this.history.flatMap((e) =>
        e.type === "send" && e.frame.type === "permit.granted" ? [e.frame.execution_id] : [],
      ),
    );
  }
}

const PREFIX: Partial<Record<IdKind, string>> = {
  execution: "exe",
  turn: "trn",
  prompt: "prm_xx",
  command: "cmd",
  log: "log",
};

export const DEATH = {
  end_reason: "interrupted",
  failure: { code: "agent_died", message: "killed" },
  exit_code: null,
  signal: "SIGKILL",
  died: "agent",
  found: "live",
  group_dead: true,
} as const satisfies Omit<Extract<SpoolEventBody, { type: "execution.ended" }>, "type">;

export const TERMINAL = {
  spec: {
    agent_kind: "claude-code",
    agent_name: "Claude Code",
    driver: "terminal",
    command: "claude",
    args: [],
    env: {},
    resume_args: ["--resume"],
  },
  can_resume: true,
} as const satisfies Partial<Birth>;

export const BIRTH: Birth = {
  session_id: "ses_000001",
  task_id: "tsk_000001",
  title: "Fix the test",
  title_given: true,
  node_id: "nod_000001",
  node_kind: "local",
  state_id: "state-1",
  runtime: "standalone",
  profile_id: "claude-code",
  auto_resume: "interrupted",
  spec: {
    agent_kind: "claude-code",
    agent_name: "Claude Code",
    driver: "acp",
    command: "claude-agent-acp",
    args: [],
    env: {},
  },
  workspace: { cwd: "/w", worktree: null },
  prompt: { prompt_id: "prompt-0001", blocks: [{ type: "text", text: "hello" }] },
  token: null,
  token_from: null,
  can_resume: null,
  created_at: 1_000_000,
};
