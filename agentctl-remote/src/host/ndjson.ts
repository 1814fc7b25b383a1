import { MAX_FRAME_BYTES } from "@reprise/protocol";

/** Cuts a byte stream into lines of at most `MAX_FRAME_BYTES`. */
export class LineCutter {
  private parts: Buffer[] = [];
  private size = 0;

  /** @returns the finished lines, or null when a line is too long: the stream can't be understood any more */
  push(chunk: Buffer): string[] | null {
    const lines: string[] = [];
    let from = 0;
    for (let end = chunk.indexOf(10, from); end >= 0; end = chunk.indexOf(10, from)) {
      if (this.size + end - from > MAX_FRAME_BYTES) return null;
      lines.push(Buffer.concat([...this.parts, chunk.subarray(from, end)]).toString("utf8"));
      this.parts = [];
      this.size = 0;
      from = end + 1;
    }
    const rest = chunk.subarray(from);
    this.size += rest.length;
    if (this.size > MAX_FRAME_BYTES) return null;
    if (rest.length > 0) this.parts.push(rest);
    return lines;
  }
}
