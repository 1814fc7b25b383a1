import { type BannerAction, banner, type SessionStatus, sessionStatus } from "@reprise/protocol";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { SessionEvent } from "./event.ts";
import { EVENTS, type EventKey } from "./every-event.ts";
import { factsOf } from "./facts.ts";
import { Rig, TERMINAL } from "./rig.ts";
import { type Situation, situationOf } from "./situations.ts";
import { nextDue } from "./timers.ts";

/** What each button does to the session, as the page maps it; null where it leads to another session, or asks first. */
const PRESSED: Readonly<Record<BannerAction, (s: SessionStatus) => SessionEvent | null>> = {
  resume: () => ({ type: "resume", body: { mode: "resume", strategy: "native" } }),
  resume_without_retry: () => ({ type: "resume", body: { mode: "resume", strategy: "native" } }),
  retry: (s) =>
    s.is_agent_running
      ? { type: "recovery", action: "continue" }
      : { type: "resume", body: { mode: "retry", strategy: "native" } },
  dismiss: (s) => ({ type: "recovery", action: s.is_agent_running ? "release" : "dismiss" }),
  create_new: () => null,
  create_elsewhere: () => null,
  choose_profile: (s) => ({
    type: "settings",
    profile: { id: "prf_other", agent_kind: s.agent_kind, driver: s.driver, auto_resume: "never" },
  }),
  try_now: () => ({ type: "recovery", action: "try_now" }),
  cancel_attempts: () => ({ type: "recovery", action: "cancel" }),
  check_again: () => ({ type: "recovery", action: "check_again" }),
  continue: () => ({ type: "recovery", action: "continue" }),
  leave_it: () => ({ type: "recovery", action: "release" }),
  undo_stop: () => ({ type: "stop.undo" }),
  start_again: () => ({ type: "recovery", action: "start_again" }),
  ok: () => ({ type: "recovery", action: "verified" }),
  declare_lost: () => ({ type: "recovery", action: "declare_lost" }),
};
const RESUMES: ReadonlySet<BannerAction> = new Set(["resume", "resume_without_retry", "retry", "try_now"]);
const STARTS_OVER: ReadonlySet<BannerAction> = new Set([
  "create_new",
  "start_again",
  "check_again",
  "choose_profile",
  "try_now",
]);

function statusOf(rig: Rig, presence = rig.state.node.presence): SessionStatus {
  const { name, kind, since, reason, heard_at } = rig.state.node;
  const id = rig.state.node_id;
  const node = { id, name, kind, since, reason, heard_at, presence, as_of: rig.now, entry: null };
  return sessionStatus({ facts: factsOf(rig.state), node, attached: false, now: rig.now });
}

function buttonsOf(rig: Rig, status: SessionStatus) {
  const words = { now: rig.now, span: (ms: number) => `${ms}`, moment: (at: number) => `${at}` };
  return banner(status, words)?.buttons.filter((b) => !b.disabled) ?? [];
}

/** A copy to try something on. */
function copy(rig: Rig): Rig {
  const twin = new Rig();
  Object.assign(twin, { state: rig.state, now: rig.now, seq: rig.seq, spool: rig.spool });
  return twin;
}

/** Every button that is offered does what it says: it isn't refused, and what it starts has a timer of its own. */
function expectButtonsWork(rig: Rig, status: SessionStatus): void {
  for (const { action } of buttonsOf(rig, status)) {
    const event = PRESSED[action](status);
    if (event === null) continue;
    const twin = copy(rig);
    expect(twin.do(event), `${action} of ${status.resume_reason}`).toMatchObject({ ok: true });
    const starts = event.type === "resume" || action === "start_again";
    if (!starts) continue;
    expect(twin.state).toMatchObject({ state: "STARTING", execution: { phase: "claimed" } });
    expect(nextDue(twin.state, twin.ctx().limits)).not.toBeNull();
  }
}

/** A wait that ends changes something: else it would end again and again. */
function expectTimerToAct(rig: Rig): void {
  const twin = copy(rig);
  if (!twin.wait() || rig.state.removed) return;
  expect(nextDue(twin.state, twin.ctx().limits) ?? Number.POSITIVE_INFINITY).toBeGreaterThan(twin.now);
}

/** What is said now reaches the agent, or the queue is full and says so. */
function takesPrompts(rig: Rig): boolean {
  const twin = copy(rig);
  const answer = twin.prompt(`prompt-${rig.seq}-new`);
  return answer.ok ? twin.state.prompts.some((p) => p.state === "sent") : answer.error.code === "queue_full";
}

