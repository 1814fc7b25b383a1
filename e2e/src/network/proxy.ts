import { Agent, createServer, type IncomingMessage, type ServerResponse, request as send } from "node:http";
import { connect, type Socket } from "node:net";

/** What stands between a machine and its control plane does to WebSockets; plain HTTP passes, but where all is forbidden. */
export type Socketry =
  | "pass"
  /** Answers an upgrade with 426. */
  | "refuse"
  /** Lets a socket open, and no frame through it, either way; those that are open, too. */
  | "swallow"
  /** Ends each socket a moment after it has opened. */
  | "cut"
  /** Answers everything with 403, plain HTTP too. */
  | "forbid";

const CUT_AFTER_MS = 300;

/** A proxy on loopback, as a company's network has one. */
export class WebProxy {
  socketry: Socketry = "pass";
  /** Requests that passed, as `POST /path`. */
  readonly passed: string[] = [];
  /** How many sockets were opened, or refused. */
  sockets = 0;
  /** How many requests of either kind were answered with 403. */
  forbidden = 0;
  #upstream: number;
  readonly #agent = new Agent({ keepAlive: true });
  readonly #open = new Set<Socket>();
  readonly #server = createServer((request, response) => this.#forward(request, response));

  private constructor(upstream: number) {
    this.#upstream = upstream;
    this.#server.on("upgrade", (request: IncomingMessage, socket: Socket, head: Buffer) =>
      this.#upgrade(request, socket, head),
    );
  }

  static async start(upstream: string): Promise<WebProxy> {
    const proxy = new WebProxy(Number(new URL(upstream).port));
    await new Promise<void>((resolve) => proxy.#server.listen(0, "127.0.0.1", resolve));
    return proxy;
  }

  get origin(): string {
    const address = this.#server.address();
    if (address === null || typeof address === "string") throw new Error("the proxy doesn't listen");
    return `http://127.0.0.1:${address.port}`;
  }

  /** Ends every socket that is open, as a network that changes its mind does. */
  cutAll(): void {
    for (const socket of this.#open) socket.destroy();
  }

  async close(): Promise<void> {
    this.cutAll();
    this.#agent.destroy();
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #forward(request: IncomingMessage, response: ServerResponse): void {
    if (this.socketry === "forbid") {
      this.forbidden += 1;
      response.writeHead(403, { connection: "close" }).end();
      return;
    }
    this.passed.push(`${request.method} ${request.url}`);
    const { method, url, headers } = request;
    const onward = send(
      { host: "127.0.0.1", port: this.#upstream, method, path: url, headers, agent: this.#agent },
      (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(response);
      },
    );
    onward.on("error", () => {
      if (!response.headersSent) response.writeHead(502);
      response.end();
    });
    request.pipe(onward);
  }

  #upgrade(request: IncomingMessage, socket: Socket, head: Buffer): void {
    this.sockets += 1;
    if (this.socketry === "refuse" || this.socketry === "forbid") {
      if (this.socketry === "forbid") this.forbidden += 1;
      const status = this.socketry === "refuse" ? "426 Upgrade Required" : "403 Forbidden";
      socket.end(`HTTP/1.1 ${status}\r\ncontent-length: 0\r\nconnection: close\r\n\r\n`);
      return;
    }
    const onward = connect(this.#upstream, "127.0.0.1");
    const lines = [`${request.method} ${request.url} HTTP/1.1`];
    for (let i = 0; i < request.rawHeaders.length; i += 2)
      lines.push(`${request.rawHeaders[i]}: ${request.rawHeaders[i + 1]}`);
    onward.write(`${lines.join("\r\n")}\r\n\r\n`);
    onward.write(head);
    for (const one of [socket, onward]) {
      this.#open.add(one);
      one.on("close", () => this.#open.delete(one));
      one.on("error", () => undefined);
      // A server's sockets may stay half open; who has gone is gone.
      one.on("end", () => one.destroy());
    }
    socket.on("close", () => onward.destroy());
    onward.on("close", () => socket.destroy());
    socket.on("data", (chunk) => this.socketry === "swallow" || onward.write(chunk));
    let answered = false;
    onward.on("data", (chunk) => {
      if (this.socketry === "swallow" && answered) return;
      answered = true;
      socket.write(chunk);
      if (this.socketry === "cut") setTimeout(() => socket.destroy(), CUT_AFTER_MS);
    });
  }
}
