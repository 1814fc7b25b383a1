import { createHash, createHmac, timingSafeEqual } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { type AgentInfo, type CapabilitiesAnswer, canResume, KNOCK_LABEL } from "@reprise/protocol";
import { CALL_LIMIT_MS, KNOCK_STEP_MS, MAX_CALLERS } from "../limits.ts";
import type { Log } from "../log.ts";

export interface CallablePorts {
  /** `host:port` to listen at; the owner's config.json says it. */
  listen: string;
  credential: string;
  log: Log;
  agents(): AgentInfo[];
  /** The control plane asks for a call. */
  knock(): void;
}

/** What a knock must prove itself with (N7): both sides make it from the credential, so that it is sent nowhere else. */
export function knockSecret(credential: string): string {
  const hash = createHash("sha256").update(credential).digest("hex");
  return createHmac("sha256", hash).update(KNOCK_LABEL).digest("hex");
}

/**
 * The address at which the control plane may call this machine (N7), where its owner wants that: is it there, what can it
 * do, and "dial in now". Nothing else can be asked or done here.
 * @throws where it can't listen: its owner asked for it
 */
export function openCallable(ports: CallablePorts): Promise<Server> {
  const { host, port } = hostAndPort(ports.listen);
  const secret = Buffer.from(`Bearer ${knockSecret(ports.credential)}`);
  let lastKnock = Number.NEGATIVE_INFINITY;
  const server = createServer((request, response) => {
    // Nobody has anything to tell us.
    request.resume();
    const what = `${request.method} ${request.url}`;
    if (what === "GET /health") return answer(response, 200, { ok: true });
    if (what !== "GET /capabilities" && what !== "POST /knock") return answer(response, 404, { ok: false });
    if (!isFromThePlane(request, secret)) return answer(response, 401, { ok: false });
    if (what === "GET /capabilities") return answer(response, 200, capabilitiesOf(ports.agents()));
    const now = performance.now();
    if (now - lastKnock >= KNOCK_STEP_MS) {
      lastKnock = now;
      ports.log.info("the control plane asks for a call");
      ports.knock();
    }
    return answer(response, 202, { ok: true });
  });
  server.requestTimeout = CALL_LIMIT_MS;
  server.headersTimeout = CALL_LIMIT_MS;
  server.maxConnections = MAX_CALLERS;
  return new Promise((resolve, reject) => {
    server.once("error", (error) =>
      reject(new Error(`config.json: can't listen at ${ports.listen}: ${error.message}. Choose another address.`)),
    );
    server.listen(port, host, () => resolve(server));
  });
}

function capabilitiesOf(agents: AgentInfo[]): CapabilitiesAnswer {
  const resumes = agents.some(({ capabilities }) => capabilities !== null && canResume(capabilities));
  return { supports_session_resume: resumes, supports_workspace_only: true, agents };
}

function isFromThePlane(request: IncomingMessage, secret: Buffer): boolean {
  const given = Buffer.from(request.headers.authorization ?? "");
  return given.length === secret.length && timingSafeEqual(given, secret);
}

function answer(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { "content-type": "application/json", connection: "close" });
  response.end(JSON.stringify(body));
}

/** @param listen `127.0.0.1:7443`, `[::1]:7443` or `:7443` for every address of the machine */
export function hostAndPort(listen: string): { host: string; port: number } {
  const at = listen.lastIndexOf(":");
  return { host: listen.slice(0, at).replace(/^\[|\]$/g, "") || "0.0.0.0", port: Number(listen.slice(at + 1)) };
}
