import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { MARKER } from "./command.ts";

/**
 * OpenCode has no hooks, but plugins. Ours says, through the session's report script, what a hook would: in the words
 * of said-by-opencode.ts. It keeps OpenCode waiting for nothing, and whatever fails in it is nobody's but its own.
 * Checked with 1.18.
 */
export const PLUGIN_TEXT = `// ${MARKER}
// Tells the Reprise session whose terminal OpenCode runs in which conversation it serves, and when its turns begin and
// end. Elsewhere it does nothing.
import { spawn } from "node:child_process";

const LIMIT_MS = 2000;

function tell(report, said) {
  return new Promise((resolve) => {
    try {
      const child = spawn(report, ["hook", "opencode"], { stdio: ["pipe", "ignore", "ignore"] });
      const timer = setTimeout(() => {
        child.kill("SIGKILL");
        resolve();
      }, LIMIT_MS);
      const over = () => {
        clearTimeout(timer);
        resolve();
      };
      child.on("error", over);
      child.on("exit", over);
      child.stdin.on("error", () => {});
      child.stdin.end(JSON.stringify(said));
    } catch {
      resolve();
    }
  });
}

export const Reprise = async ({ client }) => {
  const report = process.env.REPRISE_REPORT;
  if (!report) return {};
  const send = (said) => tell(report, said);
  // One after the other, so that they are heard in the order in which they were said; none holds up the next for long.
  let last = Promise.resolve();
  const inOrder = (work) => {
    last = last.then(() => Promise.race([work(), new Promise((resolve) => setTimeout(resolve, 2 * LIMIT_MS).unref())]));
    last = last.catch(() => {});
  };

  // A subagent's conversation has a parent.
  const parents = new Map();
  const isMain = async (id) => {
    if (!parents.has(id)) {
      const { data } = await client.session.get({ path: { id } });
      if (data) parents.set(id, data.parentID ?? null);
    }
    return parents.get(id) === null;
  };

  let present = null;
  let inTurn = false;
  const say = (id, said) =>
    inOrder(async () => {
      if (typeof id !== "string" || !(await isMain(id))) return;
      if (present !== id) await send({ type: "conversation", id });
      present = id;
      // The end of a turn is told several times, by an error and by being idle again.
      const begins = said.type === "prompted";
      if (begins || inTurn) await send({ id, ...said });
      inTurn = begins;
    });
  // Whoever asks, a subagent too, is answered in the main conversation.
  const asks = (text) =>
    inOrder(async () => {
      if (present !== null) await send({ type: "asks", id: present, text });
    });

  return {
    "chat.message": async ({ sessionID }) => say(sessionID, { type: "prompted" }),
    event: async ({ event }) => {
      const { sessionID, info, error, permission, patterns, questions } = event.properties ?? {};
      switch (event.type) {
        case "session.created":
        case "session.updated":
          if (info?.id) parents.set(info.id, info.parentID ?? null);
          break;
        case "session.idle":
          say(sessionID, { type: "turn_over", outcome: "done", message: null });
          break;
        case "session.error":
          if (error?.name === "MessageAbortedError") say(sessionID, { type: "idle" });
          else say(sessionID, { type: "turn_over", outcome: "failed", message: String(error?.data?.message ?? error?.name) });
          break;
        case "permission.asked":
          asks("Permission required: " + [permission, ...(patterns ?? [])].join(" "));
          break;
        case "question.asked":
          asks(String(questions?.[0]?.question ?? "It asks a question."));
          break;
      }
    },
  };
};
`;

const Lock = z.object({ packages: z.object({ "": z.object({ dependencies: z.record(z.string(), z.unknown()) }) }) });

/**
 * OpenCode installs a package for plugins into its folder, by itself and in the background. Once there is a plugin it
 * waits for that at its start: seconds, and minutes where the registry can't be reached. This is how it looks whether
 * there is something to install.
 */
export function wouldWait(folder: string): boolean {
  const lock = join(folder, "package-lock.json");
  if (!existsSync(join(folder, "node_modules")) || !existsSync(lock)) return true;
  try {
    const parsed = Lock.safeParse(JSON.parse(readFileSync(lock, "utf8")));
    return !(parsed.success && Object.hasOwn(parsed.data.packages[""].dependencies, "@opencode-ai/plugin"));
  } catch {
    // Half written: it is being installed.
    return true;
  }
}
