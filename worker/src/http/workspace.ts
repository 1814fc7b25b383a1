import { type CreateSession, RepriseError, type WorkspaceSpec } from "@reprise/protocol";
import type { NodeRow } from "../db/nodes.ts";
import { unwrap } from "../result.ts";
import type { Ctx } from "./context.ts";

/**
 * The folder a session works in. A machine that is there is asked; one that is away checks it itself when it launches.
 * @throws `invalid_field` for a folder that isn't there, `node_unavailable` where a worktree needs an answer.
 */
export async function workspaceFor(
  c: Ctx,
  node: NodeRow,
  body: CreateSession,
  sessionId: string,
): Promise<WorkspaceSpec> {
  const cwd = absolute(body.cwd, node.home);
  const asked = await c.env.NODES.getByName(node.id).request({ op: "inspect_path", path: cwd });
  if (!asked.ok) {
    if (body.worktree) unwrap(asked);
    return { cwd, worktree: null };
  }
  if (asked.answer.op !== "inspect_path") throw new RepriseError("internal");
  const folder = asked.answer;
  if (!folder.exists) throw field("cwd", `There is no folder ${cwd} on ${node.name}.`);
  if (!folder.allowed) throw field("cwd", `${node.name} doesn't allow sessions in ${cwd}.`);
  if (!body.worktree) return { cwd: folder.path, worktree: null };
  if (!folder.git) throw field("worktree", `${folder.path} isn't in a git repository, so it can't have a worktree.`);
  const { root } = folder.git;
  const path = worktreePath(node.home, root, body.worktree.branch, sessionId);
  return {
    // The same place inside the worktree as `cwd` has in the repository.
    cwd: path + (folder.path.startsWith(`${root}/`) ? folder.path.slice(root.length) : ""),
    worktree: { repo: root, path, branch: body.worktree.branch, base: body.worktree.base ?? null },
  };
}

/** @throws `invalid_field` for a path that depends on where a program was started. */
export function absolute(path: string, home: string): string {
  const expanded = path === "~" || path.startsWith("~/") ? home + path.slice(1) : path;
  if (!expanded.startsWith("/")) throw field("cwd", "Name the folder by its whole path, from / or ~.");
  return expanded.length > 1 ? expanded.replace(/\/+$/, "") || "/" : expanded;
}

function worktreePath(home: string, root: string, branch: string, sessionId: string): string {
  const repo = root.split("/").at(-1) ?? "repository";
  const slug = branch.replaceAll(/[^A-Za-z0-9._-]+/g, "-").slice(0, 60);
  return `${home}/.reprise/worktrees/${repo}/${slug}-${sessionId.slice(-6)}`;
}

function field(name: string, message: string): RepriseError {
  return new RepriseError("invalid_field", message, { field: name });
}
