/** Bytes of a client as the function gets them: of the plain class, and alone in their buffer. */

/** The bytes without Node's own class, whose methods of the same names do other things, and without what is around them. */
export function ownBytes(bytes: Buffer): Uint8Array {
  const { buffer, length } = bytes;
  return buffer.byteLength === length ? new Uint8Array(buffer) : new Uint8Array(bytes);
}
