/** Cuts a batch into the parts that one statement takes each. */

/** What a statement takes. */
export interface Room {
  /** The most records. */
  readonly most: number;
  /** The most bytes of values, where a server bounds them. */
  readonly mostBytes: number | undefined;
}

/** The parts of a batch, in order; a record that is too large by itself is a part by itself. */
export function partsOf<T extends { readonly values: readonly unknown[] }>(
  batch: readonly T[],
  { most, mostBytes }: Room,
): T[][] {
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

// An upper bound: a character has up to three bytes for each unit of its length, and numbers are small.
function sizeOf(values: readonly unknown[]): number {
  let size = 0;
  for (const value of values)
    size += typeof value === "string" ? 3 * value.length : value instanceof Uint8Array ? value.length : 16;
  return size;
}
