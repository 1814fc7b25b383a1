import { expect, it } from "vitest";
import { ask } from "./core/testing.ts";
import { checked } from "./told.ts";

it("S6: what doesn't fit an event becomes a notice, and a question that can't be shown is dismissed", () => {
  const good = { type: "asked" as const, ask: ask("q1") };
  expect(checked(good)).toEqual({ told: good, dismiss: null });
  const bad = {
    type: "asked" as const,
    ask: { ...ask("q2"), options: [{ option_id: "", name: "", kind: "allow_once" as const }] },
  };
  expect(checked(bad)).toMatchObject({ told: { type: "notice", code: "unreadable" }, dismiss: "q2" });
  const names = Array.from({ length: 50 }, (_, i) => ({ id: String(i), name: "x".repeat(20_000) }));
  const huge = { type: "agent.settings" as const, mode: null, modes: names, model: null, models: [], commands: [] };
  expect(checked(huge).told.type).toBe("notice");
});
