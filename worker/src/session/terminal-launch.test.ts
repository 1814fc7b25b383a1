import { evictDurableObject, runInDurableObject } from "cloudflare:test";
import { SessionStatus, type SpoolEventBody } from "@reprise/protocol";
import { CAPABILITIES } from "@reprise/protocol/testing";
import { describe, expect, it, vi } from "vitest";
import { ask, entryOf, helloOf, NodeSocket } from "../../test/client.ts";
import { type HostSocket, LiveSession, SOON } from "../../test/session.ts";
import { DEATH, TERMINAL } from "./core/rig.ts";

/** A terminal session and its machine's control socket. */
async function born(change: Parameters<typeof LiveSession.create>[0] = {}) {
  const session = await LiveSession.create({ ...TERMINAL, ...change });
  const control = await NodeSocket.open(session.node);
  const inventory = { complete: true, last_command_seq: 0, entries: [entryOf(session.id)] };
  control.send(helloOf(session.node, { protocol_version: 3, inventory }));
  const { commands, conn_id } = await control.next("welcome");
  session.conn_id = conn_id;
  return { session, control, launch: commands[0]?.command };
}

const status = async (session: LiveSession) =>
  SessionStatus.parse((await ask(session.person, "GET", `/api/sessions/${session.id}/status`)).answer);
const rows = (session: LiveSession) =>
  runInDurableObject(session.stub, (_object, state) =>
    state.storage.sql.exec("SELECT * FROM executions ORDER BY started_at, execution_id").toArray(),
  );

/** What a host says of an agent that is up, in its order. */
function up(
  execution: { how: "new" | "resume" | "found"; token: string },
  along: SpoolEventBody[] = [],
): SpoolEventBody[] {
  return [
    { type: "execution.opened", how: execution.how, automatic: false },
    { type: "agent.spawned", pid: 42, start_time: "1", boot_id: "b" },
    ...along,
    {
      type: "agent.initialized",
      name: "Claude Code",
      version: null,
      capabilities: { ...CAPABILITIES, load_session: false, resume_session: true },
    },
    {
      type: "agent.ready",
      token: execution.token,
      how: execution.how === "resume" ? "resume" : "new",
      replayed: 0,
      verified: true,
    },
  ];
}

async function permit(session: LiveSession, host: HostSocket, execution_id: string): Promise<void> {
  host.send({ type: "permit.request", execution_id, spool_id: session.spool_id, head_seq: session.seq });
  while ((await host.next("permit.granted")).execution_id !== execution_id);
}

