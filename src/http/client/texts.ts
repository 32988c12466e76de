/** Values as text, in paths, queries, headers and forms. */

/** A list repeats its key; absent values are omitted. @throws TypeError for bytes, whose wire form is base64, and for objects */
export function textsOf(value: unknown): readonly string[] {
  if (value === undefined || value === null) return [];
  if (Array.isArray(value)) return value.flatMap(textsOf);
  if (ArrayBuffer.isView(value)) throw new TypeError("bytes");
  const text = value instanceof Date ? value.toISOString() : String(value);
  if (/^\[object/.test(text) && typeof value !== "string") throw new TypeError("an object");
  return [text];
}
