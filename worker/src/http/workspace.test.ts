import type { FilesAnswer } from "@reprise/protocol";
import { describe, expect, it, vi } from "vitest";
import { ask, call, entryOf, helloOf, NodeSocket } from "../../test/client.ts";
import { LiveSession, SOON, stubOf } from "../../test/session.ts";

/** A session whose workspace is ready, without any agent, and its machine's control socket. */
async function ready(version = 2) {
  const session = await LiveSession.create();
  const control = await NodeSocket.open(session.node);
  const entry = entryOf(session.id, { spool: { spool_id: "spl_aaaa", last_seq: 0 } });
  control.send(
    helloOf(session.node, {
      protocol_version: version,
      inventory: { complete: true, last_command_seq: 0, entries: [entry] },
    }),
  );
  await control.next("welcome");
  await vi.waitFor(async () => expect((await stubOf(session.id).facts())?.facts.executor.status).toBe("ready"), SOON);
  return { session, control };
}

const path = (session: LiveSession, rest: string) => `/api/sessions/${session.id}/${rest}`;

describe("X3: files and git without an agent", () => {
  it("X3: the machine is asked, and its answer is the door's", async () => {
    const { session, control } = await ready();
    const asked = ask(session.person, "GET", path(session, "files?path=src"));
    const { request_id, request } = await control.next("request");
    expect(request).toEqual({ op: "files", session_id: session.id, path: "src" });
    const files: FilesAnswer = { kind: "folder", path: "src", entries: [], truncated: false };
    control.send({ type: "answer", request_id, result: { ok: true, answer: { op: "files", files } } });
    expect(await asked).toMatchObject({ status: 200, answer: files });
  });

  it("X3: git's status, or one file's diff", async () => {
    const { session, control } = await ready();
    for (const [query, file] of [
      ["", null],
      ["?path=a%20b", "a b"],
    ] as const) {
      const asked = ask(session.person, "GET", path(session, `git${query}`));
      const { request_id, request } = await control.next("request");
      expect(request).toEqual({ op: "git", session_id: session.id, path: file });
      control.send({ type: "answer", request_id, result: { ok: true, answer: { op: "git", git: { kind: "none" } } } });
      expect(await asked).toMatchObject({ status: 200, answer: { kind: "none" } });
    }
  });

  it("S6: what the machine refuses keeps its code; one that this side doesn't know is a detail", async () => {
    const { session, control } = await ready();
    for (const [code, status] of [
      ["path_not_allowed", 403],
      ["file_not_found", 404],
      ["something_new", 400],
    ] as const) {
      const asked = ask(session.person, "GET", path(session, "files?path=x"));
      const { request_id } = await control.next("request");
      control.send({ type: "answer", request_id, result: { ok: false, code, message: "No." } });
      expect((await asked).status).toBe(status);
    }
  });

  it("§2: a machine of version 1 is not asked what it can't read", async () => {
    const { session } = await ready(1);
    expect(await ask(session.person, "GET", path(session, "files"))).toMatchObject({
      status: 409,
      code: "agentctl_too_old",
    });
  });

  it("X3, T4: closed while the executor starts, and while its machine is away; both say so", async () => {
    const session = await LiveSession.create();
    expect(await ask(session.person, "GET", path(session, "git"))).toMatchObject({
      status: 409,
      code: "node_unavailable",
    });
    const control = await NodeSocket.open(session.node);
    control.send(helloOf(session.node, { protocol_version: 2 }));
    await control.next("welcome");
    await vi.waitFor(
      async () =>
        expect(await ask(session.person, "GET", path(session, "git"))).toMatchObject({ code: "workspace_closed" }),
      SOON,
    );
  });

  it("S1: a node, and nobody, reach no workspace", async () => {
    const { session } = await ready();
    expect((await call(path(session, "files"))).status).toBe(401);
    expect((await ask(session.node, "GET", path(session, "files"))).status).toBe(403);
  });
});
