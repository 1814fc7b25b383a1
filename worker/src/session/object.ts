import { DurableObject } from "cloudflare:workers";
import { type EventsPage, HEARTBEAT_PING, HEARTBEAT_PONG, PROTOCOL_VERSION, type SessionUp } from "@reprise/protocol";
import type { Env } from "../env.ts";
import type { Result } from "../result.ts";
import { createSession } from "./core/create.ts";
import { refuse } from "./core/draft.ts";
import { factsOf } from "./core/facts.ts";
import { addPrompt } from "./core/prompts.ts";
import { resume } from "./core/resume.ts";
import type { SessionCore } from "./core/state.ts";
import { eventOf } from "./node-frames.ts";
import { NODE_TAG } from "./node-link.ts";
import type { Birth, NodeEvidence, RecoveryAction, SessionRpc, SessionView } from "./rpc.ts";
import { SessionShell } from "./shell.ts";
import { closeBack, upgrade } from "./sockets.ts";
import { greeting, previewFrame, SNAPSHOT_ROWS, snapshot } from "./viewer-frames.ts";
import { MAX_VIEWERS, VIEWER_TAG } from "./viewers.ts";

/** The serial authority for one session: wiring around the pure core. Every change is stored before it is told. */
export class SessionObject extends DurableObject<Env> implements SessionRpc {
  readonly #shell: SessionShell;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    this.#shell = new SessionShell(ctx, env);
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
        const claim = { agent_kind: birth.spec.agent_kind, token: birth.token, session_id: birth.session_id };
        if ((await node.claimToken(claim)) === "refused") return refuse("token_in_use");
      }
      const { name, kind, presence, since, reason } = (await node.report([])).node;
      if (this.#core === null) {
        this.#shell.store.createTables();
        const { state, effects } = createSession(birth, { name, kind, presence, since, reason }, this.#shell.stepCtx());
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
    const known = this.#core && this.#shell.store.row(`p:${prompt.prompt_id}`)?.body;
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
    const known = this.#core && this.#shell.store.row(`a:${body.execution_id}:${request_id}`)?.body;
    if (this.#core && known?.kind !== "permission") return refuse("approval_not_found");
    if (known?.kind === "permission" && known.approval.state === "answered") return refuse("approval_answered");
    return this.#shell.event({ type: "answer", request_id, ...body });
  }
  async recovery(action: RecoveryAction) {
    return this.#shell.event({ type: "recovery", action });
  }
  async rename(title: string) {
    return this.#shell.event({ type: "rename", title });
  }
  async settings(body: { mode?: string | undefined; model?: string | undefined }) {
    return this.#shell.event({ type: "settings", ...body });
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
  async nodePresence(node: Parameters<SessionRpc["nodePresence"]>[0]) {
    this.#shell.event({ type: "node.presence", node });
  }
  async commandFailed(
    command_id: string,
    failure: Parameters<SessionRpc["commandFailed"]>[1],
    retry_at: number | null,
  ) {
    this.#shell.event({ type: "node.command_failed", command_id, failure, retry_at });
  }

  async spool(node_id: string, frame: Parameters<SessionRpc["spool"]>[1]): Promise<Result<{ acked: number }>> {
    const core = this.#core;
    if (core === null || core.removed || core.node_id !== node_id) return refuse("session_not_found");
    const told = this.#shell.event({ type: "link.events", ...frame });
    return told.ok ? { ok: true, acked: this.#core?.marks[frame.spool_id] ?? 0 } : told;
  }

  override async fetch(request: Request): Promise<Response> {
    const url = new URL(request.url);
    const core = this.#core;
    if (core === null) return new Response(null, { status: 404 });
    if (url.pathname === "/node") {
      const node = request.headers.get("x-reprise-node");
      if (node !== core.node_id || core.removed) return new Response(null, { status: 403 });
      return upgrade((ws) => this.#shell.link.accept(ws, core.node_id));
    }
    if (this.#shell.viewers.count >= MAX_VIEWERS) return new Response(null, { status: 429 });
    const since = url.searchParams.get("since");
    const at = { log: url.searchParams.get("log"), since: since === null ? null : Number(since) };
    return upgrade((ws) => {
      this.#shell.viewers.attach(ws);
      for (const frame of greeting(core, this.#shell.store, at, Date.now())) this.#shell.viewers.send(ws, frame);
      for (const p of this.#shell.previews.all()) this.#shell.viewers.send(ws, previewFrame(core, p));
      this.#shell.watchersChanged();
    });
  }

  override webSocketMessage(ws: WebSocket, raw: string | ArrayBuffer): void {
    const core = this.#core;
    if (core === null) return;
    if (this.ctx.getTags(ws).includes(NODE_TAG)) {
      const frame = this.#shell.link.receive(ws, raw);
      if (frame) this.#nodeFrame(core, frame);
      return;
    }
    const wish = this.#shell.viewers.receive(ws, typeof raw === "string" ? raw : "");
    if (wish.type === "snapshot")
      this.#shell.viewers.send(
        ws,
        snapshot(core, this.#shell.store.page(core.log_id, undefined, SNAPSHOT_ROWS), "slow", Date.now()),
      );
    if (wish.type === "whole") this.#shell.link.send({ type: "preview.whole", item_id: wish.item_id });
  }

  override webSocketClose(ws: WebSocket, code: number): void {
    closeBack(ws, code);
    if (this.#core && this.ctx.getTags(ws).includes(VIEWER_TAG)) this.#shell.watchersChanged(ws);
  }

  override async alarm(): Promise<void> {
    await this.#shell.alarm();
  }

  #nodeFrame(core: SessionCore, frame: SessionUp): void {
    if (frame.type === "session.hello") {
      const acked = frame.spool_id === null ? 0 : (core.marks[frame.spool_id] ?? 0);
      this.#shell.link.send({
        type: "session.welcome",
        protocol_version: PROTOCOL_VERSION,
        acked,
        watched: this.#shell.viewers.count > 0,
      });
    }
    if (frame.type === "preview") {
      const fresh = this.#shell.previews.take(frame);
      if (fresh === "gap") this.#shell.link.send({ type: "preview.whole", item_id: frame.item_id });
      else if (fresh !== "known") this.#shell.viewers.broadcast(previewFrame(core, fresh));
    }
    if (
      frame.type === "idle" &&
      !core.prompts.some((p) => p.state === "sent") &&
      core.approvals.every((a) => a.answer === null)
    ) {
      this.#shell.link.send({ type: "idle.ok" });
    }
    if (frame.type === "error")
      console.warn({ ...frame, message: `node: ${frame.message}`, session_id: core.session_id });
    const event = eventOf(frame);
    if (event) this.#shell.event(event);
  }
}
