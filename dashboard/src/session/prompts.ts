import type { LogRow, PromptBlocks, PromptState, RowBody, SessionStatus } from "@reprise/protocol";

type PromptRow = Extract<RowBody, { kind: "prompt" }>;

/** A prompt that this page sent and whose row has not come yet. The same id is sent again, so it is one prompt (P1). */
export interface Outgoing {
  readonly prompt_id: string;
  readonly blocks: PromptBlocks;
  /** Why it did not arrive; null while it is on its way. */
  readonly error: string | null;
}

/** A prompt that is not part of the conversation yet. */
export interface Waiting {
  readonly prompt_id: string;
  readonly blocks: PromptBlocks;
  readonly state: PromptState | "sending" | "unsent";
  readonly note: string | null;
}

export interface WaitingPrompts {
  /** On its way to an agent that can take it: shown where it will stand. */
  readonly going: readonly Waiting[];
  /** Waits its turn: shown in the queue, where it can be changed. */
  readonly queue: readonly Waiting[];
  /** Nobody knows whether the agent had it: a person decides. */
  readonly unsure: readonly Waiting[];
}

/** Sorts what was written and is not said yet: by the log's rows, then by what is still on its way to the log. */
export function waitingPrompts(
  rows: readonly LogRow[],
  outgoing: readonly Outgoing[],
  status: SessionStatus,
): WaitingPrompts {
  const told = new Set<string>();
  const inTurn = new Set<string>();
  const waiting: Waiting[] = [];
  const unsure: Waiting[] = [];
  for (const { body } of rows) {
    if (body.kind === "turn" && body.prompt_id !== null) inTurn.add(body.prompt_id);
  }
  for (const { body } of rows) {
    if (body.kind !== "prompt") continue;
    told.add(body.prompt_id);
    const each: Waiting = { prompt_id: body.prompt_id, blocks: body.blocks, state: body.state, note: body.note };
    if (body.state === "indeterminate") unsure.push(each);
    else if (isWaiting(body) && !inTurn.has(body.prompt_id)) waiting.push(each);
  }
  for (const { prompt_id, blocks, error } of outgoing) {
    if (!told.has(prompt_id))
      waiting.push({ prompt_id, blocks, state: error === null ? "sending" : "unsent", note: error });
  }
  const canTake = status.node.presence === "online" && !status.queue_held && isAwake(status);
  const first = waiting[0];
  if (!canTake || first === undefined || first.note !== null) return { going: [], queue: waiting, unsure };
  return { going: [first], queue: waiting.slice(1), unsure };
}

function isWaiting(prompt: PromptRow): boolean {
  return prompt.state === "queued" || prompt.state === "sent" || prompt.state === "accepted";
}

function isAwake(status: SessionStatus): boolean {
  return status.state === "WAITING_FOR_INPUT" || status.state === "STARTING" || status.state === "CREATED";
}

/** Why a prompt written now would wait; null where it goes straight to the agent. */
export function whyItWaits(status: SessionStatus): string | null {
  const { node, agent_name: agent } = status;
  if (node.presence !== "online") return `${node.name} is away. What you write is queued and sent when it is back.`;
  // What the session last did says nothing while nobody can reach its container.
  if (status.resume_reason === "runtime_unavailable")
    return `Docker does not answer on ${node.name}. What you write is queued until the agent is back.`;
  if (status.queue_held && status.queued_prompts > 0 && status.is_agent_running)
    return "The queue is held until you decide how to go on. What you write sends it on, and joins its end.";
  switch (status.state) {
    case "RUNNING":
      return status.pending_approvals > 0
        ? `${agent} waits for your approval. What you write is queued.`
        : `${agent} is working. What you write is queued.`;
    case "CREATED":
    case "STARTING":
      return `${agent} is starting. What you write is sent when it is ready.`;
    case "WAITING_FOR_INPUT":
      return null;
    case "COMPLETED":
    case "CANCELLED":
    case "ERROR":
      return status.is_resumable || !status.prompted
        ? `${agent} isn't running. What you write is queued until it is resumed.`
        : "This session can't be resumed as it stands. What you write would only wait here.";
  }
}
