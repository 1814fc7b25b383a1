import { expect, it } from "vitest";
import { Rig } from "./rig.ts";

const named = (title_given: boolean) => {
  const rig = new Rig({ title: "Claude Code in /w", title_given });
  rig.launch();
  rig.host({ type: "agent.title", title: "Fix login" });
  return rig;
};

it("T1: without a title of a person's the agent's own is the last known one", () => {
  const rig = named(false);
  expect(rig.state.title).toBe("Fix login");
  rig.host({ type: "agent.title", title: "Fix logout" });
  expect(rig.state.title).toBe("Fix logout");
  rig.do({ type: "rename", title: "Mine" });
  rig.host({ type: "agent.title", title: "Fix all" });
  expect(rig.state.title).toBe("Mine");
});

it("T1: a title that a person gave stays", () => {
  expect(named(true).state.title).toBe("Claude Code in /w");
});
