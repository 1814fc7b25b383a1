import { expect, it } from "vitest";
import { NodeHello } from "./node-link.ts";

it("§2: a hello of version 1 says nothing of runtimes: its node runs sessions as processes alone", () => {
  const hello = {
    type: "hello",
    protocol_version: 1,
    machine_id: "m",
    state_id: "s",
    boot_id: "b",
    nonce: null,
    after_yield: false,
    daemon: { version: "0.1.0", pid: 1, started_at: 1 },
    hostname: "box",
    platform: "linux",
    home: "/home/me",
    agents: [],
    inventory: { complete: true, last_command_seq: 0, entries: [] },
  };
  expect(NodeHello.parse(hello).runtimes).toEqual([{ runtime: "standalone", status: "ready", reason: null }]);
});
