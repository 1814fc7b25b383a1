import { type Failure, isTerminalUp } from "@reprise/protocol";
import type { HostState, HostUp } from "../host/wire.ts";
import type { SessionSocket } from "../link/session.ts";
import type { Log } from "../log.ts";
import type { Written } from "./writes.ts";

export interface HostFramePorts {
  socket: SessionSocket;
  log: Log;
  /** The network is full: read the host no further for now. */
  pause(): void;
  learn(state: HostState): void;
  sawEvent(seq: number): void;
  /** The launch began, is over, or could not be. */
  settled(executionId: string, failure: Failure | null): void;
  /** Its agent is ready or never will be: the start is over (X5). */
  startOver(executionId: string): void;
  ended(commandId: string, failure: Failure | null): void;
  /** What became of input for one of its terminals. */
  written(requestId: string, outcome: Written): void;
}

/** What each frame of a host means to its keeper; what is the control plane's is passed on. */
export function onHostFrame(frame: HostUp, ports: HostFramePorts): void {
  if (isTerminalUp(frame)) {
    if (!ports.socket.send(frame)) ports.pause();
    return;
  }
  switch (frame.type) {
    case "events":
      if (!ports.socket.send(frame)) ports.pause();
      for (const { seq, execution_id, body } of frame.events) {
        ports.sawEvent(seq);
        if (!execution_id) continue;
        if (body.type === "execution.opened") ports.settled(execution_id, null);
        if (body.type === "agent.ready" || body.type === "execution.ended") ports.startOver(execution_id);
      }
      break;
    case "preview":
    case "permit.request":
    case "prompt.refused":
    case "approval.unknown":
      if (!ports.socket.send(frame)) ports.pause();
      break;
    case "state":
      ports.learn(frame.state);
      break;
    case "launch.taken":
      if (frame.phase !== "waiting_permit") ports.settled(frame.command_id, null);
      if (frame.phase === "over") ports.startOver(frame.command_id);
      break;
    case "command.done":
      ports.ended(frame.command_id, null);
      break;
    case "command.failed":
      ports.ended(frame.command_id, frame.failure);
      break;
    case "terminal.written":
      ports.written(frame.request_id, frame.outcome);
      break;
    case "replaced":
      ports.log.warn("another daemon took this host");
      break;
    case "error":
      ports.log.warn({ code: frame.code, text: frame.message }, "the host refused a frame");
      break;
    case "hello":
    case "pong":
    case "session.hello":
    case "idle":
      break;
    default:
      frame satisfies never;
  }
}
