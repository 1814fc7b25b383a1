import { DurableObject } from "cloudflare:workers";
import {
  CLOSE,
  type Command,
  decodeFrame,
  type HeartbeatAnswer,
  type HeartbeatBody,
  type NodeRequest,
  NodeUp,
  requestSince,
  type Want,
} from "@reprise/protocol";
import type { Env } from "../env.ts";
import { makeId } from "../ids.ts";
import { presenceAt } from "./core/presence.ts";
import { holdersOf, holdsPlace, reportOf, summaryOf } from "./core/report.ts";
import { tooOld, unavailable } from "./requests.ts";
import type { NodeIdentity, NodeRpc, SessionPush, TokenClaim } from "./rpc.ts";
import { type Caught, NodeShell } from "./shell.ts";
import { closeSocket } from "./sockets.ts";

/** One node: presence, last inventory, waiting commands. Wiring around `core/step.ts`. */
export class NodeObject extends DurableObject<Env> implements NodeRpc {
  readonly #shell: NodeShell;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    this.#shell = new NodeShell(ctx, env);
    // A crash between a commit and its alarm must not leave work without one.
    ctx.blockConcurrencyWhile(async () => {
      if ((await ctx.storage.getAlarm()) === null) await this.#shell.arm();
    });
  }

  async init(identity: NodeIdentity) {
    await this.#shell.step({ type: "init", identity });
  }
  async replace(identity: { machine_id: string; state_id: string }) {
    await this.#shell.step({ type: "replace", ...identity });
  }
  async rename(name: string) {
    await this.#shell.step({ type: "rename", name });
  }
  async revoke() {
    await this.#shell.step({ type: "revoke" });
  }
  async report(sessionIds: string[] | null) {
    return reportOf(this.#shell.state, sessionIds, this.#shell.ctx());
  }
  async summary() {
    return summaryOf(this.#shell.state, this.#shell.ctx());
  }
  async push(push: SessionPush) {
    await this.#shell.step({ type: "push", push });
  }
  async forget(sessionId: string) {
    await this.#shell.step({ type: "forget", session_id: sessionId });
  }
  async enqueue(command: Command) {
    return Number(await this.#shell.step({ type: "enqueue", command }));
  }
  async dequeue(commandId: string) {
    return (await this.#shell.step({ type: "dequeue", command_id: commandId })) === true;
  }
  async want(sessionId: string, reason: Want["reasons"][number], ttlMs: number) {
    await this.#shell.step({ type: "want", session_id: sessionId, reason, expires_at: Date.now() + ttlMs });
  }
  async unwant(sessionId: string, reason: Want["reasons"][number]) {
    await this.#shell.step({ type: "unwant", session_id: sessionId, reason });
  }
  async claimToken(claim: TokenClaim) {
    return (await this.#shell.step({ type: "claim_token", ...claim })) === true
      ? ("granted" as const)
      : ("refused" as const);
  }

  async holders(agentKind: string, tokens: readonly string[]) {
    return holdersOf(this.#shell.state, agentKind, tokens);
  }
  async speaks() {
    return this.#shell.state.link?.protocol_version ?? null;
  }

  async request(request: NodeRequest) {
    const { link } = this.#shell.state;
    if (link === null || presenceAt(this.#shell.state, this.#shell.ctx()).value !== "online") return unavailable();
    if (requestSince(request) > link.protocol_version) return tooOld();
    const request_id = makeId("answer");
    const question = { type: "request" as const, request_id, request };
    const answer = this.#shell.requests.wait(request_id, this.#shell.limits.node_request_ms);
    if (link.via === "http") this.#shell.requests.post(question);
    else this.#shell.sockets.send(link.conn_id, question);
    return answer;
  }

  async holds(connId: string | null) {
    return holdsPlace(this.#shell.state, connId, this.#shell.ctx());
  }

  async approve(url: string, approved: boolean) {
    return (await this.#shell.step({ type: "approve", url, approved })) === true;
  }
  async callNow() {
    return (await this.#shell.step({ type: "call_now" })) === true;
  }

  async heartbeat({ hello, conn_id, frames }: HeartbeatBody): Promise<HeartbeatAnswer> {
    const caught: Caught = { conn_id: hello ? makeId("connection") : (conn_id ?? ""), frames: [], close: null };
    if (hello) await this.#shell.step({ type: "hello", conn_id: caught.conn_id, via: "http", hello }, caught);
    const counts = this.#shell.state.link?.conn_id === caught.conn_id;
    for (const frame of counts ? frames : []) {
      if (frame.type !== "hello") await this.#shell.step({ type: "frame", conn_id: caught.conn_id, frame }, caught);
    }
    // A goodbye is a connection's last word.
    const leaves = counts && this.#shell.state.link === null;
    if (!hello && !leaves) await this.#shell.step({ type: "beat", conn_id: caught.conn_id }, caught);
    if (caught.close === null && !leaves) caught.frames.push(...this.#shell.requests.takePosted());
    return { frames: caught.frames, close: caught.close };
  }

  override async fetch(_request: Request): Promise<Response> {
    const response = this.#shell.sockets.accept(makeId("connection"), Date.now());
    await this.#shell.arm();
    return response;
  }

  override async webSocketMessage(socket: WebSocket, message: string | ArrayBuffer): Promise<void> {
    const about = this.#shell.sockets.about(socket);
    if (!about) {
      closeSocket(socket, CLOSE.bad_frame, "bad_frame");
      return;
    }
    const decoded =
      typeof message === "string"
        ? decodeFrame(message, NodeUp)
        : { ok: false as const, code: "invalid_field" as const, message: "Frames are text.", field: "" };
    if (!decoded.ok) {
      const { code, message: sentence, field } = decoded;
      this.#shell.sockets.send(about.conn_id, {
        type: "error",
        code,
        message: sentence,
        retry: "backoff",
        ...(field === undefined ? {} : { field }),
      });
      this.#shell.sockets.close(about.conn_id, "bad_frame");
      return;
    }
    const { frame } = decoded;
    if (frame.type === "hello")
      await this.#shell.step({ type: "hello", conn_id: about.conn_id, via: "socket", hello: frame });
    else if (about.hello) await this.#shell.step({ type: "frame", conn_id: about.conn_id, frame });
    else this.#shell.sockets.close(about.conn_id, "bad_frame");
  }

  override async webSocketClose(socket: WebSocket, code: number, reason: string): Promise<void> {
    closeSocket(socket, code, reason);
    await this.#gone(socket);
  }

  override async webSocketError(socket: WebSocket, error: unknown): Promise<void> {
    console.warn("node socket failed", { node_id: this.#shell.state.identity?.node_id, error: String(error) });
    await this.#gone(socket);
  }

  override async alarm(): Promise<void> {
    try {
      const now = Date.now();
      // First, so that a failure below never leaves it without a next time.
      await this.ctx.storage.setAlarm(now + this.#shell.limits.lease_check_ms);
      for (const connId of this.#shell.sockets.silentSince(now - this.#shell.limits.hello_ms))
        this.#shell.sockets.close(connId, "stale");
      await this.#shell.step({ type: "alarm" });
      await this.#shell.callIfDue();
      await this.#shell.tell();
      await this.#shell.arm();
    } catch (error) {
      console.error("node alarm failed", { node_id: this.#shell.state.identity?.node_id, error: String(error) });
    }
  }

  async #gone(socket: WebSocket): Promise<void> {
    const about = this.#shell.sockets.about(socket);
    if (!about) return;
    if (this.#shell.state.link?.conn_id === about.conn_id) this.#shell.requests.failAll();
    await this.#shell.step({ type: "closed", conn_id: about.conn_id });
  }
}
