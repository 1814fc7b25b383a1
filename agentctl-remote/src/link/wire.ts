/** What a link needs of whatever carries its frames: a WebSocket, or POSTs in its place (N3). */
export interface Wire {
  readonly isOpen: boolean;
  /** Bytes that the network has not taken yet. */
  readonly buffered: number;
  /** @param sent the network took it */
  send(text: string, sent?: () => void): void;
  /** A normal end; what was sent before still goes out. */
  close(): void;
  /** The end at once. */
  drop(): void;
}

/** What it tells; never before it was returned. */
export interface WireEvents {
  opened(): void;
  text(text: string): void;
  /** Answered with an HTTP status instead. */
  refused(status: number): void;
  failed(message: string): void;
  closed(code: number): void;
}

export type Dial = (events: WireEvents) => Wire;
