import { describe, expect, it, vi } from "vitest";
import { createClient } from "./client.ts";
import { ApiError } from "./errors.ts";
import { newPromptId } from "./ids.ts";

function clientThat(answer: () => Response | Promise<Response>, token?: string) {
  const fetch = vi.fn<typeof globalThis.fetch>(async () => answer());
  return { fetch, client: createClient({ origin: "http://127.0.0.1:8787", token, fetch }) };
}

async function failure(call: Promise<unknown>): Promise<ApiError> {
  const error: unknown = await call.then(
    () => null,
    (e: unknown) => e,
  );
  if (!(error instanceof ApiError)) throw new Error(`Not an ApiError: ${String(error)}`);
  return error;
}

describe("calls", () => {
  it("go to their path, with parts escaped, body and token in place", async () => {
    const { client, fetch } = clientThat(() => Response.json({ ok: true }), "secret");
    await client.sessions.recovery("a/../b", "try_now");
    const [url, init] = fetch.mock.calls[0] ?? [];
    expect(String(url)).toBe("http://127.0.0.1:8787/api/sessions/a%2F..%2Fb/recovery");
    expect(init).toMatchObject({ method: "POST", body: '{"action":"try_now"}' });
    expect(new Headers(init?.headers).get("authorization")).toBe("Bearer secret");
  });

  it("leave out what was not asked in a query", async () => {
    const { client, fetch } = clientThat(() => Response.json({ sessions: [], as_of: 1 }));
    await client.sessions.list({ task_id: "tsk_0001", node_id: undefined });
    expect(String(fetch.mock.calls[0]?.[0])).toBe("http://127.0.0.1:8787/api/sessions?task_id=tsk_0001");
  });

  it("fail with the server's code, sentence and details", async () => {
    const error = { code: "agent_running", message: "It runs.", details: { execution_id: "exe_0001" } };
    const { client } = clientThat(() => Response.json({ error }, { status: 409 }));
    const got = await failure(client.sessions.resume("ses_0001", { mode: "resume" }));
    expect(got).toMatchObject({ status: 409, ...error });
  });

  it("fail as `unreachable` when no answer comes, with the cause", async () => {
    const cause = new TypeError("fetch failed");
    const { client } = clientThat(() => Promise.reject(cause));
    expect(await failure(client.health())).toMatchObject({ status: 0, code: "unreachable", cause });
  });

  it("that the caller ended fail with the caller's reason", async () => {
    const { client } = clientThat(() => Promise.reject(new Error("aborted")));
    await expect(client.health(AbortSignal.abort())).rejects.toThrow("aborted");
  });

  it.each([
    ["of another form", () => Response.json({ ok: "yes" }), 200],
    ["that is not JSON", () => new Response("<html>"), 200],
    ["that is a proxy's error page", () => new Response("<html>", { status: 502 }), 502],
  ])("refuse an answer %s", async (_, answer, status) => {
    const { client } = clientThat(answer);
    expect(await failure(client.health())).toMatchObject({ status, code: "bad_answer" });
  });

  it("take a node's answer only to what was asked", async () => {
    const { client } = clientThat(() => Response.json({ op: "rescan_agents", agents: [] }));
    await expect(client.nodes.rescan("nod_0001")).resolves.toMatchObject({ agents: [] });
    expect(await failure(client.nodes.completePath("nod_0001", "~/"))).toMatchObject({ code: "bad_answer" });
  });

  it("P1: prompt ids differ", () => {
    expect(newPromptId()).toMatch(/^prm_[0-9a-z]{20}$/);
    expect(newPromptId()).not.toBe(newPromptId());
  });
});
