import { MAX_TERMINAL_CHUNK, TERMINAL_ACK_BYTES, TERMINAL_WINDOW_BYTES } from "@reprise/protocol";

/** Why a pane is shown the screen as a whole. */
export type Why = "first" | "other_stream" | "too_old" | "slow" | "resized";

/** How far one pane is (B1, B2). Only its own credit holds it back, and it holds back nobody: not the program either. */
export interface Pane {
  /** The next byte to send. */
  sent: number;
  /** Shown up to here. */
  acked: number;
  /** It needs the whole screen before it can go on. */
  needs: Why | null;
  /** Its snapshot is being made. */
  asked: boolean;
}

/** What is there to send: a stream, and the newest of its bytes. */
export interface Stream {
  stream_id: string;
  from: number;
  to: number;
}

/** A pane that attaches goes on from what it has, if all that followed is still here. */
export function attach(have: { stream_id: string; offset: number } | null, stream: Stream): Pane {
  const anew = (needs: Why): Pane => ({ sent: stream.to, acked: stream.to, needs, asked: false });
  if (have === null) return anew("first");
  if (have.stream_id !== stream.stream_id) return anew("other_stream");
  if (have.offset < stream.from || have.offset > stream.to) return anew("too_old");
  return { sent: have.offset, acked: have.offset, needs: null, asked: false };
}

/** It says how far it has shown; what was never sent can't be acknowledged. */
export function acknowledge(pane: Pane, offset: number): Pane {
  return { ...pane, acked: Math.min(Math.max(pane.acked, offset), pane.sent) };
}

/** The terminal's size changes: whoever has all of its bytes is told in turn, the others get the screen as it is then. */
export function resized(pane: Pane, to: number): Pane {
  return pane.needs === null && pane.sent < to ? { ...pane, needs: "resized" } : pane;
}

export type Next =
  | { do: "nothing" }
  | { do: "send"; offset: number; length: number }
  /** Make a snapshot; `snapshotTaken` follows. */
  | { do: "snapshot" };

/** What a pane gets next. */
export function next(pane: Pane, stream: Stream): { pane: Pane; next: Next } {
  const lost = pane.needs === null && pane.sent < stream.from;
  const now: Pane = lost ? { ...pane, needs: "slow" } : pane;
  if (now.needs !== null) {
    // Not before it has shown most of what is on its way: a snapshot may cost as much.
    if (now.asked || now.sent - now.acked > 2 * TERMINAL_ACK_BYTES) return { pane: now, next: { do: "nothing" } };
    return { pane: { ...now, asked: true }, next: { do: "snapshot" } };
  }
  const length = Math.min(stream.to - now.sent, TERMINAL_WINDOW_BYTES - (now.sent - now.acked), MAX_TERMINAL_CHUNK);
  if (length <= 0) return { pane: now, next: { do: "nothing" } };
  return { pane: { ...now, sent: now.sent + length }, next: { do: "send", offset: now.sent, length } };
}

/** The screen as of `offset` is sent: from there it goes on. */
export function snapshotTaken(offset: number): Pane {
  return { sent: offset, acked: offset, needs: null, asked: false };
}
