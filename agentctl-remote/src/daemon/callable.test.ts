import { pino } from "pino";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { hostAndPort, knockSecret, openCallable } from "./callable.ts";

describe("N7: what a machine answers at its address", () => {
  let knocks = 0;
  let url = "";
  let close: () => void = () => undefined;
  beforeEach(async () => {
    knocks = 0;
    const server = await openCallable({
      listen: "127.0.0.1:0",
      credential: "rpn_secret",
      log: pino({ level: "silent" }),
      agents: () => [],
      knock: () => {
        knocks++;
      },
    });
    const address = server.address();
    if (address === null || typeof address === "string") throw new Error("no port");
    url = `http://127.0.0.1:${address.port}`;
    close = () => server.close();
  });
  afterEach(() => close());

  const ask = (method: string, path: string, secret = knockSecret("rpn_secret")) =>
    fetch(url + path, { method, headers: { authorization: `Bearer ${secret}` } });

  it("N7: health, capabilities, and a knock that makes it dial in; ten at once are one", async () => {
    expect(await (await fetch(`${url}/health`)).json()).toEqual({ ok: true });
    expect(await (await ask("GET", "/capabilities")).json()).toEqual({
      supports_session_resume: false,
      supports_workspace_only: true,
      agents: [],
    });
    const answers = await Promise.all(Array.from({ length: 10 }, () => ask("POST", "/knock")));
    expect(answers.map((answer) => answer.status)).toEqual(answers.map(() => 202));
    expect(knocks).toBe(1);
  });

  it("N7: a knock without the node's own secret does nothing", async () => {
    for (const secret of ["", "x", "rpn_secret", knockSecret("rpn_other")]) {
      expect((await ask("POST", "/knock", secret)).status).toBe(401);
      expect((await ask("GET", "/capabilities", secret)).status).toBe(401);
    }
    expect(knocks).toBe(0);
  });

  it("S6: nothing else is answered there", async () => {
    for (const [method, path] of [
      ["GET", "/"],
      ["GET", "/knock"],
      ["POST", "/health"],
      ["GET", "/health?x=1"],
    ] as const)
      expect((await ask(method, path)).status).toBe(404);
  });

  it.each([
    ["127.0.0.1:7443", "127.0.0.1", 7443],
    [":7443", "0.0.0.0", 7443],
    ["[::1]:80", "::1", 80],
  ])("%s is read as it is meant", (listen, host, port) => {
    expect(hostAndPort(listen)).toEqual({ host, port });
  });
});
