import type { EventsPage, LogRow, PromptBlocks, SessionStatus } from "@reprise/protocol";
import { newPromptId, Pane, type PaneOptions, type SessionCopy, SessionSocket } from "@reprise/sdk";
import { createStore, type StoreApi } from "zustand";
import { api, sentence } from "../data/api.ts";
import { EARLIER_ROWS } from "../data/limits.ts";
import { putStatus } from "../data/queries.ts";
import { onWake } from "../data/wake.ts";
import type { Outgoing } from "./prompts.ts";
import { rowsNow } from "./rows.ts";

export interface SessionState {
  readonly copy: SessionCopy;
  readonly rows: readonly LogRow[];
  readonly outgoing: readonly Outgoing[];
}

/** What a page can begin with, without asking. */
export interface Start {
  readonly status: SessionStatus;
  readonly events: EventsPage;
}

/** One session's page: the socket's copy of it, and what this page has sent and the log has not told yet. */
export interface SessionStore extends StoreApi<SessionState> {
  readonly sessionId: string;
  /** Follows the session until the answer is called. */
  readonly follow: () => () => void;
  readonly loadEarlier: () => Promise<void>;
  /** A view of one of its terminals. */
  readonly openPane: (options: Omit<PaneOptions, "socket">) => Pane;
}

/** @param start the page's inlined data: the socket goes on from its cursor */
export function createSessionStore(sessionId: string, start: Start | null): SessionStore {
  const socket = new SessionSocket({
    client: api,
    sessionId,
    hydrate: start ?? undefined,
    onBadFrame: ({ code, message, field }) =>
      console.warn(`Session ${sessionId} sent a frame that can't be read: ${code}, ${message} ${field ?? ""}`),
  });
  const store = createStore<SessionState>(() => ({ copy: socket.state, rows: rowsNow(socket.state), outgoing: [] }));

  const take = () => {
    const before = store.getState();
    const copy = socket.state;
    const sameRows = copy.log === before.copy.log && copy.previews === before.copy.previews;
    const rows = sameRows ? before.rows : rowsNow(copy);
    store.setState({ copy, rows, outgoing: sameRows ? before.outgoing : untold(before.outgoing, rows) });
    if (copy.status !== null && copy.status !== before.copy.status) putStatus(copy.status);
  };
  return {
    ...store,
    sessionId,
    follow: () => {
      const unsubscribe = socket.subscribe(take);
      const awake = onWake(() => socket.wake());
      socket.start();
      return () => {
        awake();
        socket.stop();
        unsubscribe();
      };
    },
    loadEarlier: async () => {
      await socket.loadOlder(EARLIER_ROWS);
    },
    openPane: (options) => new Pane({ ...options, socket }),
  };
}

function untold(outgoing: readonly Outgoing[], rows: readonly LogRow[]): readonly Outgoing[] {
  if (outgoing.length === 0) return outgoing;
  const told = new Set(rows.flatMap(({ body }) => (body.kind === "prompt" ? [body.prompt_id] : [])));
  return outgoing.filter((each) => !told.has(each.prompt_id));
}

/** Sends a prompt with an id of its own; it is shown at once, and stays until the log has it (P1). */
export async function send(store: SessionStore, blocks: PromptBlocks): Promise<boolean> {
  return deliver(store, { prompt_id: newPromptId(), blocks, error: null });
}

/** Sends a prompt that did not arrive again, with the id that it had. */
export async function sendAgain(store: SessionStore, promptId: string): Promise<boolean> {
  const outgoing = store.getState().outgoing.find((each) => each.prompt_id === promptId);
  return outgoing === undefined ? false : deliver(store, { ...outgoing, error: null });
}

/** Forgets a prompt that never arrived. */
export function forget(store: SessionStore, promptId: string): void {
  store.setState(({ outgoing }) => ({ outgoing: outgoing.filter((each) => each.prompt_id !== promptId) }));
}

async function deliver(store: SessionStore, prompt: Outgoing): Promise<boolean> {
  put(store, prompt);
  try {
    await api.sessions.prompt(store.sessionId, prompt.prompt_id, prompt.blocks);
    return true;
  } catch (error) {
    put(store, { ...prompt, error: sentence(error) });
    return false;
  }
}

function put(store: SessionStore, prompt: Outgoing): void {
  store.setState(({ outgoing, rows }) => {
    const known = outgoing.some((each) => each.prompt_id === prompt.prompt_id);
    const next = known
      ? outgoing.map((each) => (each.prompt_id === prompt.prompt_id ? prompt : each))
      : [...outgoing, prompt];
    return { outgoing: untold(next, rows) };
  });
}
