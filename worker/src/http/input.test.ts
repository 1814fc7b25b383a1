import { describe, expect, it } from "vitest";
import { z } from "zod";
import { ask, browser, type Caller, call, joinedNode, ORIGIN } from "../../test/client.ts";

const Document = z.object({
  paths: z.record(z.string(), z.record(z.string(), z.object({ requestBody: z.unknown().optional() }))),
});

interface Door {
  method: string;
  path: string;
  takesBody: boolean;
}

/** Every described door, from the OpenAPI document, with ids that look right and name nothing. */
async function doors(me: Caller): Promise<Door[]> {
  const { paths } = Document.parse((await ask(me, "GET", "/api/openapi.json")).answer);
  return Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => ({
      method: method.toUpperCase(),
      path,
      takesBody: operation.requestBody !== undefined,
    })),
  );
}

function fill(path: string): string {
  const kind = path.includes("/nodes/")
    ? "nod_unknown1"
    : path.includes("/tasks/")
      ? "tsk_unknown1"
      : path.includes("/agent-profiles/")
        ? "prf_unknown1"
        : "ses_unknown1";
  const filled = path
    .replace("{id}", kind)
    .replace("{promptId}", "prompt_unknown")
    .replace("{requestId}", "request")
    .replace("{terminalId}", "agent");
  return path.endsWith("/conversations") ? `${filled}?agent_profile_id=prf_unknown1&cwd=/x` : filled;
}

function callerOf(path: string, me: Caller, node: Caller): Caller {
  if (path.startsWith("/api/setup/")) return { headers: { authorization: "Bearer test-setup-secret" } };
  return path.startsWith("/api/agentctl/") && path !== "/api/agentctl/join" ? node : me;
}

describe("S6: bad input on every door", () => {
  it("S6: each answers with a code, a sentence and the right status, and all still work afterwards", async () => {
    const [me, node] = [await browser(), await joinedNode()];
    const all = await doors(me);
    expect(all.length).toBeGreaterThan(40);
    for (const { method, path, takesBody } of all) {
      const who = callerOf(path, me, node);
      const at = `${method} ${path}`;
      const url = fill(path);
      if (takesBody) {
        for (const [name, body, code] of [
          ["malformed", "{", "invalid_json"],
          ["a giant", `"${"x".repeat(1_100_000)}"`, "too_large"],
        ] as const) {
          expect(await ask(who, method, url, body), `${at}: ${name}`).toMatchObject({ code });
        }
        for (const body of [[], null, 5, "text", { title: 5, name: 5, mode: 5, blocks: "x", action: "x", token: 5 }]) {
          const { status, code } = await ask(who, method, url, body);
          expect([at, status, code]).toEqual([at, expect.toSatisfy((s) => s === 400 || s === 404), expect.any(String)]);
        }
        const plain = await call(url, { method, headers: { ...who.headers, "content-type": "text/plain" }, body: "x" });
        expect([at, plain.status]).toEqual([at, 400]);
        await plain.body?.cancel();
      }
      if (path.includes("{id}")) {
        const broken = url.replace(/(nod|tsk|prf|ses)_unknown1/, "..%2F..%00<script>");
        const { status, code } = await ask(who, method, broken, takesBody ? {} : undefined);
        expect([at, status, code]).toEqual([at, expect.toSatisfy((s) => s === 400 || s === 404), expect.any(String)]);
      }
      const stranger = { headers: { authorization: "Bearer rpa_stranger", origin: ORIGIN } };
      if (!/\/(health|sign-in|join)$/.test(path)) {
        const { status } = await ask(stranger, method, url, takesBody ? {} : undefined);
        expect([at, status]).toEqual([at, 401]);
      }
    }
    expect((await ask(me, "GET", "/api/sessions")).status).toBe(200);
    expect((await ask(me, "GET", "/api/tasks")).answer).toEqual({ tasks: [] });
  }, 60_000);

  it("S6: an unknown id is 404, with a code that says of what", async () => {
    const me = await browser();
    const bodies: Record<string, unknown> = {
      "POST /sessions/{id}/resume": { mode: "resume" },
      "POST /sessions/{id}/prompts": { prompt_id: "prompt_1", blocks: [{ type: "text", text: "hi" }] },
      "PATCH /sessions/{id}/prompts/{promptId}": { blocks: [{ type: "text", text: "hi" }] },
      "POST /sessions/{id}/permissions/{requestId}": { execution_id: "exe_aaaa", option_id: null },
      "POST /sessions/{id}/recovery": { action: "try_now" },
      "POST /sessions/{id}/terminals/{terminalId}/input": { text: "x" },
      "PATCH /sessions/{id}": { title: "x" },
      "PATCH /nodes/{id}": { name: "x" },
      "POST /nodes/{id}/address": { url: "https://box.example.com", approved: true },
      "PATCH /tasks/{id}": { title: "x" },
    };
    for (const { method, path, takesBody } of await doors(me)) {
      const kind = /\/api\/(sessions|nodes|tasks|agent-profiles)\/\{id\}/.exec(path)?.[1];
      if (!kind) continue;
      const body = bodies[`${method} ${path.replace("/api", "")}`] ?? { prefix: "", path: "/x" };
      const { status, code } = await ask(me, method, fill(path), takesBody ? body : undefined);
      const expected = { sessions: "session", nodes: "node", tasks: "task", "agent-profiles": "profile" }[kind];
      expect([method, path, status, code]).toEqual([method, path, 404, `${expected}_not_found`]);
    }
  }, 60_000);

  it("S6: an unknown address is 404, a known one with another method 405, each with the error's shape", async () => {
    const me = await browser();
    expect(await ask(me, "GET", "/api/nonsense")).toMatchObject({ status: 404, code: "not_found" });
    expect(await ask(me, "PUT", "/api/tasks", {})).toMatchObject({ status: 405, code: "method_not_allowed" });
    expect(await ask(me, "GET", "/api/sign-out")).toMatchObject({ status: 405 });
    expect(await ask(me, "GET", "/api/feed/ws")).toMatchObject({ status: 400, code: "bad_request" });
    expect(await ask(me, "GET", "/api/sessions/ses_unknown1/ws")).toMatchObject({ code: "session_not_found" });
    expect(await ask(me, "GET", "/api/sessions?task_id=nonsense")).toMatchObject({
      status: 400,
      code: "invalid_field",
    });
  });

  it("S6: too many failed sign-ins wait", async () => {
    const guess = () =>
      ask({ headers: { "cf-connecting-ip": "192.0.2.7" } }, "POST", "/api/sign-in", { token: "rpl_no" });
    const codes = new Set<string | null>();
    for (let i = 0; i < 21; i++) codes.add((await guess()).code);
    expect([...codes]).toEqual(["link_used", "rate_limited"]);
  });
});

describe("tasks", () => {
  it("a task closed by a person stays so", async () => {
    const me = await browser();
    const made = await ask(me, "POST", "/api/tasks", { title: " Fix it " });
    const { id } = z.object({ id: z.string() }).parse(made.answer);
    expect(made.answer).toMatchObject({ title: "Fix it", state: "TODO" });
    expect((await ask(me, "PATCH", `/api/tasks/${id}`, { state: "DONE" })).answer).toMatchObject({ state: "DONE" });
    expect((await ask(me, "GET", `/api/tasks/${id}`)).answer).toMatchObject({ task: { id }, sessions: [] });
  });
});
