/** A door in a byte stream: while it is closed nothing is read, so the pipe fills and the writer waits (P5). */
export interface Gate {
  through(source: ReadableStream<Uint8Array>): ReadableStream<Uint8Array>;
  open(): void;
  close(): void;
}

export function gated(): Gate {
  let closed = false;
  let opened: Promise<void> = Promise.resolve();
  let letThrough: () => void = () => undefined;
  return {
    through(source) {
      const door = new TransformStream<Uint8Array, Uint8Array>(
        {
          async transform(chunk, controller) {
            if (closed) await opened;
            controller.enqueue(chunk);
          },
        },
        { highWaterMark: 1 },
        { highWaterMark: 0 },
      );
      return source.pipeThrough(door);
    },
    close() {
      if (closed) return;
      closed = true;
      opened = new Promise((resolve) => {
        letThrough = resolve;
      });
    },
    open() {
      closed = false;
      letThrough();
    },
  };
}
