/** The newest bytes of a stream, by their offset in it. */
export interface Ring {
  /** Never changed once they are here. */
  chunks: readonly Uint8Array[];
  /** Of the first byte that is kept, and behind the last one. */
  from: number;
  to: number;
}

export const EMPTY_RING: Ring = { chunks: [], from: 0, to: 0 };

/** @param keep the bytes to keep at least; whole chunks beyond go */
export function append(ring: Ring, chunk: Uint8Array, keep: number): Ring {
  if (chunk.length === 0) return ring;
  const chunks = [...ring.chunks, chunk];
  const to = ring.to + chunk.length;
  let { from } = ring;
  let drop = 0;
  for (const first of chunks) {
    if (to - from - first.length < keep) break;
    from += first.length;
    drop++;
  }
  return { chunks: drop === 0 ? chunks : chunks.slice(drop), from, to };
}

/** At most `max` bytes from `offset` on, which the ring must hold. */
export function read(ring: Ring, offset: number, max: number): Uint8Array {
  const end = Math.min(ring.to, offset + max);
  const out = new Uint8Array(Math.max(0, end - offset));
  let at = ring.from;
  for (const chunk of ring.chunks) {
    const start = Math.max(offset, at);
    const stop = Math.min(end, at + chunk.length);
    if (start < stop) out.set(chunk.subarray(start - at, stop - at), start - offset);
    at += chunk.length;
  }
  return out;
}
