import { resolve } from "node:path";
import { type KeptConversation, type LaunchSpec, MAX_CONVERSATIONS, ResumeId } from "@reprise/protocol";
import { z } from "zod";
import { LIST_LIMIT_MS, MAX_LIST_BYTES } from "../../limits.ts";
import { WorkspaceProblem } from "../../workspace/problem.ts";
import { endGroup, startProgram } from "../exchange.ts";
import { asTitle } from "./files.ts";

const List = z.array(z.object({ id: ResumeId, title: z.string(), updated: z.number(), directory: z.string() }));

/** It lists those of all folders that are in no repository, so more than are shown are asked for. */
const ASKED = 5 * MAX_CONVERSATIONS;

/** The conversations that OpenCode itself lists of a folder (`session list` of 1.18). @param cwd a real path */
export async function opencodeConversations(spec: LaunchSpec, cwd: string): Promise<KeptConversation[]> {
  const args = ["session", "list", "--format", "json", "--max-count", String(ASKED)];
  // Plugins are of no use for this, and keep it waiting.
  const printed = await output({ command: spec.command, args, env: { ...spec.env, OPENCODE_PURE: "1" } }, cwd);
  const list = printed.ok && printed.text.trim() !== "" ? List.safeParse(json(printed.text)) : null;
  if (!printed.ok || (list && !list.success)) {
    const words = printed.ok ? "It answered something else than a list." : printed.message;
    throw new WorkspaceProblem("agent_failed", `${spec.agent_name} could not be asked. ${words}`);
  }
  return (list?.data ?? [])
    .filter((one) => resolve(one.directory) === cwd)
    .sort((a, b) => b.updated - a.updated)
    .map(({ id, title, updated }) => ({ id, title: asTitle(title), updated_at: updated }));
}

type Printed = { ok: true; text: string } | { ok: false; message: string };

/** What a program prints, within its time. */
function output(program: Parameters<typeof startProgram>[0], cwd: string): Promise<Printed> {
  return new Promise((done) => {
    const child = startProgram(program, cwd);
    let text = "";
    let errors = "";
    const finish = (printed: Printed) => {
      clearTimeout(timer);
      endGroup(child);
      done(printed);
    };
    const timer = setTimeout(
      () => finish({ ok: false, message: `It did not answer within ${LIST_LIMIT_MS / 1000} s.` }),
      LIST_LIMIT_MS,
    );
    child.stdin?.on("error", () => undefined);
    child.stdin?.end();
    child.stderr?.on("data", (chunk: Buffer) => {
      errors = `${errors}${chunk.toString("utf8")}`.slice(-800);
    });
    child.stdout?.setEncoding("utf8").on("data", (chunk: string) => {
      text += chunk;
      if (text.length > MAX_LIST_BYTES) finish({ ok: false, message: "Its answer has no end." });
    });
    child.once("error", (error) => finish({ ok: false, message: `It could not be started: ${error.message}` }));
    child.once("close", (code) => finish(code === 0 ? { ok: true, text } : { ok: false, message: errors.trim() }));
  });
}

function json(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Told as what it is by the caller.
    return null;
  }
}
