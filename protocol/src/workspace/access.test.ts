import { expect, it } from "vitest";
import { statusOf } from "../status/sample.ts";
import { workspaceAccess } from "./access.ts";

it("T4: an executor's error is told in its own words, never in those of its agent", () => {
  const broken = { ...statusOf(), executor_status: "error" as const };
  const node = { ...broken.node, presence: "online" as const };
  const agent = { error_code: "agent_died", error_message: "The agent was killed by SIGKILL." };
  expect(workspaceAccess({ ...broken, ...agent, node, resume_reason: "workspace_missing" })).toEqual({
    kind: "error",
    code: "workspace_missing",
    message: `The folder ${broken.workspace_path} is gone from ${node.name}.`,
  });
  expect(workspaceAccess({ ...broken, ...agent, node, resume_reason: "agent_not_running" })).toMatchObject({
    message: `${node.name} can't serve this workspace right now.`,
  });
  const own = { error_code: "worktree_failed", error_message: "git could not make the worktree: no." };
  expect(workspaceAccess({ ...broken, ...own, node })).toEqual({
    kind: "error",
    code: own.error_code,
    message: own.error_message,
  });
});
