import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import { ask, browser, joinedNode } from "../../test/client.ts";
import { LiveSession } from "../../test/session.ts";
import type { NodeObject } from "../node/object.ts";

/** Its object fails at that call, as one does that is being moved; then it doesn't any more. */
async function failing(stub: DurableObjectStub, method: string, meanwhile: () => Promise<void>): Promise<void> {
  const broken = { configurable: true, value: () => Promise.reject(new Error("moved")) };
  await runInDurableObject(stub, (object) => void Object.defineProperty(object, method, broken));
  await meanwhile();
  await runInDurableObject(stub, (object) => void Reflect.deleteProperty(object, method));
}

it("T5, T7: a delete that failed half-way can be asked for again, and then its machine tears it down", async () => {
  const session = await LiveSession.create();
  const path = `/api/sessions/${session.id}`;
  await failing(session.stub, "remove", async () => {
    expect((await ask(session.person, "DELETE", path)).status).toBe(500);
  });
  expect((await ask(session.person, "DELETE", path)).status).toBe(200);
  expect(await session.facts()).toMatchObject({ listed: false });
  expect((await ask(session.person, "DELETE", path)).status).toBe(404);
});

it("K2: a machine's removal that failed half-way can be asked for again, and then it is cut", async () => {
  const [node, person] = await Promise.all([joinedNode(), browser()]);
  const stub = env.NODES.getByName(node.node_id) as unknown as DurableObjectStub<NodeObject>;
  const path = `/api/nodes/${node.node_id}`;
  await failing(stub, "revoke", async () => {
    expect((await ask(person, "DELETE", path)).status).toBe(500);
  });
  expect((await ask(person, "DELETE", path)).status).toBe(200);
  expect(await stub.summary()).toMatchObject({ reason: "This machine was removed." });
});
