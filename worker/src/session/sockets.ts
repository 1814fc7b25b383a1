/** Accept a WebSocket upgrade and hand the object its end. */
export function upgrade(accept: (ws: WebSocket) => void): Response {
  const [client, server] = Object.values(new WebSocketPair());
  if (!client || !server) throw new Error("WebSocketPair gave no pair");
  accept(server);
  return new Response(null, { status: 101, webSocket: client });
}

/** An object must answer a close itself, or the client waits 10 s for a 1006; these codes may not be sent. */
export function closeBack(ws: WebSocket, code: number): void {
  if (code === 1006 || code === 1015) return;
  try {
    ws.close(code === 1005 ? 1000 : code);
  } catch {
    // Closed from both sides at once.
  }
}
