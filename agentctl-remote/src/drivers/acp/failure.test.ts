import { RequestError } from "@agentclientprotocol/sdk";
import { expect, it } from "vitest";
import { AgentSilent, classify } from "./failure.ts";

it.each([
  ["C11: the protocol's code", new RequestError(-32002, "Resource not found"), "conversation_gone"],
  [
    "C11: Claude",
    new RequestError(-32603, "Internal error", { details: "No conversation found with session ID: 1" }),
    "conversation_gone",
  ],
  ["C11: Codex", new RequestError(-32603, "Internal error", "no rollout found for thread id 1"), "conversation_gone"],
  ["C11: Codex's terminal", new RequestError(-32603, "No saved session found with ID 1"), "conversation_gone"],
  [
    "C11: Gemini",
    new RequestError(-32603, "Internal error", { details: "No previous sessions found for this project." }),
    "conversation_gone",
  ],
  ["C11: Gemini, another", new RequestError(-32603, "Session not found"), "conversation_gone"],
  ["R3: any other error is `not now`", new RequestError(-32603, "Internal error", { details: "429" }), "resume_failed"],
  ["R3: silence is `not now`", new AgentSilent("late"), "resume_failed"],
  ["R3: a broken pipe is `not now`, whatever it says", new Error("Session not found"), "resume_failed"],
  ["a sign-in is wanted", new RequestError(-32000, "Authentication required"), "agent_auth_required"],
] as const)("%s", (_, error, code) => {
  expect(classify("resume", error).code).toBe(code);
});

it("an agent that refuses to run as root is told with the cure", () => {
  const told = new RequestError(
    -32603,
    "Internal error",
    "--dangerously-skip-permissions cannot be used with root/sudo",
  );
  expect(classify("new", told).message).toContain("IS_SANDBOX=1");
});

it("a start that fails has its own codes", () => {
  expect(classify("initialize", new AgentSilent("late")).code).toBe("agent_init_timeout");
  expect(classify("initialize", new RequestError(-32603, "no")).code).toBe("agent_start_failed");
  expect(classify("new", new RequestError(-32002, "no such model")).code).toBe("agent_start_failed");
});
