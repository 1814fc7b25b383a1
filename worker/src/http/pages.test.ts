import { PAGE_DATA_ID, PageData } from "@reprise/protocol";
import { describe, expect, it } from "vitest";
import { ask, browser, type Caller, call } from "../../test/client.ts";
import { inlineJson } from "./pages.ts";

async function dataOf(path: string, who: Caller): Promise<{ html: string; data: PageData; headers: Headers }> {
  const response = await call(path, { headers: who.headers });
  expect(response.status).toBe(200);
  const html = await response.text();
  const json = new RegExp(`<script type="application/json" id="${PAGE_DATA_ID}">(.*?)</script>`, "s").exec(html)?.[1];
  return { html, data: PageData.parse(JSON.parse(json ?? "null")), headers: response.headers };
}

describe("pages carry their data", () => {
  it("a stranger's page has none", async () => {
    const { data } = await dataOf("/", { headers: {} });
    expect(data).toMatchObject({ me: null, sessions: [], nodes: [], tasks: [], profiles: [] });
    const broken = await dataOf("/sessions/ses_aaaa", { headers: { authorization: "Bearer rpa_stranger" } });
    expect(broken.data.me).toBeNull();
  });

  it("S5: a title can't end the block that it stands in", async () => {
    const me = await browser();
    const title = `</script><script>alert("1")</script><!-- \u2028.`;
    await ask(me, "POST", "/api/tasks", { title });
    const { html, data } = await dataOf("/tasks", me);
    expect(data.tasks[0]?.title).toBe(title);
    expect(html).not.toContain("<script>alert");
    expect(inlineJson({ a: "<\u2028\u2029" })).toBe('{"a":"\\u003c\\u2028\\u2029"}');
  });

  it("S5: nothing but our own files runs, and nobody frames it", async () => {
    const { headers } = await dataOf("/machines", await browser());
    expect(headers.get("cache-control")).toBe("no-store");
    const policy = headers.get("content-security-policy") ?? "";
    expect(policy).toContain("script-src 'self';");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toContain("unsafe");
    expect(headers.get("x-content-type-options")).toBe("nosniff");
  });

  it("an unknown session's page is there without it", async () => {
    const { data } = await dataOf("/sessions/ses_unknown1", await browser());
    expect(data).toMatchObject({ me: { person: { name: "Owner" } }, session: null });
  });

  it("what looks like a file and isn't one is 404", async () => {
    expect((await ask(await browser(), "GET", "/nothing.js")).code).toBe("not_found");
  });
});
