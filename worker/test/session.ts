import { env } from "cloudflare:workers";
import {
  CONN_HEADER,
  decodeFrame,
  emptyCopy,
  foldRows,
  type Item,
  type LogCopy,
  SessionDown,
  type SessionUp,
  type SpoolEvent,
  type SpoolEventBody,
  ViewerDown,
  type ViewerUp,
} from "@reprise/protocol";
import { CAPABILITIES } from "@reprise/protocol/testing";
import { expect, vi } from "vitest";
import type { z } from "zod";
import { openDb } from "../src/db/db.ts";
import { insertBirth } from "../src/db/sessions.ts";
import { insertTask } from "../src/db/tasks.ts";
import { makeId } from "../src/ids.ts";
import { BIRTH } from "../src/session/core/rig.ts";
import type { SessionObject } from "../src/session/object.ts";
import type { Birth } from "../src/session/rpc.ts";
import { browser, type Caller, call, type JoinedNode, joinedNode } from "./client.ts";

/** How a condition is waited for: long, since a busy machine is no failure. */
export const SOON = { timeout: 10_000, interval: 5 };

interface Typed {
  type: string;
}

/** One end of a socket whose frames are read one by one. */
export class Wire<Down extends Typed, Up> {
  readonly closed: Promise<number>;
  /** All that came, in order, with its length on the wire. */
  readonly got: Down[] = [];
  bytes = 0;
  readonly #read = new Map<string, number>();
  readonly #socket: WebSocket;
  #arrived = Promise.withResolvers<void>();

  constructor(socket: WebSocket, schema: z.ZodType<Down>) {
    this.#socket = socket;
    socket.addEventListener("message", ({ data }) => {
      this.bytes += String(data).length;
      const decoded = decodeFrame(String(data), schema);
      if (!decoded.ok) throw new Error(`${decoded.code} ${decoded.field ?? ""}: ${String(data).slice(0, 200)}`);
      this.got.push(decoded.frame);
      this.#arrived.resolve();
    });
    this.closed = new Promise((resolve) => {
      socket.addEventListener("close", ({ code }) => resolve(code));
    });
    socket.accept();
  }

  send(frame: Up): void {
    this.raw(JSON.stringify(frame));
  }

  raw(message: string | ArrayBuffer): void {
    this.#socket.send(message);
  }

  close(): void {
    this.#socket.close(1000, "bye");
  }

  /** The next frame of that type that was not read yet; others stay for those who ask for them. */
  async next<T extends Down["type"]>(type: T): Promise<Extract<Down, { type: T }>> {
    for (;;) {
      for (let at = this.#read.get(type) ?? 0; at < this.got.length; at += 1) {
        this.#read.set(type, at + 1);
        const frame = this.got[at];
        if (frame && isType(frame, type)) return frame;
      }
      this.#arrived = Promise.withResolvers<void>();
      await this.#arrived.promise;
    }
  }
}

function isType<D extends Typed, T extends D["type"]>(frame: D, type: T): frame is Extract<D, { type: T }> {
  return frame.type === type;
}

async function open(path: string, who: Caller): Promise<WebSocket> {
  const response = await call(path, { headers: { ...who.headers, upgrade: "websocket" } });
  if (!response.webSocket) throw new Error(`no socket: ${response.status} ${await response.text()}`);
  return response.webSocket;
}

export type Viewer = Wire<ViewerDown, ViewerUp>;
export type HostSocket = Wire<SessionDown, SessionUp>;

/** A session that exists, its machine's side of it, and people who look at it: all by the Worker's own doors. */
export class LiveSession {
  readonly id: string;
  readonly node: JoinedNode;
  readonly person: Caller;
  /** Of which its host speaks. */
  execution_id: string;
  readonly spool_id = "spl_aaaa";
  seq = 0;
  /** The connection that its machine's daemon holds, where that names it. */
  conn_id: string | null = null;

  private constructor(made: { id: string; node: JoinedNode; person: Caller; execution_id: string }) {
    this.id = made.id;
    this.node = made.node;
    this.person = made.person;
    this.execution_id = made.execution_id;
  }

  /** @param place of another session, to live on the same machine */
  static async create(change: Partial<Birth> = {}, place?: Pick<LiveSession, "node" | "person">): Promise<LiveSession> {
    const { node, person } = place ?? { node: await joinedNode(), person: await browser() };
    const id = makeId("session");
    const ids = { session_id: id, task_id: makeId("task") };
    const birth: Birth = { ...BIRTH, ...ids, node_id: node.node_id, profile_id: "prf_claudecode", ...change };
    const db = openDb(env.DB);
    await insertTask(db, { id: ids.task_id, title: "x", now: 1 });
    const { profile_id, title } = birth;
    await insertBirth(db, { ...ids, node_id: node.node_id, profile_id, title, now: birth.created_at });
    await stubOf(id).create(birth);
    const execution_id = (await stubOf(id).facts())?.facts.execution?.execution_id;
    if (execution_id === undefined) throw new Error("not created");
    return new LiveSession({ id, node, person, execution_id });
  }

