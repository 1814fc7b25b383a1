import { exports } from "cloudflare:workers";
import { type InventoryEntry, NodeDown, type NodeHello, type NodeUp, ONLY_STANDALONE } from "@reprise/protocol";
import { z } from "zod";

export const ORIGIN = "http://localhost";
const SETUP_SECRET = "test-setup-secret";

/** One request to the Worker as the outside makes it. */
export function call(path: string, init: RequestInit = {}): Promise<Response> {
  return exports.default.fetch(new Request(ORIGIN + path, init));
}

export interface Caller {
  headers: Record<string, string>;
}

/** A request with a JSON body by someone; `answer` is the parsed body. */
export async function ask(
  who: Caller,
  method: string,
  path: string,
  body?: unknown,
): Promise<{ status: number; answer: unknown; code: string | null }> {
  const response = await call(path, {
    method,
    headers: { ...who.headers, ...(body === undefined ? {} : { "content-type": "application/json" }) },
    ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) }),
  });
  const answer: unknown = await response.json();
  const error = z.object({ error: z.object({ code: z.string() }) }).safeParse(answer);
  return { status: response.status, answer, code: error.success ? error.data.error.code : null };
}

async function setup(path: string): Promise<unknown> {
  const headers = { authorization: `Bearer ${SETUP_SECRET}` };
  return (await call(path, { method: "POST", headers })).json();
}

export async function signInLink(): Promise<string> {
  const { url } = z.object({ url: z.string() }).parse(await setup("/api/setup/sign-in-link"));
  return url.split("#")[1] ?? "";
}

/** A person in a browser. */
export async function browser(): Promise<Caller> {
  const token = await signInLink();
  const response = await call("/api/sign-in", {
    method: "POST",
    headers: { origin: ORIGIN, "content-type": "application/json" },
    body: JSON.stringify({ token }),
  });
  const cookie = (response.headers.get("set-cookie") ?? "").split(";")[0] ?? "";
  await response.body?.cancel();
  return { headers: { cookie, origin: ORIGIN } };
}

export async function apiToken(person: Caller): Promise<Caller> {
  const made = await ask(person, "POST", "/api/account/tokens", { name: "test" });
  const { secret } = z.object({ secret: z.string() }).parse(made.answer);
  return { headers: { authorization: `Bearer ${secret}` } };
}

export async function joinToken(): Promise<string> {
  return z.object({ token: z.string() }).parse(await setup("/api/setup/join-token")).token;
}

export interface JoinedNode extends Caller {
  node_id: string;
  machine_id: string;
}

let machines = 0;

export async function joinedNode(machine_id = `machine-${++machines}-${crypto.randomUUID()}`): Promise<JoinedNode> {
  const made = await ask({ headers: {} }, "POST", "/api/agentctl/join", {
    token: await joinToken(),
    machine_id,
    state_id: "state-1",
    hostname: "box",
    platform: "linux",
  });
  const { node_id, credential } = z.object({ node_id: z.string(), credential: z.string() }).parse(made.answer);
  return { node_id, machine_id, headers: { authorization: `Bearer ${credential}` } };
}

export function helloOf(node: { machine_id: string }, change: Partial<NodeHello> = {}): NodeHello {
  return {
    type: "hello",
    protocol_version: 1,
    machine_id: node.machine_id,
    state_id: "state-1",
    boot_id: "boot-1",
    nonce: null,
    after_yield: false,
    daemon: { version: "0.1.0", pid: 1, started_at: 1 },
    hostname: "box",
    platform: "linux",
    home: "/home/me",
    agents: [],
    runtimes: [...ONLY_STANDALONE],
    inventory: { complete: true, last_command_seq: 0, entries: [] },
    ...change,
  };
}

export function entryOf(session_id: string, change: Partial<InventoryEntry> = {}): InventoryEntry {
  return {
    session_id,
    runtime: "standalone",
    spool: { spool_id: "spl_aaaa", last_seq: 1 },
    host: { state: "alive", pid: 2, container_id: null },
    executor: { status: "ready", failure: null, retry_at: null },
    execution: null,
    workspace: { path: "/home/me/x", exists: true },
    ...change,
  };
}

/** A node's control socket, from the daemon's side. */
export class NodeSocket {
  readonly #socket: WebSocket;
  readonly #frames: NodeDown[] = [];
  readonly closed: Promise<number>;
  #arrived = Promise.withResolvers<void>();

  constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.addEventListener("message", ({ data }) => {
      if (data === "pong") return;
      this.#frames.push(NodeDown.parse(JSON.parse(String(data))));
      this.#arrived.resolve();
    });
    this.closed = new Promise((resolve) => {
      socket.addEventListener("close", ({ code }) => resolve(code));
    });
    socket.accept();
  }

  static async open(node: Caller): Promise<NodeSocket> {
    const response = await call("/api/agentctl/connect", { headers: { ...node.headers, upgrade: "websocket" } });
    if (!response.webSocket) throw new Error(`no socket: ${response.status} ${await response.text()}`);
    return new NodeSocket(response.webSocket);
  }

  send(frame: NodeUp | string): void {
    this.#socket.send(typeof frame === "string" ? frame : JSON.stringify(frame));
  }

  close(): void {
    this.#socket.close(1000, "bye");
  }

  /** The next frame of that type; others before it are passed over. */
  async next<T extends NodeDown["type"]>(type: T): Promise<Extract<NodeDown, { type: T }>> {
    for (;;) {
      const frame = this.#frames.shift();
      if (!frame) {
        this.#arrived = Promise.withResolvers<void>();
        await this.#arrived.promise;
      } else if (isType(frame, type)) return frame;
    }
  }
}

function isType<T extends NodeDown["type"]>(frame: NodeDown, type: T): frame is Extract<NodeDown, { type: T }> {
  return frame.type === type;
}
