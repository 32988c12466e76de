/** Bytes into which protocol messages are first written: the length of a message is known only afterwards. */
import { Buffer } from "node:buffer";

const LEAST = 1 << 12;

/** Larger buffers are not kept for the next message. */
const MOST_KEPT = 1 << 20;

/** The same bytes with more room after `used`. */
export function withRoom(buffer: Buffer, used: number, more: number): Buffer {
  if (used + more <= buffer.length) return buffer;
  const larger = Buffer.allocUnsafe(2 * (used + more));
  buffer.copy(larger, 0, 0, used);
  return larger;
}

/** Bytes that are reused for each message. */
export class ScratchBytes {
  buffer: Buffer = Buffer.allocUnsafe(LEAST);

  /** A copy of the written bytes. The buffer is kept for the next message if it is not too large. */
  take(written: Buffer, used: number): Buffer {
    this.buffer = written.length > MOST_KEPT ? Buffer.allocUnsafe(LEAST) : written;
    return Buffer.from(written.subarray(0, used));
  }
}