  /** One whose agent takes prompts; its first prompt is on its way. */
  static async running(change: Partial<Birth> = {}): Promise<{ session: LiveSession; host: HostSocket }> {
    const session = await LiveSession.create(change);
    const host = await session.host();
    host.send(session.permit());
    await host.next("permit.granted");
    await session.tell(host, ...AGENT_UP);
    // Nothing is owed any more.
    await vi.waitFor(async () => expect(await session.facts()).toMatchObject({ resume_token: "tok-1" }), SOON);
    return { session, host };
  }

  get stub() {
    return stubOf(this.id);
  }

  async facts() {
    const view = await this.stub.facts();
    if (view === null) throw new Error("no facts");
    return view.facts;
  }

  /** The node's socket, greeted. */
  async host(hello: Partial<Extract<SessionUp, { type: "session.hello" }>> = {}): Promise<HostSocket> {
    const host = await this.rawHost();
    host.send({
      type: "session.hello",
      protocol_version: 1,
      spool_id: this.spool_id,
      last_seq: this.seq,
      execution_id: null,
      permit_pending: null,
      ...hello,
    });
    return host;
  }

  async rawHost(): Promise<HostSocket> {
    const { headers } = this.node;
    const named = this.conn_id === null ? headers : { ...headers, [CONN_HEADER]: this.conn_id };
    return new Wire(await open(`/api/agentctl/sessions/${this.id}/ws`, { headers: named }), SessionDown);
  }

  async viewer(copy?: LogCopy): Promise<Viewer> {
    const query = copy ? `?log=${copy.log_id}&since=${copy.cursor}` : "";
    return new Wire(await open(`/api/sessions/${this.id}/ws${query}`, this.person), ViewerDown);
  }

  permit(head_seq = this.seq): SessionUp {
    return { type: "permit.request", execution_id: this.execution_id, spool_id: this.spool_id, head_seq };
  }

  /** The next events of the spool, not yet sent. */
  events(...bodies: SpoolEventBody[]): SpoolEvent[] {
    return bodies.map((body) => ({ seq: ++this.seq, at: 1, execution_id: this.execution_id, body }));
  }

  frame(events: SpoolEvent[]): SessionUp {
    return { type: "events", spool_id: this.spool_id, events };
  }

  /** Say the next events, and wait until they are acknowledged. */
  async tell(host: HostSocket, ...bodies: SpoolEventBody[]): Promise<void> {
    host.send(this.frame(this.events(...bodies)));
    while ((await host.next("ack")).seq < this.seq);
  }

  /** The whole log as it is stored. */
  async log() {
    let page = await this.stub.events({ limit: 100_000 });
    if (page === null) throw new Error("no log");
    const { log_id, cursor } = page;
    let { rows } = page;
    while (page !== null && page.from_pos > 0) {
      page = await this.stub.events({ limit: 100_000, before: page.from_pos });
      rows = [...(page?.rows ?? []), ...rows];
    }
    return { log_id, cursor, rows };
  }
}

export function stubOf(id: string): DurableObjectStub<SessionObject> {
  return env.SESSIONS.getByName(id) as unknown as DurableObjectStub<SessionObject>;
}

/** Fold what a viewer was told into its copy, as a page does. */
export function fold(copy: LogCopy | null, frames: readonly ViewerDown[]): LogCopy | null {
  let now = copy;
  for (const frame of frames) {
    if (frame.type === "session.snapshot") now = foldRows(emptyCopy(frame.log_id), frame.rows, frame.cursor);
    else if (frame.type === "session.catchup" && now) now = foldRows(now, frame.rows, frame.cursor);
    else if ("row" in frame && now) now = foldRows(now, [frame.row], frame.seq);
  }
  return now;
}

export function text(item_id: string, value: string, status: "open" | "done" = "done"): SpoolEventBody {
  const item: Item = { kind: "text", item_id, started_at: 1, status, text: value };
  return { type: "item", turn_id: null, item };
}

export const AGENT_UP: SpoolEventBody[] = [
  { type: "execution.opened", how: "new", automatic: false },
  { type: "agent.spawned", pid: 42, start_time: "1", boot_id: "b" },
  {
    type: "agent.initialized",
    name: "A",
    version: "1",
    capabilities: CAPABILITIES,
  },
  { type: "agent.ready", token: "tok-1", how: "new", replayed: 0, verified: true },
];