describe("a terminal session, from its first prompt to a resume", () => {
  it("P1, R3: created with a prompt, it runs, is killed, offers Resume, and comes back by its id", async () => {
    const { session, control, launch } = await born();
    if (launch?.type !== "launch" || !launch.prompt) throw new Error("no prompt in the launch");
    expect(launch).toMatchObject({ how: { type: "new" }, prompt: { prompt_id: "prompt-0001", text: "hello" } });
    const { prompt_id, turn_id } = launch.prompt;
    const host = await session.host();
    await permit(session, host, session.execution_id);
    await session.tell(host, ...up({ how: "new", token: "tok-1" }, [{ type: "turn.started", turn_id, prompt_id }]));
    expect(await status(session)).toMatchObject({ state: "RUNNING", driver: "terminal", is_agent_running: true });
    await session.tell(host, { type: "turn.ended", turn_id, outcome: "done", message: null });
    expect(await status(session)).toMatchObject({ state: "WAITING_FOR_INPUT", queued_prompts: 0 });
    expect(host.got.some((frame) => frame.type === "prompt")).toBe(false);

    await session.tell(host, { type: "execution.ended", ...DEATH });
    await vi.waitFor(async () => expect((await session.facts()).resume_token).toBe("tok-1"), SOON);
    expect(await status(session)).toMatchObject({ needs_resume: true, resume_reason: "agent_not_running" });
    const resumed = await ask(session.person, "POST", `/api/sessions/${session.id}/resume`, { mode: "resume" });
    expect(resumed).toMatchObject({ status: 202, answer: { status: "resumed" } });
    const { numbered } = await control.next("command");
    expect(numbered.command).toMatchObject({ type: "launch", how: { type: "resume", token: "tok-1" } });
    expect(numbered.command).not.toHaveProperty("prompt");

    session.execution_id = numbered.command.command_id;
    await permit(session, host, session.execution_id);
    await session.tell(host, ...up({ how: "resume", token: "tok-1" }));
    expect(await status(session)).toMatchObject({ state: "WAITING_FOR_INPUT", is_agent_running: true });
    await session.tell(host, { type: "agent.goodbye", reason: "prompt_input_exit", explicit: true });
    await session.tell(host, {
      type: "execution.ended",
      ...DEATH,
      end_reason: "agent_exit",
      failure: null,
      exit_code: 0,
      signal: null,
    });
    expect(await status(session)).toMatchObject({
      state: "COMPLETED",
      resume_reason: "agent_exit",
      is_resumable: false,
    });
    expect(await rows(session)).toMatchObject([
      {
        node_id: session.node.node_id,
        terminal: "agent",
        token: "tok-1",
        end_reason: "interrupted",
        last_event_type: "turn.ended",
      },
      { terminal: "agent", token: "tok-1", end_reason: "agent_exit", exit_code: 0, last_event_type: "agent.goodbye" },
    ]);
  });

  it("P2: the words that the launch brings are those of now, while it waits for its machine", async () => {
    const session = await LiveSession.create(TERMINAL);
    const path = `/api/sessions/${session.id}/prompts/prompt-0001`;
    const better = { blocks: [{ type: "text", text: "better" }] };
    expect((await ask(session.person, "PATCH", path, better)).status).toBe(200);
    const { execution } = await session.facts();
    const control = await NodeSocket.open(session.node);
    control.send(helloOf(session.node, { protocol_version: 3 }));
    const { commands } = await control.next("welcome");
    expect(commands.map(({ command }) => command)).toMatchObject([
      { type: "launch", command_id: execution?.execution_id, prompt: { prompt_id: "prompt-0001", text: "better" } },
    ]);
  });

  it("P1: a start that failed after its turn was told keeps the words, as another prompt", async () => {
    const { session, launch } = await born();
    if (launch?.type !== "launch" || !launch.prompt) throw new Error("no prompt in the launch");
    const { prompt_id, turn_id } = launch.prompt;
    const host = await session.host();
    await permit(session, host, session.execution_id);
    const [opened, spawned] = up({ how: "new", token: "" });
    if (!opened || !spawned) throw new Error("nothing to say");
    await session.tell(host, opened, spawned, { type: "turn.started", turn_id, prompt_id });
    await session.tell(
      host,
      { type: "turn.ended", turn_id, outcome: "interrupted", message: "exit code 127" },
      { type: "execution.ended", ...DEATH, end_reason: "failed", exit_code: 127, signal: null },
    );
    expect(await status(session)).toMatchObject({ state: "ERROR", resume_reason: "never_prompted", queued_prompts: 1 });
    const prompts = (await session.log()).rows.flatMap(({ body }) => (body.kind === "prompt" ? [body] : []));
    expect(prompts).toMatchObject([
      { prompt_id, state: "done", outcome: "failed" },
      { state: "queued", blocks: [{ type: "text", text: "hello" }] },
    ]);
  });

  it("R7: an agent started by hand in its terminal is a new execution, and a page is told of it", async () => {
    const { session } = await born({ prompt: null });
    const host = await session.host();
    await permit(session, host, session.execution_id);
    await session.tell(host, ...up({ how: "new", token: "tok-1" }));
    await session.tell(host, { type: "execution.ended", ...DEATH, end_reason: "agent_exit", failure: null });
    const viewer = await session.viewer();
    await viewer.next("session.snapshot");
    session.execution_id = "exe_found001";
    await session.tell(host, ...up({ how: "found", token: "tok-2" }));
    await vi.waitFor(async () => expect((await session.facts()).resume_token).toBe("tok-2"), SOON);
    expect(await status(session)).toMatchObject({
      state: "WAITING_FOR_INPUT",
      agent_execution_id: "exe_found001",
      is_agent_running: true,
      prompted: false,
    });
    await viewer.next("session.state_changed");
    expect((await rows(session)).map((row) => row["execution_id"])).toContain("exe_found001");
  });
});

describe("§3: executions kept from before", () => {
  it("§3: a table of an older version gets what is kept since, and what stood open in it is back-filled", async () => {
    const { session, host } = await LiveSession.running(TERMINAL);
    await session.tell(host, { type: "execution.ended", ...DEATH });
    const { ended_at } = await session.facts();
    await runInDurableObject(session.stub, (_object, state) => {
      state.storage.sql.exec("DROP TABLE executions");
      state.storage.sql.exec(
        "CREATE TABLE executions (execution_id TEXT PRIMARY KEY, started_at INTEGER, ended_at INTEGER, end_reason TEXT, exit_code INTEGER, signal TEXT) WITHOUT ROWID",
      );
      const add = "INSERT INTO executions (execution_id, started_at, ended_at, end_reason) VALUES (?, ?, ?, ?)";
      state.storage.sql.exec(add, "exe_first", 5, 7, "stopped");
      state.storage.sql.exec(add, "exe_older", 6, null, null);
      state.storage.sql.exec(add, session.execution_id, 8, null, null);
    });
    await evictDurableObject(session.stub);
    const kept = await rows(session);
    expect(kept).toMatchObject([
      { execution_id: "exe_first", ended_at: 7, end_reason: "stopped", node_id: session.node.node_id },
      { execution_id: "exe_older", ended_at: 6, end_reason: "interrupted" },
      { execution_id: session.execution_id, ended_at, end_reason: "interrupted", last_event_type: "execution.ended" },
    ]);
  });
});
