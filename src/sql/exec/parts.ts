/** Splits a batch into parts that fit into one statement each. */

/** The limits of a statement. */
interface Room {
  /** The maximum number of records. */
  readonly most: number;
  /** The maximum number of bytes of values, if the server has a limit. */
  readonly mostBytes: number | undefined;
}

/** The parts of a batch, in order. A record that is too large is a part of its own. */
export function inParts<T extends { readonly values: readonly unknown[] }>(
  batch: readonly T[],
  { most, mostBytes }: Room,
): T[][] {
  if (mostBytes === undefined && batch.length <= most) return batch.length === 0 ? [] : [[...batch]];
  const parts: T[][] = [];
  let bytes = 0;
  for (const item of batch) {
    const size = mostBytes === undefined ? 0 : sizeOf(item.values);
    const open = parts.at(-1);
    bytes += size;
    if (open !== undefined && open.length < most && bytes <= (mostBytes ?? 0)) open.push(item);
    else {
      parts.push([item]);
      bytes = size;
    }
  }
  return parts;
}

// An upper bound: a character has at most three bytes for each UTF-16 unit, and numbers are small.
function sizeOf(values: readonly unknown[]): number {
  let size = 0;
  for (const value of values)
    size += typeof value === "string" ? 3 * value.length : value instanceof Uint8Array ? value.length : 16;
  return size;
}
