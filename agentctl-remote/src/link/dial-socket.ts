import { MAX_FRAME_BYTES } from "@reprise/protocol";
import WebSocket from "ws";
import type { Dial } from "./wire.ts";

/** A WebSocket to the control plane. @param headers asked at each dial */
export function dialSocket(url: string, headers: () => Record<string, string>): Dial {
  return (events) => {
    const socket = new WebSocket(url, {
      headers: headers(),
      maxPayload: MAX_FRAME_BYTES * 2,
      perMessageDeflate: false,
      followRedirects: false,
    });
    socket.on("open", () => events.opened());
    socket.on("message", (data, isBinary) => events.text(isBinary ? "" : String(data)));
    socket.on("unexpected-response", (request, response) => {
      request.destroy();
      events.refused(response.statusCode ?? 0);
    });
    socket.on("error", (error) => events.failed(error.message));
    socket.on("close", (code) => events.closed(code));
    return {
      get isOpen() {
        return socket.readyState === WebSocket.OPEN;
      },
      get buffered() {
        return socket.bufferedAmount;
      },
      send: (text, sent) => socket.send(text, () => sent?.()),
      close: () => socket.close(1000),
      drop: () => {
        // An answered close ends by itself; anything else is ended now.
        if (socket.readyState !== WebSocket.CLOSING) socket.terminate();
      },
    };
  };
}
