/** Addresses of the control plane, from the URL that the node joined. */
export function controlUrl(base: string): string {
  return socketUrl(base, "/api/agentctl/connect");
}

export function sessionUrl(base: string, sessionId: string): string {
  return socketUrl(base, `/api/agentctl/sessions/${sessionId}/ws`);
}

/** The same by plain HTTP (N3). */
export function heartbeatUrl(base: string): string {
  return new URL("/api/agentctl/heartbeat", base).href;
}

export function eventsUrl(base: string, sessionId: string): string {
  return new URL(`/api/agentctl/sessions/${sessionId}/events`, base).href;
}

export function joinUrl(base: string): string {
  return new URL("/api/agentctl/join", base).href;
}

function socketUrl(base: string, path: string): string {
  const url = new URL(path, base);
  url.protocol = url.protocol === "http:" ? "ws:" : "wss:";
  return url.href;
}
