import { readFileSync } from "node:fs";
import { join } from "node:path";
import { ErrorBody, MAX_BODY_BYTES } from "@reprise/protocol";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import WebSocket from "ws";
import { z } from "zod";
import { System, scriptedAgent } from "../src/index.ts";

const OpenApi = z.object({ paths: z.record(z.string(), z.record(z.string(), z.unknown())) });
const Identity = z.object({ joined: z.object({ credential: z.string() }) });

/** Well-formed ids of nothing. */
const UNKNOWN: Record<string, string> = {
  id: "ses_00000000000000000000",
  promptId: "prm_00000000000000000000",
  requestId: "req-unknown",
};
const ID_OF: Record<string, string> = { sessions: "ses", tasks: "tsk", nodes: "nod", "agent-profiles": "prf" };

interface Door {
  method: string;
  path: string;
  pattern: string;
}

describe("bad input on every door", () => {
  let system: System;
  let session: string;
  let doors: Door[];
  let token: string;

  beforeAll(async () => {
    system = await System.start();
    const { profile } = await scriptedAgent(system, "steady");
    const made = await system.client.sessions.create({
      node_id: system.node.nodeId,
      agent_profile_id: profile.id,
      cwd: system.folder("w"),
      prompt: "echo before",
    });
    session = made.session_id;
    await system.untilYourTurn(session);
    token = (await system.client.account.tokens.create({ name: "bad input" })).secret;
    const api = OpenApi.parse(await (await call("GET", "/api/openapi.json")).json());
    doors = Object.entries(api.paths).flatMap(([pattern, methods]) =>
      Object.keys(methods).map((method) => ({ method: method.toUpperCase(), pattern, path: fill(pattern) })),
    );
    expect(doors.length).toBeGreaterThan(30);
  });
  afterAll(() => system?.end());

  function fill(pattern: string): string {
    const kind = ID_OF[pattern.split("/")[2] ?? ""];
    return pattern.replace(/\{(\w+)\}/g, (_, name: string) =>
      name === "id" && kind ? `${kind}_00000000000000000000` : (UNKNOWN[name] ?? "unknown-00000000"),
    );
  }

  function call(
    method: string,
    path: string,
    init: { bearer?: string | null; body?: string; headers?: Record<string, string> } = {},
  ) {
    const bearer = init.bearer === undefined ? token : init.bearer;
    return fetch(`${system.controlPlane.origin}${path}`, {
      method,
      headers: {
        ...(bearer === null ? {} : { authorization: `Bearer ${bearer}` }),
        ...(init.body === undefined ? {} : { "content-type": "application/json" }),
        ...init.headers,
      },
      ...(init.body === undefined ? {} : { body: init.body }),
    });
  }

  /** Every answer is an error of the closed form, and none is our own failure. */
  async function refused(response: Response, door: Door, statuses: readonly number[]): Promise<string> {
    const text = await response.text();
    expect(statuses, `${door.method} ${door.path} answered ${response.status} ${text.slice(0, 200)}`).toContain(
      response.status,
    );
    return ErrorBody.parse(JSON.parse(text)).error.code;
  }

  const OPEN = new Set(["/api/health", "/api/openapi.json"]);
  const takesBody = (d: Door) => d.method === "POST" || d.method === "PATCH" || d.method === "PUT";

  it("S1: a stranger, and a stranger's token, reach nothing", async () => {
    for (const door of doors.filter((d) => !OPEN.has(d.pattern))) {
      const body = takesBody(door) ? { body: "{}" } : {};
      // Joining and signing in bring their own secret in the body.
      await refused(await call(door.method, door.path, { bearer: null, ...body }), door, [400, 401, 403, 426]);
      await refused(
        await call(door.method, door.path, { bearer: "rpa_stranger00000000000000000000000000000000000", ...body }),
        door,
        [400, 401, 403, 426],
      );
    }
  });

  it("S6: unknown ids are 404, wrong types name their field, broken and giant bodies are refused", async () => {
    for (const door of doors.filter(
      (d) => !OPEN.has(d.pattern) && !d.pattern.startsWith("/api/agentctl") && !d.pattern.startsWith("/api/setup"),
    )) {
      if (door.pattern.includes("{") && !takesBody(door) && !door.pattern.endsWith("/ws")) {
        await refused(await call(door.method, door.path), door, [400, 403, 404]);
      }
      if (!takesBody(door)) continue;
      await refused(await call(door.method, door.path, { body: '{"title":' }), door, [400, 403, 404]);
      await refused(
        await call(door.method, door.path, { body: '[{"prompt_id":1,"title":{},"mode":7,"action":[]}]' }),
        door,
        [400, 403, 404],
      );
      await refused(
        await call(door.method, door.path, {
          body: JSON.stringify({ title: "x".repeat(MAX_BODY_BYTES + 10) }),
          // Refused before it was read: the server ends the connection, and another request must not take it up again.
          headers: { connection: "close" },
        }),
        door,
        [403, 404, 413],
      );
    }
    const resume = await call("POST", `/api/sessions/${session}/resume`, { body: '{"mode":"sideways"}' });
    expect(resume.status).toBe(400);
    expect(await resume.json()).toMatchObject({ error: { code: "invalid_field", details: { field: "mode" } } });
    expect((await call("GET", "/api/nowhere")).status).toBe(404);
    expect((await call("PUT", "/api/tasks", { body: "{}" })).status).toBe(405);
    const foreign = await call("POST", "/api/tasks", {
      body: '{"title":"x"}',
      headers: { origin: "https://evil.example" },
    });
    expect(foreign.status).toBe(403);
  });

  /** What a socket says to frames, and how it ends. */
  async function socket(
    path: string,
    headers: Record<string, string>,
    frames: readonly (string | Uint8Array)[],
  ): Promise<{ status: number; codes: string[]; close: number | null }> {
    const ws = new WebSocket(`${system.controlPlane.origin.replace("http", "ws")}${path}`, { headers });
    const codes: string[] = [];
    return await new Promise((resolve, reject) => {
      const done = (status: number, close: number | null) => resolve({ status, codes, close });
      ws.on("unexpected-response", (_request, response) => {
        done(response.statusCode ?? 0, null);
        response.resume();
      });
      ws.on("error", (error) => {
        if (ws.readyState !== WebSocket.CLOSED) reject(error);
      });
      ws.on("open", () => {
        for (const frame of frames) ws.send(frame);
        // The last word gets an answer after all before it, whatever these got.
        ws.ping();
      });
      ws.on("pong", () => ws.close(1000));
      ws.on("message", (data) => {
        const frame = z
          .object({ type: z.string(), code: z.string().optional() })
          .safeParse(JSON.parse(data.toString()));
        if (frame.success && frame.data.type === "error" && frame.data.code) codes.push(frame.data.code);
      });
      ws.on("close", (code) => done(101, code));
    });
  }

  it("S6, N5, K2: sockets answer nonsense by code, and strangers not at all", async () => {
    const { credential } = Identity.parse(
      JSON.parse(readFileSync(join(system.state.node, "identity.json"), "utf8")),
    ).joined;
    const person = { authorization: `Bearer ${token}` };
    const node = { authorization: `Bearer ${credential}` };
    const nonsense = ["no json", '{"type":"unheard of"}', '{"type":5}', new Uint8Array([0, 1, 2])];

    for (const path of [
      `/api/sessions/${session}/ws`,
      "/api/feed/ws",
      "/api/agentctl/connect",
      `/api/agentctl/sessions/${session}/ws`,
    ]) {
      expect((await socket(path, {}, [])).status, path).toBe(401);
      expect((await socket(path, { authorization: "Bearer rpn_stranger" }, [])).status, path).toBe(401);
      expect((await socket(path, { ...person, origin: "https://evil.example" }, [])).status, path).toBe(403);
    }
    // A viewer is no node, and a node no viewer.
    expect((await socket("/api/agentctl/connect", person, [])).status).toBe(403);
    expect((await socket(`/api/sessions/${session}/ws`, node, [])).status).toBe(403);
    expect((await socket("/api/sessions/ses_00000000000000000000/ws", person, [])).status).toBe(404);

    const viewer = await socket(`/api/sessions/${session}/ws`, person, nonsense);
    expect(viewer).toMatchObject({ status: 101, close: 1000 });
    expect(viewer.codes).toContain("invalid_json");
    expect(viewer.codes).toContain("invalid_field");

    const control = await socket("/api/agentctl/connect", node, ["no json"]);
    expect(control).toMatchObject({ status: 101, close: 4400, codes: ["invalid_json"] });
    // The credential alone opens no session: the daemon that holds the machine's place is connected (K2, N6). What a
    // session's own socket answers to nonsense is worker/src/session/link.test.ts's.
    const link = await socket(`/api/agentctl/sessions/${session}/ws`, node, ['{"type":"events","spool_id":7}']);
    expect(link).toMatchObject({ status: 409, codes: [] });
  });

  it("S6: after all of that everything still works, and nothing changed", async () => {
    await system.nodeOnline();
    expect(await system.status(session)).toMatchObject({
      state: "WAITING_FOR_INPUT",
      is_agent_running: true,
      queued_prompts: 0,
    });
    await system.client.sessions.prompt(session, "after-all-0001", [{ type: "text", text: "echo after" }]);
    await system.untilStatus(
      session,
      "the next turn",
      (s) => s.last_line === "after" && s.state === "WAITING_FOR_INPUT",
    );
    expect(await system.said(session)).toBe("before\nafter");
    expect((await system.client.tasks.list()).tasks.map((t) => t.title)).not.toContain("x");
  });
});
