import { randomBytes } from "node:crypto";
import { connect, type Socket } from "node:net";
import { decodeFrame } from "@reprise/protocol";
import { HOST_HELLO_MS } from "../limits.ts";
import { LineCutter } from "./ndjson.ts";
import { HOST_PROTOCOL, type HostDown, HostUp, proofHolds } from "./wire.ts";

export type HostHello = Extract<HostUp, { type: "hello" }>;

export interface HostLink {
  hello: HostHello;
  /** @returns false when the socket's buffer is full; it is sent all the same */
  send(frame: HostDown): boolean;
  /** Read no more of the host until `resume`: whoever its frames are for can't take them now. */
  pause(): void;
  resume(): void;
  close(): void;
  readonly closed: Promise<void>;
}

/** `absent`: nobody listens there. `silent`: somebody does but doesn't answer (unknown, not dead: T3). `stranger`: it isn't ours. */
export type ConnectFailure = { ok: false; why: "absent" | "silent" | "stranger"; message: string };

/** What `connectHost` needs to know. */
export interface ConnectOptions {
  socket: string;
  nonce: string;
  role: "daemon" | "visitor";
  /** Every frame but the hello, in order. */
  onFrame: (frame: HostUp) => void;
  /** A line that isn't a frame of this version; skipped. */
  onBadFrame: (message: string) => void;
  helloMs?: number;
}

/** Connect to a host and have it prove who it is (X7). Never rejects. */
export function connectHost(options: ConnectOptions): Promise<{ ok: true; link: HostLink } | ConnectFailure> {
  return new Promise((resolve) => {
    const socket: Socket = connect(options.socket);
    const challenge = randomBytes(32).toString("hex");
    const cutter = new LineCutter();
    let greeted = false;
    let closedNow: () => void = () => undefined;
    const closed = new Promise<void>((done) => {
      closedNow = done;
    });
    const fail = (why: ConnectFailure["why"], message: string) => {
      clearTimeout(timer);
      socket.destroy();
      resolve({ ok: false, why, message });
    };
    const timer = setTimeout(
      () => fail("silent", "The host did not answer in time."),
      options.helloMs ?? HOST_HELLO_MS,
    );
    const send = (frame: HostDown) => socket.writable && socket.write(`${JSON.stringify(frame)}\n`);
    const link = (hello: HostHello): HostLink => ({
      hello,
      send,
      pause: () => socket.pause(),
      resume: () => socket.resume(),
      close: () => socket.end(),
      closed,
    });

    const onLine = (line: string) => {
      const decoded = decodeFrame(line, HostUp);
      if (!decoded.ok) return options.onBadFrame(decoded.message);
      const frame = decoded.frame;
      if (greeted) return options.onFrame(frame);
      if (frame.type !== "hello" || !proofHolds(options.nonce, challenge, frame.proof))
        return fail("stranger", "Whoever listens there does not know this session's nonce.");
      greeted = true;
      clearTimeout(timer);
      resolve({ ok: true, link: link(frame) });
    };
    socket.once("connect", () => send({ type: "hello", host_protocol: HOST_PROTOCOL, challenge, role: options.role }));
    socket.on("data", (chunk: Buffer) => {
      const lines = cutter.push(chunk);
      if (!lines) {
        options.onBadFrame("A line is too long.");
        socket.destroy();
        return;
      }
      for (const line of lines) onLine(line);
    });
    // The close that follows says all there is to know after the hello.
    socket.on("error", (error) => {
      if (!greeted) fail("absent", error.message);
    });
    socket.once("close", () => {
      closedNow();
      if (!greeted) fail("silent", "The host closed the connection before it answered.");
    });
  });
}
