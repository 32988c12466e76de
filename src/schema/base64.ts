/** Bytes as base64, by what the platform has: `Buffer` in Node, which is the fastest, and `btoa` in browsers. */

/** Canonical base64 with padding (RFC 4648, 4). */
export const toBase64: (bytes: Uint8Array) => string =
  typeof Buffer === "function"
    ? (bytes) => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("base64")
    : toBase64ByText;

/** The bytes of canonical base64; `undefined` for any other text. */
export const fromBase64: (text: string) => Uint8Array | undefined =
  typeof Buffer === "function"
    ? (text) => {
        const bytes = Buffer.from(text, "base64");
        return bytes.toString("base64") === text ? bytes : undefined;
      }
    : fromBase64ByText;

export function toBase64ByText(bytes: Uint8Array): string {
  let text = "";
  for (const byte of bytes) text += String.fromCharCode(byte);
  return btoa(text);
}

export function fromBase64ByText(text: string): Uint8Array | undefined {
  try {
    const held = atob(text);
    // `atob` skips blanks and takes text without padding, which is not canonical.
    return btoa(held) === text ? Uint8Array.from(held, (one) => one.charCodeAt(0)) : undefined;
  } catch {
    return undefined;
  }
}
