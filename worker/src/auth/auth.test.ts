import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { apiToken, ask, browser, call, joinedNode, joinToken, ORIGIN, signInLink } from "../../test/client.ts";
import { hashSecret } from "./secrets.ts";

const nobody = { headers: {} };

describe("S2: sign-in", () => {
  it("S2: a link signs in once; the cookie is HttpOnly, SameSite=Lax, and Secure only off loopback", async () => {
    const token = await signInLink();
    const post = (origin: string) =>
      call("/api/sign-in", {
        method: "POST",
        headers: { origin, "content-type": "application/json" },
        body: JSON.stringify({ token }),
      });
    const first = await post(ORIGIN);
    const cookie = first.headers.get("set-cookie") ?? "";
    expect(first.status).toBe(200);
    expect(cookie).toMatch(/HttpOnly; SameSite=Lax/);
    expect(cookie).not.toMatch(/Secure/);
    const second = await post(ORIGIN);
    expect(second.status).toBe(401);
    expect(await second.json()).toMatchObject({ error: { code: "link_used" } });
  });

  it("S2: off loopback the cookie is Secure and bound to the host", async () => {
    const { cookieHeader } = await import("./cookie.ts");
    expect(cookieHeader("reprise.example", "x", 1)).toBe(
      "__Host-reprise=x; Path=/; HttpOnly; SameSite=Lax; Max-Age=1; Secure",
    );
  });

  it("S2: what is stored of a secret is its hash", async () => {
    const token = await signInLink();
    const stored = await env.DB.prepare("SELECT * FROM sign_in_links WHERE secret_hash = ?")
      .bind(await hashSecret(token))
      .all();
    expect(stored.results).toHaveLength(1);
    expect(JSON.stringify(stored.results)).not.toContain(token);
  });

  it("S2: signing out ends this browser", async () => {
    const me = await browser();
    expect((await ask(me, "POST", "/api/sign-out")).status).toBe(200);
    expect((await ask(me, "GET", "/api/account/me")).code).toBe("unauthenticated");
  });
});

describe("S2: Origin and Host", () => {
  it("S2: a state change by cookie from another site, or from nowhere, is refused", async () => {
    const me = await browser();
    const cookie = { cookie: me.headers["cookie"] ?? "" };
    const other = { headers: { ...cookie, origin: "http://evil.example" } };
    expect((await ask(other, "POST", "/api/tasks", { title: "x" })).code).toBe("bad_origin");
    expect((await ask({ headers: cookie }, "POST", "/api/tasks", { title: "x" })).code).toBe("bad_origin");
    expect((await ask({ headers: { ...cookie, origin: "null" } }, "POST", "/api/tasks", { title: "x" })).code).toBe(
      "bad_origin",
    );
    expect((await ask({ headers: cookie }, "GET", "/api/tasks")).status).toBe(200);
  });

  it("S2: an upgrade from another site is refused", async () => {
    const me = await browser();
    const headers = { cookie: me.headers["cookie"] ?? "", origin: "http://evil.example", upgrade: "websocket" };
    const response = await call("/api/feed/ws", { headers });
    expect(response.status).toBe(403);
    expect(await response.json()).toMatchObject({ error: { code: "bad_origin" } });
  });

  it("S2: a host name that isn't on the list is refused, also for pages (DNS rebinding)", async () => {
    for (const path of ["/api/health", "/"]) {
      expect((await ask({ headers: { host: "evil.example" } }, "GET", path)).code).toBe("bad_host");
    }
    for (const host of ["127.0.0.1:9999", "[::1]:8787", "localhost", "reprise.example"]) {
      expect((await ask({ headers: { host } }, "GET", "/api/health")).status).toBe(200);
    }
  });
});

