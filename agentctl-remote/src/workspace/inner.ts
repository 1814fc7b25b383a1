import { realpath } from "node:fs/promises";
import { resolve } from "node:path";
import { isFolder } from "./inspect.ts";
import { WorkspaceProblem } from "./problem.ts";
import { allowedPath, type Roots, within } from "./roots.ts";

/**
 * The real folder of a workspace.
 * @throws WorkspaceProblem when it is gone, or its machine doesn't allow it (any more)
 */
export async function workspaceRoot(workspace: string, roots: Roots): Promise<string> {
  const root = await allowedPath(workspace, roots);
  if (root === null) throw new WorkspaceProblem("path_not_allowed", `This machine doesn't allow ${workspace}.`);
  if (!(await isFolder(root))) throw new WorkspaceProblem("workspace_missing", `The folder ${workspace} is gone.`);
  return root;
}

/**
 * Where a path inside a folder really leads (S4: symlinks are resolved before the check).
 * @param root a real path @throws WorkspaceProblem when it leads out of it, or nowhere
 */
export async function innerPath(root: string, path: string): Promise<string> {
  const out = () => new WorkspaceProblem("path_not_allowed", `${path} leads out of the workspace.`);
  const asked = resolve(root, path);
  if (!within(asked, root)) throw out();
  let real: string;
  try {
    real = await realpath(asked);
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : null;
    if (code === "EACCES") throw new WorkspaceProblem("path_not_allowed", `This machine may not read ${path}.`);
    throw new WorkspaceProblem("file_not_found", `There is no ${path} in this workspace.`);
  }
  if (!within(real, root)) throw out();
  return real;
}
