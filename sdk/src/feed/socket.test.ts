import { expect, it } from "vitest";
import { createClient } from "../client.ts";
import { FakeEnvironment } from "../testing/fake-socket.ts";
import { FeedSocket } from "./socket.ts";

it("tells of changes, and to read again after every hello, since nobody heard what changed in between", () => {
  const environment = new FakeEnvironment();
  const told: string[] = [];
  const feed = new FeedSocket({
    client: createClient({ origin: "http://127.0.0.1:8787" }),
    environment,
    onChange: (change) => told.push(change.type),
    onResync: () => told.push("resync"),
    onConnection: ({ kind }) => told.push(kind),
  });
  feed.start();
  expect(environment.last.url).toBe("ws://127.0.0.1:8787/api/feed/ws");
  environment.last.open();
  environment.last.say({ type: "feed.hello" });
  environment.last.say({ type: "task.changed", task_id: "tsk_0001" });
  environment.last.say({ type: "moon.changed" });
  environment.advance(12_000);
  environment.last.end();
  environment.advance(3_000);
  environment.last.open();
  environment.last.say({ type: "feed.hello" });
  expect(told).toEqual(["live", "resync", "task.changed", "resync", "behind", "live", "resync"]);
});
