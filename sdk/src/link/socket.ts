/** What a socket must be able to do: the part of the standard WebSocket that browsers and Node share. */
export interface WebSocketLike {
  onopen: ((event: never) => void) | null;
  onmessage: ((event: { data: unknown }) => void) | null;
  onclose: ((event: { code: number }) => void) | null;
  onerror: ((event: never) => void) | null;
  send(text: string): void;
  close(code?: number): void;
}

export type OpenSocket = (url: string) => WebSocketLike;

/**
 * The global WebSocket. A browser's carries the cookie; with a token (Node) it goes into a header, which the standard
 * constructor has no argument for, but Node's takes.
 */
export function globalSocket(token: string | undefined): OpenSocket {
  return (url) =>
    token === undefined
      ? new WebSocket(url)
      : Reflect.construct(WebSocket, [url, { headers: { authorization: `Bearer ${token}` } }]);
}

/** `https://host` and a path as the address of a socket. */
export function socketUrl(origin: string, path: string, query: Readonly<Record<string, string | number>> = {}): string {
  const url = new URL(path, origin);
  url.protocol = url.protocol === "https:" ? "wss:" : "ws:";
  for (const [key, value] of Object.entries(query)) url.searchParams.set(key, String(value));
  return url.href;
}
