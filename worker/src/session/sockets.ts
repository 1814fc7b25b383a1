import { CLOSE, type CloseName } from "@reprise/protocol";
import type { z } from "zod";

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

export function close(ws: WebSocket, why: CloseName): void {
  try {
    ws.close(CLOSE[why], why);
  } catch {
    // Closed already.
  }
}

/**
 * What is kept with a socket. Another version of this program may have written it: then the socket is closed as stale,
 * so that its other side comes back and is served as new. @returns null for such a one.
 */
export function attachmentOf<T>(ws: WebSocket, schema: z.ZodType<T>): T | null {
  const parsed = schema.safeParse(ws.deserializeAttachment());
  if (parsed.success) return parsed.data;
  close(ws, "stale");
  return null;
}
