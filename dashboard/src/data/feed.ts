import { type FeedChange, type FeedConnection, FeedSocket } from "@reprise/sdk";
import { create } from "zustand";
import { api, isGone } from "./api.ts";
import { FEED_GATHER_MS, FEED_MAX_SINGLE_READS } from "./limits.ts";
import { dropSession, keys, putStatus, queryClient } from "./queries.ts";
import { onWake } from "./wake.ts";

/** How the feed's link is, and since when: lists say so when they may be behind. */
export const useFeedLink = create<{ readonly connection: FeedConnection }>(() => ({
  connection: { kind: "behind", since: Date.now() },
}));

const changed = new Set<string>();
let gather: ReturnType<typeof setTimeout> | null = null;

function refresh(key: readonly string[]): void {
  void queryClient.invalidateQueries({ queryKey: key });
}

async function readOne(sessionId: string): Promise<void> {
  try {
    putStatus(await api.sessions.status(sessionId));
  } catch (error) {
    if (isGone(error)) dropSession(sessionId);
    else refresh(keys.sessions);
  }
}

function readChanged(): void {
  gather = null;
  const ids = [...changed];
  changed.clear();
  if (ids.length > FEED_MAX_SINGLE_READS) refresh(keys.sessions);
  else for (const id of ids) void readOne(id);
}

function take(change: FeedChange): void {
  switch (change.type) {
    case "session.changed":
      changed.add(change.session_id);
      if (gather === null) gather = setTimeout(readChanged, FEED_GATHER_MS);
      return;
    case "task.changed":
      refresh(keys.tasks);
      return;
    case "node.changed":
      refresh(keys.nodes);
      // Presence is part of what each of its sessions says.
      refresh(keys.sessions);
      return;
    case "profiles.changed":
      refresh(keys.profiles);
  }
}

/** Keeps the lists as they are on the control plane, until the answer is called. */
export function openFeed(): () => void {
  const feed = new FeedSocket({
    client: api,
    onChange: take,
    onResync: () => {
      for (const key of [keys.sessions, keys.tasks, keys.nodes, keys.profiles]) refresh(key);
    },
    onConnection: (connection) => {
      useFeedLink.setState({ connection });
      if (connection.kind === "refused") refresh(keys.me);
    },
  });
  const awake = onWake(() => feed.wake());
  feed.start();
  return () => {
    awake();
    feed.stop();
  };
}
