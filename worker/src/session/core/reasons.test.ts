import { type Presence, ResumeReason, sessionStatus } from "@reprise/protocol";
import { describe, expect, it } from "vitest";
import { EVENTS, type EventKey } from "./every-event.ts";
import { factsOf } from "./facts.ts";
import { Rig, TERMINAL } from "./rig.ts";
import { interrupted, nodeView, permitted, REACH, resuming, spawned, working } from "./situations.ts";

function reasonOf(rig: Rig): ResumeReason {
  const { presence, since } = rig.state.node;
  const node = { ...nodeView(presence, since), as_of: since, entry: null };
  return sessionStatus({ facts: factsOf(rig.state), node, attached: false, now: rig.now }).resume_reason;
}

function then(rig: Rig, ...keys: EventKey[]): Rig {
  for (const key of keys) {
    const event = EVENTS[key](rig);
    if (event.type === "link.events") rig.seq += event.events.length;
    expect(rig.do(event), key).toMatchObject({ ok: true });
  }
  return rig;
}

const silent = (presence: Presence) => {
  const rig = interrupted();
  rig.do({ type: "node.presence", node: nodeView(presence, rig.now) });
  return rig;
};

/** How each reason comes about: what happened, never a state made by hand. In the order of precedence. */
const COMES_ABOUT = {
  agent_running: () => working(),
  deliberate_stop: () => REACH.STP(),
  agent_exit: () => REACH.BYE(),
  node_reconnecting: () => silent("reconnecting"),
  node_offline: () => silent("offline"),
  runtime_unavailable: () => then(resuming(interrupted()), "launch_failed no_runtime"),
  container_missing: () => then(resuming(interrupted()), "launch_failed no_container"),
  workspace_missing: () => then(interrupted(), "evidence no_folder"),
  profile_missing: () => then(interrupted(), "profile.gone"),
  never_prompted: () => {
    const rig = new Rig();
    rig.launch();
    rig.die({ died: "machine", found: "scan" });
    return rig;
  },
  not_resumable: () => REACH.NOR(),
  missing_resume_token: () => {
    const rig = new Rig();
    rig.launch(null);
    rig.accept();
    rig.die();
    return rig;
  },
  conversation_gone: () => then(spawned(permitted(resuming(interrupted()))), "ended failed gone"),
  resume_failed: () => then(resuming(interrupted()), "launch_failed passing"),
  agent_not_running: () => interrupted(),
} satisfies Record<ResumeReason, () => Rig>;

describe("Every resume_reason comes about (design §3)", () => {
  it("§3: none of the closed set is missing, and they stand in its order", () => {
    expect(Object.keys(COMES_ABOUT)).toEqual(ResumeReason.options);
  });

  for (const [reason, make] of Object.entries(COMES_ABOUT)) {
    it(`§3: ${reason}`, () => expect(reasonOf(make())).toBe(reason));
  }

  it("§3: a profile that is back is missing no longer", () => {
    expect(reasonOf(then(interrupted(), "profile.gone", "profile.back"))).toBe("agent_not_running");
  });

  it("§3: of all that holds at once, the first in that order is said", () => {
    const rig = interrupted({ auto_resume: "never" });
    const said = [reasonOf(rig)];
    const more = (...keys: EventKey[]) => said.push(reasonOf(then(rig, ...keys)));
    resuming(rig);
    more("launch_failed passing");
    spawned(permitted(resuming(rig)));
    more("ended failed gone");
    more("profile.gone");
    more("evidence no_folder");
    more("evidence no_runtime");
    more("presence offline");
    more("presence reconnecting");
    more("stop stopped");
    expect(said).toEqual([
      "agent_not_running",
      "resume_failed",
      "conversation_gone",
      "profile_missing",
      "workspace_missing",
      "runtime_unavailable",
      "node_offline",
      "node_reconnecting",
      "deliberate_stop",
    ]);
    const order = said.map((reason) => ResumeReason.options.indexOf(reason));
    expect(order).toEqual(order.toSorted((a, b) => b - a));
  });

  it("§3: of a terminal agent: what it was never told, what its profile can't, what it never said", () => {
    const { resume_args: _none, ...spec } = TERMINAL.spec;
    for (const [birth, token, reason] of [
      [{ ...TERMINAL, prompt: null }, "tok-1", "never_prompted"],
      [{ spec, can_resume: false }, "tok-1", "not_resumable"],
      [TERMINAL, null, "missing_resume_token"],
      [TERMINAL, "tok-1", "agent_not_running"],
    ] as const) {
      const rig = new Rig(birth);
      rig.launch(token, birth.can_resume);
      rig.die();
      expect(reasonOf(rig)).toBe(reason);
    }
  });

  it("§3: a conversation of an agent that never told its id, and can't resume either, says so in that order", () => {
    const rig = new Rig();
    rig.launch(null, false);
    expect(reasonOf(rig)).toBe("agent_running");
    rig.die();
    expect(reasonOf(rig)).toBe("never_prompted");
    then(rig, "recovery start_again");
    rig.launch(null, false);
    rig.accept();
    rig.die();
    expect(reasonOf(rig)).toBe("not_resumable");
  });
});