describe("S1: reach", () => {
  it("S1: the setup secret is needed, whole, to make links and tokens", async () => {
    for (const path of ["/api/setup/sign-in-link", "/api/setup/join-token"]) {
      expect((await ask(nobody, "POST", path)).code).toBe("unauthenticated");
      const wrong = { headers: { authorization: "Bearer test-setup-secre" } };
      expect((await ask(wrong, "POST", path)).code).toBe("invalid_token");
    }
  });

  it("S1: an API token works, but makes no credentials and signs nobody out", async () => {
    const me = await browser();
    const token = await apiToken(me);
    expect((await ask(token, "GET", "/api/sessions")).status).toBe(200);
    expect((await ask(token, "POST", "/api/tasks", { title: "by token" })).status).toBe(201);
    for (const [method, path] of [
      ["POST", "/api/account/tokens"],
      ["GET", "/api/account/browsers"],
      ["POST", "/api/join-tokens"],
      ["GET", "/api/agentctl/connect"],
    ] as const) {
      expect((await ask(token, method, path)).code).toBe("forbidden");
    }
  });

  it("S2: a deleted API token doesn't work any more", async () => {
    const me = await browser();
    const token = await apiToken(me);
    const { answer } = await ask(me, "GET", "/api/account/tokens");
    const newest = (answer as { tokens: { id: string }[] }).tokens[0];
    expect((await ask(me, "DELETE", `/api/account/tokens/${newest?.id}`)).status).toBe(200);
    expect((await ask(token, "GET", "/api/sessions")).code).toBe("invalid_token");
  });

  it("S1: a node reaches nothing but its own doors", async () => {
    const node = await joinedNode();
    for (const [method, path] of [
      ["GET", "/api/sessions"],
      ["GET", "/api/nodes"],
      ["POST", "/api/tasks"],
      ["GET", "/api/account/me"],
      ["POST", "/api/join-tokens"],
      ["GET", "/api/feed/ws"],
    ] as const) {
      expect((await ask(node, method, path)).code).toBe("forbidden");
    }
  });

  it("S1: a stranger's token, and a secret of another kind, are refused everywhere", async () => {
    const stranger = { headers: { authorization: "Bearer rpa_stranger" } };
    const link = { headers: { authorization: `Bearer ${await signInLink()}` } };
    for (const path of ["/api/sessions", "/api/agentctl/connect", "/api/account/me"]) {
      expect((await ask(stranger, "GET", path)).code).toBe("invalid_token");
      expect((await ask(link, "GET", path)).code).toBe("invalid_token");
      expect((await ask(nobody, "GET", path)).code).toBe("unauthenticated");
    }
  });
});

describe("S2: joining", () => {
  const body = (token: string, machine_id: string) => ({
    token,
    machine_id,
    state_id: "s",
    hostname: "h",
    platform: "linux",
  });

  it("S2: a join token is used up by the machine that joins", async () => {
    const token = await joinToken();
    expect((await ask(nobody, "POST", "/api/agentctl/join", body(token, "m-once"))).status).toBe(200);
    expect((await ask(nobody, "POST", "/api/agentctl/join", body(token, "m-other"))).code).toBe("join_token_invalid");
  });

  it("T3: a machine that has joined is told whose place it can take; the old credential then ends", async () => {
    const node = await joinedNode("m-again");
    const again = await ask(nobody, "POST", "/api/agentctl/join", body(await joinToken(), "m-again"));
    expect(again.code).toBe("machine_joined");
    expect(again.answer).toMatchObject({ error: { details: { node_id: node.node_id } } });
    const replaced = await ask(nobody, "POST", "/api/agentctl/join", {
      ...body(await joinToken(), "m-again"),
      replace: node.node_id,
    });
    expect(replaced.answer).toMatchObject({ node_id: node.node_id });
    expect((await ask(node, "GET", "/api/agentctl/connect")).code).toBe("invalid_token");
  });

  it("S2: a removed node's credential ends", async () => {
    const [me, node] = [await browser(), await joinedNode()];
    expect((await ask(me, "DELETE", `/api/nodes/${node.node_id}`)).status).toBe(200);
    expect((await ask(node, "GET", "/api/agentctl/connect")).code).toBe("invalid_token");
    expect((await ask(me, "GET", `/api/nodes/${node.node_id}`)).code).toBe("node_not_found");
  });
});
