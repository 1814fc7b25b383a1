/** What the sessions of one machine are doing when the control plane is lost, and what they are when all is back. */
export interface Role {
  name: string;
  count: number;
  /** Its agent's arguments. */
  flags: string[];
  auto_resume: "interrupted" | "never";
  prompt: string;
  /** What is done to it before: its agent dies, or a person ends it. */
  befalls: "nothing" | "agent_dies" | "stop" | "complete";
  before: { state: string; end_reason: string | null };
  /** After the machine itself was lost too. */
  afterLoss: { state: string; end_reason: string | null; resume_reason: string };
  /** Whether its agent lived when everything was lost: then its executor comes back by itself. */
  alive: boolean;
}

const working = { state: "RUNNING", end_reason: null };
const back = { state: "WAITING_FOR_INPUT", end_reason: null, resume_reason: "agent_running" };
const interrupted = { state: "ERROR", end_reason: "interrupted" };
const base = { flags: [], auto_resume: "interrupted", prompt: "stream", befalls: "nothing" } as const;
const live = { ...base, flags: [], before: working, afterLoss: back, alive: true };

export const ROLES: readonly Role[] = [
  { ...live, name: "streams", count: 7 },
  {
    ...live,
    name: "streams, never resumed by itself",
    count: 1,
    auto_resume: "never",
    afterLoss: { ...interrupted, resume_reason: "agent_not_running" },
  },
  {
    ...live,
    name: "streams, can't resume",
    count: 1,
    flags: ["--no-load"],
    afterLoss: { ...interrupted, resume_reason: "not_resumable" },
  },
  {
    ...live,
    name: "streams, its conversation will be gone",
    count: 1,
    flags: ["--gone"],
    afterLoss: { state: "ERROR", end_reason: "failed", resume_reason: "conversation_gone" },
  },
  { ...live, name: "streams, loads slowly", count: 1, flags: ["--slow-load"] },
  { ...live, name: "waits", count: 6, prompt: "say", before: { state: "WAITING_FOR_INPUT", end_reason: null } },
  { ...live, name: "asks", count: 2, prompt: "ask" },
  {
    ...live,
    name: "its agent died",
    count: 2,
    befalls: "agent_dies",
    before: interrupted,
    afterLoss: { ...interrupted, resume_reason: "agent_not_running" },
    alive: false,
  },
  {
    ...live,
    name: "stopped",
    count: 2,
    befalls: "stop",
    before: { state: "CANCELLED", end_reason: "stopped" },
    afterLoss: { state: "CANCELLED", end_reason: "stopped", resume_reason: "deliberate_stop" },
    alive: false,
  },
  {
    ...live,
    name: "done",
    count: 1,
    prompt: "say",
    befalls: "complete",
    before: { state: "COMPLETED", end_reason: "completed" },
    afterLoss: { state: "COMPLETED", end_reason: "completed", resume_reason: "deliberate_stop" },
    alive: false,
  },
  {
    ...live,
    name: "its agent is missing",
    count: 1,
    flags: ["--missing"],
    before: { state: "ERROR", end_reason: "failed" },
    afterLoss: { state: "ERROR", end_reason: "failed", resume_reason: "never_prompted" },
    alive: false,
  },
];

export const SESSIONS_A_MACHINE = ROLES.reduce((sum, role) => sum + role.count, 0);
