import { connect, createServer, type Server, type Socket } from "node:net";

/** Carries TCP from a machine's side to the control plane; can fall silent without closing anything. */
export class Forwarder {
  readonly #pairs = new Set<readonly [Socket, Socket]>();
  readonly #server: Server;
  #silent = false;
  #port = 0;

  private constructor(target: () => number) {
    this.#server = createServer((from) => this.#carry(from, target()));
  }

  /** @param host the address it answers on @param target the control plane's port on loopback, asked for each time */
  static async open(host: string, target: () => number): Promise<Forwarder> {
    const forwarder = new Forwarder(target);
    await new Promise<void>((resolve, reject) => {
      forwarder.#server.once("error", reject);
      forwarder.#server.listen(0, host, resolve);
    });
    const address = forwarder.#server.address();
    if (address === null || typeof address === "string") throw new Error("the forwarder got no port");
    forwarder.#port = address.port;
    return forwarder;
  }

  get port(): number {
    return this.#port;
  }

  /** Nothing passes any more, and nobody is told: as a cable that was cut. */
  silence(on: boolean): void {
    this.#silent = on;
    for (const pair of this.#pairs) for (const socket of pair) on ? socket.pause() : socket.resume();
  }

  async close(): Promise<void> {
    for (const pair of this.#pairs) for (const socket of pair) socket.destroy();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #carry(from: Socket, port: number): void {
    const to = connect(port, "127.0.0.1");
    const pair = [from, to] as const;
    this.#pairs.add(pair);
    const end = () => {
      this.#pairs.delete(pair);
      from.destroy();
      to.destroy();
    };
    for (const [one, other] of [
      [from, to],
      [to, from],
    ] as const) {
      one.setNoDelay(true);
      one.on("data", (chunk) => {
        if (!other.write(chunk)) one.pause();
      });
      other.on("drain", () => {
        if (!this.#silent) one.resume();
      });
      // Whatever ends one side ends the other; a reset is how a killed program ends.
      one.once("end", () => other.end());
      one.once("error", end);
      one.once("close", end);
    }
    if (this.#silent) for (const socket of pair) socket.pause();
  }
}
