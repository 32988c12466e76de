/** The forms in which programs hold the same bytes: an array of their own, or a part of a larger buffer. */

const BEFORE = 5;
const AFTER = 3;

/** The bytes inside a larger buffer, with other bytes on both sides. */
function inside(buffer: ArrayBuffer, content: readonly number[]): Uint8Array<ArrayBuffer> {
  new Uint8Array(buffer).fill(0xee);
  const view = new Uint8Array(buffer, BEFORE, content.length);
  view.set(content);
  return view;
}

const around = (content: readonly number[]) => BEFORE + content.length + AFTER;

/** An array of a class of a program's own. */
class Digest extends Uint8Array {}

/** Memory of several threads: bytes in it are no values to the compiler, and values at run time. */
const shared = (bytes: number) => new SharedArrayBuffer(bytes) as unknown as ArrayBuffer;

/** Bytes by the name of their form. Each call makes new ones. */
export const byteForms: Readonly<Record<string, (content: readonly number[]) => Uint8Array<ArrayBuffer>>> = {
  "an array of its own": (content) => Uint8Array.from(content),
  // Node cuts small buffers out of a pool that they share.
  "a Buffer from the pool": (content) => {
    Buffer.from("so that the next one does not begin where the pool begins");
    return Buffer.from(content);
  },
  "a part of a Buffer": (content) =>
    Buffer.concat([Buffer.alloc(BEFORE, 0xee), Buffer.from(content), Buffer.alloc(AFTER, 0xee)]).subarray(
      BEFORE,
      BEFORE + content.length,
    ),
  "a part of an array": (content) =>
    new Uint8Array(inside(new ArrayBuffer(around(content)), content).buffer).subarray(
      BEFORE,
      BEFORE + content.length,
    ),
  "an array over a part of an ArrayBuffer": (content) => inside(new ArrayBuffer(around(content)), content),
  "an array over a part of a SharedArrayBuffer": (content) => inside(shared(around(content)), content),
  "a Buffer over a part of a SharedArrayBuffer": (content) => {
    const { buffer, byteOffset, length } = inside(shared(around(content)), content);
    return Buffer.from(buffer, byteOffset, length);
  },
  "a part of an array of a derived class": (content) => {
    const { buffer, byteOffset, length } = inside(new ArrayBuffer(around(content)), content);
    return new Digest(buffer, byteOffset, length);
  },
};
