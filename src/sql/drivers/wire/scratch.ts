/** Bytes that messages of a protocol are written into first, because a length is known only when it is written. */
import { Buffer } from "node:buffer";

const LEAST = 1 << 12;

/** What is kept for the next message is no larger. */
const MOST_KEPT = 1 << 20;

/** The same bytes with room for more behind `used`. */
export function withRoom(buffer: Buffer, used: number, more: number): Buffer {
  if (used + more <= buffer.length) return buffer;
  const larger = Buffer.allocUnsafe(2 * (used + more));
  buffer.copy(larger, 0, 0, used);
  return larger;
}

/** Bytes that are used for one message after the other. */
export class ScratchBytes {
  buffer: Buffer = Buffer.allocUnsafe(LEAST);

  /** A copy of what was written, and the bytes kept for the next message if they are not too many. */
  take(written: Buffer, used: number): Buffer {
    this.buffer = written.length > MOST_KEPT ? Buffer.allocUnsafe(LEAST) : written;
    return Buffer.from(written.subarray(0, used));
  }
}
