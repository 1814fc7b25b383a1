import { GIT_LIMIT_MS } from "../limits.ts";
import { type GitResult, git } from "./git.ts";

const INERT = [
  "-c",
  "core.hooksPath=/dev/null",
  "-c",
  "safe.bareRepository=explicit",
  "--literal-pathspecs",
  "--no-pager",
];

/** Of a filter, what git runs when it compares, or insists on; by these it is turned off. */
const OFF: Readonly<Record<string, string>> = { clean: "", process: "", required: "false" };

/**
 * Ask git about a folder that somebody else may write, such as an agent in a container: nothing that its repository
 * brings may run here because a person looks at it (S4, S5). Not its hooks, nor its monitor, nor a remote's program for
 * an object that is missing, nor the filters of its own configuration; those of the machine's owner (LFS) do.
 */
export async function look(cwd: string, ...args: readonly string[]): Promise<GitResult> {
  const listed = await git(cwd, ["config", "--list", "--show-scope", "-z"], GIT_LIMIT_MS);
  // Without knowing what to turn off, nothing is asked.
  if (!listed.ok) return listed;
  return await git(cwd, [...INERT, ...args], GIT_LIMIT_MS, {
    ...configEnv(foreignFilters(listed.stdout)),
    GIT_ALLOW_PROTOCOL: "none",
  });
}

/** What puts each filter that the repository sets back to what the machine's owner says, else turns it off. */
function foreignFilters(listed: string): Map<string, string> {
  const records = listed.split("\0");
  const [own, foreign] = [new Map<string, string>(), new Map<string, string>()];
  for (let i = 0; i + 1 < records.length; i += 2) {
    const [scope, record = ""] = [records[i], records[i + 1]];
    const [key = "", ...value] = record.split("\n");
    const off = OFF[/^filter\.[\s\S]*\.([a-z]+)$/.exec(key)?.[1] ?? ""];
    if (off === undefined) continue;
    if (scope === "local" || scope === "worktree") foreign.set(key, off);
    else own.set(key, value.length === 0 ? "true" : value.join("\n"));
  }
  return new Map([...foreign].map(([key, off]) => [key, own.get(key) ?? off]));
}

/** By the environment: a key may hold any sign, which `-c` would misread. */
function configEnv(settings: ReadonlyMap<string, string>): Record<string, string> {
  const before = Number(process.env["GIT_CONFIG_COUNT"] ?? 0);
  const pairs = [...settings].flatMap(([key, value], i) => [
    [`GIT_CONFIG_KEY_${before + i}`, key] as const,
    [`GIT_CONFIG_VALUE_${before + i}`, value] as const,
  ]);
  return { ...Object.fromEntries(pairs), GIT_CONFIG_COUNT: String(before + settings.size) };
}
