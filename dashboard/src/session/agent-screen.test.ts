import { newPane, type PaneState } from "@reprise/protocol";
import { describe, expect, it } from "vitest";
import { interrupted, status } from "../testing/sample.ts";
import { agentScreen, hasTerminal, isShellLeft, takesKeys } from "./agent-screen.ts";

const pane = (part: Partial<PaneState> = {}): PaneState => ({
  ...newPane("agent", "pane-aaaa", { cols: 80, rows: 24 }),
  ...part,
});
const attached = pane({ phase: "attached", stream_id: "s1" });
const refused = (code: string) => pane({ phase: "refused", refusal: { code, message: "It has none." } });
const running = status({ driver: "terminal", executor_status: "ready" });
const died = interrupted({ driver: "terminal", executor_status: "ready", is_resumable: true });
const starting = status({ driver: "terminal", state: "STARTING", is_agent_running: false, prompted: true });
const away = { ...running.node, presence: "offline" as const };

describe("B1: what stands in the place of a terminal agent's screen", () => {
  it("is the agent's own, also before it is ready: it may ask something first", () => {
    expect(agentScreen(running, attached, null)).toEqual({ kind: "live" });
    expect(agentScreen({ ...starting, is_agent_running: true }, attached, "s1")).toEqual({ kind: "live" });
  });

  it("is the old screen until the new execution's is there", () => {
    expect(agentScreen(starting, attached, "s1")).toEqual({
      kind: "coming",
      words: "Resuming Claude Code…",
      shows: true,
    });
    expect(agentScreen(starting, { ...attached, stream_id: "s2" }, "s1")).toEqual({ kind: "live" });
    expect(agentScreen({ ...starting, prompted: false }, null, null)).toMatchObject({
      words: "Starting Claude Code…",
      shows: false,
    });
  });

  it("stays readable when its terminal has ended, and takes no keys", () => {
    const over = agentScreen(died, { ...attached, phase: "ended" }, "s1");
    expect(over).toEqual({ kind: "past" });
    expect(takesKeys(over)).toBe(false);
  });

  it("is the shell's where that lives on", () => {
    const left = agentScreen(died, attached, "s1");
    expect(left).toEqual({ kind: "live" });
    expect(isShellLeft(died, left)).toBe(true);
    expect(isShellLeft(running, left)).toBe(false);
  });

  it("T3: a silent machine's is the last that was seen, and nothing is made up where none was", () => {
    expect(agentScreen({ ...running, node: away }, attached, "s1")).toEqual({ kind: "silent" });
    expect(agentScreen({ ...running, node: away }, null, null)).toMatchObject({ title: "The machine is silent" });
  });

  it("T4: one that is gone says so, and what brings the conversation back; one that can't be had says why", () => {
    expect(agentScreen(died, refused("agent_not_started"), null)).toMatchObject({
      title: "The screen is gone",
      text: expect.stringContaining("resumed, it is all there"),
      retry: false,
    });
    expect(agentScreen({ ...died, is_resumable: false }, refused("terminal_ended"), null)).toMatchObject({
      text: "It ended with its terminal.",
    });
    expect(agentScreen(running, refused("pty_missing"), null)).toMatchObject({ text: "It has none.", retry: true });
  });

  it("C28: while the way is made again the keys wait for it", () => {
    const linking = agentScreen(running, { ...attached, phase: "waiting" }, "s1");
    expect(linking).toEqual({ kind: "linking" });
    expect(takesKeys(linking)).toBe(true);
    expect(agentScreen(running, pane(), null)).toEqual({ kind: "opening" });
  });
});

it("X6: no host is started only to say that it has no terminal", () => {
  expect(hasTerminal(running)).toBe(true);
  expect(hasTerminal({ ...died, executor_status: "stopped" })).toBe(false);
  expect(agentScreen({ ...died, executor_status: "stopped" }, null, null)).toMatchObject({ kind: "none" });
});
