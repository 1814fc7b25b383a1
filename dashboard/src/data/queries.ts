import { PAGE_DATA_ID, PageData, type SessionStatus } from "@reprise/protocol";
import { ApiError } from "@reprise/sdk";
import { QueryCache, QueryClient, useQuery } from "@tanstack/react-query";
import { api } from "./api.ts";
import { LIST_STALE_MS } from "./limits.ts";

export const keys = {
  me: ["me"],
  sessions: ["sessions"],
  tasks: ["tasks"],
  nodes: ["nodes"],
  node: (id: string) => ["nodes", id],
  profiles: ["profiles"],
  tokens: ["tokens"],
  browsers: ["browsers"],
  git: (sessionId: string) => ["git", sessionId],
  diff: (sessionId: string, path: string) => ["git", sessionId, "diff", path],
  files: (sessionId: string, path: string) => ["files", sessionId, path],
} as const;

export const queryClient = new QueryClient({
  queryCache: new QueryCache({
    onError: (error, query) => {
      // Signed out elsewhere, or the cookie ended: asking who is signed in leads to the sign-in page.
      const signedOut = error instanceof ApiError && error.status === 401;
      if (signedOut && query.queryKey[0] !== keys.me[0]) void queryClient.invalidateQueries({ queryKey: keys.me });
    },
  }),
  defaultOptions: {
    queries: {
      staleTime: LIST_STALE_MS,
      refetchOnWindowFocus: true,
      // What the door refused, it refuses again; only a door that was not there is worth a second knock.
      retry: (failures, error) =>
        error instanceof ApiError && (error.status === 0 || error.status >= 500) && failures < 3,
      retryDelay: (attempt) => Math.min(400 * 2 ** attempt, 3_000),
    },
  },
});

/** The data that came with the page's HTML; null where it came without (the dev server). */
export function readPageData(): PageData | null {
  const text = document.getElementById(PAGE_DATA_ID)?.textContent;
  if (text === undefined || text === null || text.trim() === "") return null;
  const parsed = PageData.safeParse(JSON.parse(text));
  if (parsed.success) return parsed.data;
  console.warn("The page's inlined data has another form than this version expects; it is read anew.", parsed.error);
  return null;
}

/** Fills the lists from the page's data, so that the first paint needs no request. */
export function hydrate(page: PageData): void {
  const at = { updatedAt: page.as_of };
  queryClient.setQueryData(keys.me, page.me, at);
  if (page.me === null) return;
  queryClient.setQueryData(keys.sessions, page.sessions, at);
  queryClient.setQueryData(keys.tasks, page.tasks, at);
  queryClient.setQueryData(keys.nodes, page.nodes, at);
  queryClient.setQueryData(keys.profiles, page.profiles, at);
}

/** Puts one session's newer status into the list; an older one changes nothing. */
export function putStatus(status: SessionStatus): void {
  queryClient.setQueryData<SessionStatus[]>(keys.sessions, (list) => {
    if (list === undefined) return list;
    const known = list.find((each) => each.session_id === status.session_id);
    if (known === undefined) return [status, ...list];
    if (known.version > status.version) return list;
    return list.map((each) => (each === known ? status : each));
  });
}

/** Takes a session that is gone out of the list. */
export function dropSession(sessionId: string): void {
  queryClient.setQueryData<SessionStatus[]>(keys.sessions, (list) =>
    list?.filter((each) => each.session_id !== sessionId),
  );
}

/** Who is signed in; null for nobody. */
export function useMe() {
  return useQuery({
    queryKey: keys.me,
    queryFn: () =>
      api.account.me().catch((error: unknown) => {
        if (error instanceof ApiError && error.status === 401) return null;
        throw error;
      }),
  });
}

export const useSessions = () =>
  useQuery({
    queryKey: keys.sessions,
    queryFn: async ({ signal }) => (await api.sessions.list({}, signal)).sessions,
    refetchInterval: LIST_STALE_MS,
  });
export const useTasks = () =>
  useQuery({ queryKey: keys.tasks, queryFn: async ({ signal }) => (await api.tasks.list(signal)).tasks });
export const useNodes = () =>
  useQuery({
    queryKey: keys.nodes,
    queryFn: async ({ signal }) => (await api.nodes.list(signal)).nodes,
    refetchInterval: LIST_STALE_MS,
  });
export const useNode = (id: string) =>
  useQuery({ queryKey: keys.node(id), queryFn: ({ signal }) => api.nodes.get(id, signal) });
export const useProfiles = () =>
  useQuery({ queryKey: keys.profiles, queryFn: async ({ signal }) => (await api.profiles.list(signal)).profiles });
