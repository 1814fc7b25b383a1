import { resolve } from "node:path";
import { type KeptConversation, type LaunchSpec, MAX_CONVERSATIONS, ResumeId } from "@reprise/protocol";
import { z } from "zod";
import { LIST_LIMIT_MS } from "../../limits.ts";
import { WorkspaceProblem } from "../../workspace/problem.ts";
import { exchange, type Step } from "../exchange.ts";
import { readInitialized } from "../probe.ts";
import { asTitle } from "./files.ts";

const Page = z.object({
  id: z.number(),
  result: z.object({ sessions: z.array(z.unknown()), nextCursor: z.string().nullish() }),
});
const Refused = z.object({ id: z.number(), error: z.object({ message: z.string() }) });
const Listed = z.object({
  sessionId: ResumeId,
  cwd: z.string(),
  title: z.string().nullish(),
  updatedAt: z.string().nullish(),
});

type Outcome = { ok: true; conversations: KeptConversation[] | null } | { ok: false; message: string };

/**
 * Ask an ACP agent, by a short start of it, for its conversations in a folder. @param cwd a real path
 * @returns null where it can't list any @throws WorkspaceProblem where it can't be asked
 */
export async function listedByAgent(spec: LaunchSpec, cwd: string): Promise<KeptConversation[] | null> {
  const program = { command: spec.command, args: spec.args, env: spec.env };
  const exchanged = await exchange(program, { cwd, limitMs: LIST_LIMIT_MS }, listing(cwd));
  const outcome = exchanged.ok ? exchanged.result : exchanged;
  if (outcome.ok) return outcome.conversations;
  throw new WorkspaceProblem("agent_failed", `${spec.agent_name} could not be asked. ${outcome.message}`);
}

/** What to ask after each answer: whether it can list, then page after page. */
function listing(cwd: string): (json: unknown) => Step<Outcome> {
  const found: KeptConversation[] = [];
  let asked = 0;
  const ask = (cursor: string | null): Step<Outcome> => ({
    type: "ask",
    id: ++asked,
    method: "session/list",
    params: cursor === null ? { cwd } : { cwd, cursor },
  });
  const done = (result: Outcome): Step<Outcome> => ({ type: "done", result });
  return (json) => {
    if (asked === 0) {
      const probe = readInitialized(json);
      if (!probe) return { type: "wait" };
      if (!probe.ok) return done(probe);
      return probe.capabilities.list_sessions ? ask(null) : done({ ok: true, conversations: null });
    }
    const refused = Refused.safeParse(json);
    if (refused.success && refused.data.id === asked)
      return done({ ok: false, message: `It said: ${refused.data.error.message}` });
    const page = Page.safeParse(json);
    if (!page.success || page.data.id !== asked) return { type: "wait" };
    const { sessions, nextCursor } = page.data.result;
    found.push(...sessions.flatMap((one) => kept(one, cwd)));
    const more = nextCursor && found.length < MAX_CONVERSATIONS && asked < MAX_CONVERSATIONS;
    return more ? ask(nextCursor) : done({ ok: true, conversations: found });
  };
}

/** Those of other folders are left out, also by agents that list all. */
function kept(one: unknown, cwd: string): KeptConversation[] {
  const listed = Listed.safeParse(one);
  if (!listed.success || resolve(listed.data.cwd) !== cwd) return [];
  const at = Date.parse(listed.data.updatedAt ?? "");
  return [
    {
      id: listed.data.sessionId,
      title: asTitle(listed.data.title ?? ""),
      updated_at: Number.isNaN(at) ? null : at,
    },
  ];
}
