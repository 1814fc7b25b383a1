/** The part of the standard WebSocket that a link uses, the same in browsers and Node. */
export interface WebSocketLike {
  onopen: (() => void) | null;
  onmessage: ((event: { data: unknown }) => void) | null;
  onclose: ((event: { code: number }) => void) | null;
  send(text: string): void;
  close(code?: number): void;
}

export type OpenSocket = (url: string) => WebSocketLike;

/**
 * The global WebSocket. A browser's carries the cookie; with a token (Node) it goes into a header, which the standard
 * constructor has no argument for, but Node's takes.
 */
export function globalSocket(token: string | undefined): OpenSocket {
  return (url) => {
    const headers = { authorization: `Bearer ${token}` };
    const socket: WebSocket =
      token === undefined ? new WebSocket(url) : Reflect.construct(WebSocket, [url, { headers }]);
    const like: WebSocketLike = {
      onopen: null,
      onmessage: null,
      onclose: null,
      send: (text) => socket.send(text),
      close: (code) => socket.close(code),
    };
    socket.addEventListener("open", () => like.onopen?.());
    socket.addEventListener("message", ({ data }) => like.onmessage?.({ data }));
    // A close follows every error, and tells as much.
    socket.addEventListener("close", ({ code }) => like.onclose?.({ code }));
    return like;
  };
}

/** `https://host` and a path as the address of a socket. */
export function socketUrl(origin: string, path: string, query: Readonly<Record<string, string | number>> = {}): string {
  const url = new URL(path, origin);
  url.protocol = url.protocol === "https:" ? "wss:" : "ws:";
  for (const [key, value] of Object.entries(query)) url.searchParams.set(key, String(value));
  return url.href;
}
