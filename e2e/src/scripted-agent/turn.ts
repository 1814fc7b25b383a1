import { type ChildProcess, spawn } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { type AgentContext, methods, RequestError, type SessionUpdate } from "@agentclientprotocol/sdk";
import { STUBBORN_END_MS, STUBBORN_MS } from "./limits.ts";
import type { Step } from "./script.ts";

/** What one turn may touch. */
export type Turn = {
  readonly sessionId: string;
  readonly cwd: string;
  readonly client: AgentContext;
  readonly cancelled: AbortSignal;
  /** Stores and sends an update, in this order. */
  readonly tell: (update: SessionUpdate) => Promise<void>;
  readonly codewords: () => string[];
  readonly settings: () => string;
  readonly asksForms: boolean;
  readonly newId: (kind: string) => string;
};

/** Children that `child` started; they live in the agent's group until it is killed. */
const children: ChildProcess[] = [];

/** Carries out one step of a prompt. */
export async function runStep(step: Step, turn: Turn): Promise<void> {
  switch (step.do) {
    case "say":
      return say(turn, step.text);
    case "recall":
      return say(turn, turn.codewords().join(" ") || "I know no codeword.");
    case "stream":
      return stream(turn, step.count, step.everyMs);
    case "burst":
      await Promise.all(Array.from({ length: step.count }, (_, i) => say(turn, `${i === 0 ? "" : " "}b${i + 1}`)));
      return;
    case "think":
      return turn.tell({ sessionUpdate: "agent_thought_chunk", content: { type: "text", text: "Let me think." } });
    case "tool":
      return tool(turn);
    case "plan":
      return plan(turn);
    case "approve":
      for (let n = 0; n < step.times && !turn.cancelled.aborted; n++) await approve(turn);
      return;
    case "ask":
      return ask(turn);
    case "sleep":
      return untilCancelled(turn.cancelled);
    case "ignore-cancel":
      return stubborn(turn);
    case "exit":
      process.exit(step.code);
      break;
    case "write":
      return write(turn, step.file, step.text);
    case "child": {
      const child = spawn("sleep", ["infinity"], { stdio: "ignore" });
      children.push(child);
      return say(turn, `child ${child.pid}`);
    }
    case "error":
      throw new RequestError(-32603, step.text, { details: step.text });
    case "mode":
      return say(turn, turn.settings());
    case "unknown-update":
      // A kind that no version of the protocol has, so it goes past the types on purpose.
      return turn.client.notify<unknown>("session/update", {
        sessionId: turn.sessionId,
        update: { sessionUpdate: "_reprise/from_the_future", content: { any: "thing" } },
      });
  }
}

function say(turn: Turn, text: string): Promise<void> {
  return turn.tell({ sessionUpdate: "agent_message_chunk", content: { type: "text", text } });
}

async function stream(turn: Turn, count: number, everyMs: number): Promise<void> {
  for (let n = 1; n <= count && !turn.cancelled.aborted; n++) {
    await say(turn, n === 1 ? "w1" : ` w${n}`);
    if (n < count) await pause(everyMs, undefined, { signal: turn.cancelled }).catch(ignoreAbort);
  }
}

async function stubborn(turn: Turn): Promise<void> {
  for (let n = 1; n * STUBBORN_MS < STUBBORN_END_MS; n++) {
    await say(turn, `still here ${n} `);
    await pause(STUBBORN_MS);
  }
}

async function tool(turn: Turn): Promise<void> {
  const toolCallId = turn.newId("tool");
  const path = resolve(turn.cwd, "example.txt");
  await turn.tell({
    sessionUpdate: "tool_call",
    toolCallId,
    title: "Edit example.txt",
    kind: "edit",
    status: "pending",
  });
  await turn.tell({
    sessionUpdate: "tool_call_update",
    toolCallId,
    status: "in_progress",
    locations: [{ path, line: 2 }],
  });
  await turn.tell({
    sessionUpdate: "tool_call_update",
    toolCallId,
    status: "completed",
    content: [
      { type: "diff", path, oldText: "one\ntwo\nthree\n", newText: "one\n2\nthree\nfour\n" },
      { type: "content", content: { type: "text", text: "Changed 1 line, added 1." } },
    ],
    rawOutput: { changed: 1, added: 1 },
  });
}

function plan(turn: Turn): Promise<void> {
  return turn.tell({
    sessionUpdate: "plan",
    entries: [
      { content: "Read the code", priority: "high", status: "completed" },
      { content: "Change it", priority: "medium", status: "in_progress" },
      { content: "Test it", priority: "low", status: "pending" },
    ],
  });
}

async function approve(turn: Turn): Promise<void> {
  const toolCallId = turn.newId("approval");
  const call = { toolCallId, title: "echo approved", kind: "execute", status: "pending" } as const;
  await turn.tell({ sessionUpdate: "tool_call", ...call, rawInput: { command: "echo approved" } });
  const { outcome } = await turn.client.request(methods.client.session.requestPermission, {
    sessionId: turn.sessionId,
    toolCall: { ...call, rawInput: { command: "echo approved" } },
    options: [
      { optionId: "allow", name: "Allow once", kind: "allow_once" },
      { optionId: "always", name: "Always allow", kind: "allow_always" },
      { optionId: "reject", name: "Reject", kind: "reject_once" },
    ],
  });
  const chosen = "optionId" in outcome ? String(outcome.optionId) : outcome.outcome;
  const allowed = chosen === "allow" || chosen === "always";
  await turn.tell({ sessionUpdate: "tool_call_update", toolCallId, status: allowed ? "completed" : "failed" });
  await say(turn, `permission: ${chosen}`);
}

async function ask(turn: Turn): Promise<void> {
  if (!turn.asksForms) return say(turn, "the client takes no questions");
  const answer = await turn.client.request(methods.client.elicitation.create, {
    mode: "form",
    sessionId: turn.sessionId,
    message: "Which colour?",
    requestedSchema: {
      type: "object",
      properties: { colour: { type: "string", title: "Colour", enum: ["red", "blue"] } },
      required: ["colour"],
    },
  });
  const content = "content" in answer ? JSON.stringify(answer.content) : "";
  await say(turn, `answer: ${answer.action} ${content}`.trim());
}

async function write(turn: Turn, file: string, text: string): Promise<void> {
  const path = resolve(turn.cwd, file);
  const toolCallId = turn.newId("write");
  await turn.tell({
    sessionUpdate: "tool_call",
    toolCallId,
    title: `Write ${file}`,
    kind: "edit",
    status: "in_progress",
  });
  const oldText = readIfThere(path);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, `${text}\n`);
  await turn.tell({
    sessionUpdate: "tool_call_update",
    toolCallId,
    status: "completed",
    content: [{ type: "diff", path, oldText, newText: `${text}\n` }],
  });
}

function readIfThere(path: string): string | null {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return null;
    throw error;
  }
}

function untilCancelled(cancelled: AbortSignal): Promise<void> {
  if (cancelled.aborted) return Promise.resolve();
  return new Promise((done) => cancelled.addEventListener("abort", () => done(), { once: true }));
}

function ignoreAbort(error: unknown): void {
  if (!(error instanceof Error) || error.name !== "AbortError") throw error;
}