/** §3: Resume where it can be, else Create new session or what mends it; once its machine is there. */
function offers(rig: Rig): boolean {
  const status = statusOf(rig, "online");
  expectButtonsWork(rig, status);
  const actions = buttonsOf(rig, status).map((b) => b.action);
  if (actions.some((action) => STARTS_OVER.has(action))) return true;
  return status.is_resumable && actions.some((action) => RESUMES.has(action));
}

function hasWayForward(rig: Rig, situation: Situation): boolean {
  switch (situation) {
    case "REM":
      return true;
    case "CLN":
    case "CLR":
    case "RTY":
      return nextDue(rig.state, rig.ctx().limits) !== null;
    case "PRN":
    case "PRR":
    case "STN":
    case "STR":
    case "FND":
    case "LPN":
    case "WRK":
      // Its machine's turn, which has limits of its own; a person may end it at any time.
      return copy(rig).do({ type: "stop", end_reason: "stopped" }).ok;
    case "SPG":
      return copy(rig).do({ type: "stop.undo" }).ok;
    case "WAI":
      return takesPrompts(rig);
    case "INT":
    case "NEV":
    case "NOR":
    case "GON":
    case "STP":
    case "DON":
    case "BYE":
      return offers(rig);
  }
}

function expectWayForward(rig: Rig): void {
  const { state, end_reason, execution } = rig.state;
  const situation = situationOf(rig.state);
  if (situation === null) throw new Error(`nobody acts on ${state}, ${execution?.phase}, ${end_reason}`);
  if (situation !== "REM") expectButtonsWork(rig, statusOf(rig));
  expectTimerToAct(rig);
  expect(hasWayForward(rig, situation), `${situation}: ${statusOf(rig, "online").resume_reason}`).toBe(true);
}

type Move =
  | EventKey
  | "launch"
  | "launch unable"
  | "launch tokenless"
  | "accept"
  | "pay"
  | "later"
  | "restart"
  | "stranger";

const KEYS = Object.keys(EVENTS).filter((key): key is EventKey => key in EVENTS);
const move: fc.Arbitrary<Move> = fc.oneof(
  // The ordinary way is walked often, so that the strange happens in the middle of it.
  { weight: 3, arbitrary: fc.constantFrom<Move>("launch", "accept", "pay", "tick there", "resume resume") },
  { weight: 1, arbitrary: fc.constantFrom<Move>("launch unable", "launch tokenless", "later", "restart", "stranger") },
  { weight: 5, arbitrary: fc.constantFrom(...KEYS) },
);

function play(rig: Rig, m: Move): void {
  switch (m) {
    case "launch":
    case "launch unable":
    case "launch tokenless":
      if (rig.state.execution?.phase === "claimed")
        rig.launch(m === "launch tokenless" ? null : "tok-1", m !== "launch unable");
      return;
    case "accept":
      if (rig.state.prompts.some((p) => p.state === "sent")) rig.accept();
      return;
    case "pay":
      rig.payOutbox();
      return;
    case "later":
      rig.now += 25 * 3_600_000;
      return;
    case "restart":
      rig.state = JSON.parse(JSON.stringify(rig.state));
      return;
    case "stranger":
      rig.do({ type: "link.permit_request", execution_id: "exe_other", spool_id: "spl_bbbb", head_seq: 0 });
      return;
    default: {
      const event = EVENTS[m](rig);
      if (event.type === "link.events") rig.seq += event.events.length;
      rig.do(event);
    }
  }
}

describe("No order of events ends without a way forward (T4, X5)", () => {
  it("T4: each state has a timer, a machine whose turn it is, or a button that works", () => {
    fc.assert(
      fc.property(
        fc.array(move, { minLength: 10, maxLength: 60, size: "max" }),
        fc.constantFrom("interrupted", "never", "always" as const),
        fc.boolean(),
        fc.boolean(),
        (moves, auto_resume, fromToken, inTerminal) => {
          const birth = { auto_resume, ...(inTerminal ? TERMINAL : {}) };
          const rig = new Rig(fromToken ? { ...birth, prompt: null, token: "tok-9" } : birth);
          for (const m of moves) {
            play(rig, m);
            expectWayForward(rig);
          }
        },
      ),
      { numRuns: 1_500 },
    );
  });
});
