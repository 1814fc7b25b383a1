import { DurableObject } from "cloudflare:workers";
import type { CloseName, ExchangeAnswer, ExchangeBody, LaunchSpec } from "@reprise/protocol";
import { type EventsPage, HEARTBEAT_PING, HEARTBEAT_PONG, rowId } from "@reprise/protocol";
import type { Env } from "../env.ts";
import type { Result } from "../result.ts";
import { createSession } from "./core/create.ts";
import { refuse } from "./core/draft.ts";
import { factsOf } from "./core/facts.ts";
import { addPrompt } from "./core/prompts.ts";
import { resume } from "./core/resume.ts";
import type { SessionCore } from "./core/state.ts";
import { SessionDoors } from "./doors.ts";
import type { Birth, NodeEvidence, RecoveryAction, SessionRpc, SessionView } from "./rpc.ts";
import { SessionShell } from "./shell.ts";
import { SNAPSHOT_ROWS } from "./viewer-frames.ts";

/** The serial authority for one session: wiring around the pure core. Every change is stored before it is told. */
export class SessionObject extends DurableObject<Env> implements SessionRpc {
  readonly #shell: SessionShell;
  readonly #doors: SessionDoors;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    this.#shell = new SessionShell(ctx, env);
    this.#doors = new SessionDoors(ctx, this.#shell);
    // Viewers and nodes ask whether their socket still lives; the platform answers without waking this object.
    ctx.setWebSocketAutoResponse(new WebSocketRequestResponsePair(HEARTBEAT_PING, HEARTBEAT_PONG));
  }

  get #core(): SessionCore | null {
    return this.#shell.core;
  }

  async create(birth: Birth): Promise<Result<{ facts: SessionView["facts"] }>> {
    if (this.#core === null) {
      const node = this.env.NODES.getByName(birth.node_id);
      if (birth.token !== null) {
        const { session_id, token, token_from: from } = birth;
        const claim = { agent_kind: birth.spec.agent_kind, token, session_id, from };
        if ((await node.claimToken(claim)) === "refused") return refuse("token_in_use");
      }
      const { id: _id, as_of: _asOf, ...view } = (await node.report([])).node;
      if (this.#core === null) {
        this.#shell.store.createTables();
        const { state, effects } = createSession(birth, view, this.#shell.stepCtx());
        this.#shell.commit(null, state, effects);
      }
    }
    return this.#core === null ? refuse("internal") : { ok: true, facts: factsOf(this.#core) };
  }

  async facts(): Promise<SessionView | null> {
    return this.#core && { facts: factsOf(this.#core), attached: this.#shell.viewers.count > 0 };
  }
  async page(): Promise<(SessionView & { events: EventsPage }) | null> {
    const view = await this.facts();
    return (
      view && this.#core && { ...view, events: this.#shell.store.page(this.#core.log_id, undefined, SNAPSHOT_ROWS) }
    );
  }
  async events(query: { before?: number; since?: number; limit: number }): Promise<EventsPage | null> {
    if (this.#core === null) return null;
    const rows = query.since === undefined ? null : this.#shell.store.since(query.since);
    if (rows) return { log_id: this.#core.log_id, cursor: this.#shell.store.cursor, from_pos: 0, rows };
    return this.#shell.store.page(this.#core.log_id, query.before, query.limit);
  }

  async resume(body: Parameters<SessionRpc["resume"]>[0]) {
    return this.#shell.rule((d) => resume(d, body));
  }
  async prompt(prompt: Parameters<SessionRpc["prompt"]>[0]): Promise<Result<{ state: string }>> {
    // The same id is the same prompt, also long after it was done (P1).
    const known = this.#core && this.#shell.store.row(rowId.prompt(prompt.prompt_id))?.body;
    if (known?.kind === "prompt") return { ok: true, state: known.state };
    return this.#shell.rule((d) => addPrompt(d, prompt));
  }
  async editPrompt(prompt_id: string, blocks: Parameters<SessionRpc["editPrompt"]>[1]) {
    return this.#shell.event({ type: "prompt.edit", prompt_id, blocks });
  }
  async removePrompt(prompt_id: string) {
    return this.#shell.event({ type: "prompt.remove", prompt_id });
  }
  async cancel() {
    return this.#shell.event({ type: "cancel" });
  }
  async stop(end_reason: "stopped" | "completed") {
    return this.#shell.event({ type: "stop", end_reason });
  }
  async undoStop() {
    return this.#shell.event({ type: "stop.undo" });
  }
  async answer(request_id: string, body: { execution_id: string; option_id: string | null }) {
    const known = this.#core && this.#shell.store.row(rowId.permission(body.execution_id, request_id))?.body;
    if (this.#core && known?.kind !== "permission") return refuse("approval_not_found");
    if (known?.kind === "permission" && known.approval.state === "answered") return refuse("approval_answered");
    return this.#shell.event({ type: "answer", request_id, ...body });
  }
  async recovery(action: RecoveryAction, spec: LaunchSpec | null = null) {
    return this.#shell.event({ type: "recovery", action, spec });
  }
  async rename(title: string) {
    return this.#shell.event({ type: "rename", title });
  }
  async settings(body: Parameters<SessionRpc["settings"]>[0]) {
    return this.#shell.event({ type: "settings", ...body });
  }
  async releaseToken(token: string) {
    return this.#shell.event({ type: "token.release", token });
  }
  async archive(on: boolean) {
    return this.#shell.event({ type: "archive", on });
  }
  async remove(opts: { remove_worktree: boolean }) {
    return this.#shell.event({ type: "remove", ...opts });
  }
  async nodeEvidence(evidence: NodeEvidence) {
    this.#shell.event({ type: "node.evidence", evidence });
  }
  async nodePresence(node: Parameters<SessionRpc["nodePresence"]>[0], cut: CloseName | null) {
    this.#shell.event({ type: "node.presence", node });
    if (cut) this.#shell.link.cut(cut);
  }
  async profileIs(is: "gone" | "back", profile_id: string) {
    this.#shell.event({ type: `profile.${is}`, profile_id });
  }
  async commandFailed(
    command_id: string,
    failure: Parameters<SessionRpc["commandFailed"]>[1],
    retry_at: number | null,
  ) {
    this.#shell.event({ type: "node.command_failed", command_id, failure, retry_at });
  }

  async exchange(node_id: string, body: ExchangeBody): Promise<Result<ExchangeAnswer>> {
    const core = this.#core;
    if (core === null || core.removed || core.node_id !== node_id) return refuse("session_not_found");
    return { ok: true, ...this.#doors.exchange(core, body) };
  }

  override async fetch(request: Request): Promise<Response> {
    return this.#doors.open(request);
  }
  override webSocketMessage(ws: WebSocket, raw: string | ArrayBuffer): void {
    this.#doors.message(ws, raw);
  }
  override webSocketClose(ws: WebSocket, code: number): void {
    this.#doors.closed(ws, code);
  }
  override webSocketError(ws: WebSocket, error: unknown): void {
    console.warn({ message: "socket failed", session_id: this.#core?.session_id, error: String(error) });
    this.#doors.gone(ws);
  }
  override async alarm(): Promise<void> {
    await this.#shell.alarm();
  }
}
