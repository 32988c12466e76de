/**
 * From JSON text to a value: `JSON.parse` for the speed, a look over the value and one over the text for what that
 * swallows, and the strict reader only where something is wrong or uncertain.
 */
import { readJsonExactly } from "./json-reader.js";
import { scanJson } from "./json-scan.js";
import { MAX_DEPTH } from "./source-text.js";

/** Reads any JSON value; throws what `fromJSON` throws for syntax, duplicate keys, numbers and nesting. */
export function readJson(text: string): unknown {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return readJsonExactly(text);
  }
  if (typeof value !== "object" || value === null) return readJsonExactly(text);
  const seen = new Survey();
  if (!seen.all(value)) return readJsonExactly(text);
  const { keys, integers } = scanJson(text, seen.large.length > 0);
  // Fewer keys than the text has: one stood twice, and the strict reader says where.
  return keys === seen.keys && restore(integers, seen.large) ? value : readJsonExactly(text);
}

/** An object or a list, by its keys or indexes. */
type Holder = Record<string | number, unknown>;

/** Counts the keys of a value and finds what holds large numbers. It sees every value, so it is quick. */
class Survey {
  keys = 0;
  readonly large: Holder[] = [];

  /** Sees an object or a list with all that it holds; false when that is nested too deep. */
  all(value: object, level = 1): boolean {
    if (level > MAX_DEPTH) return false;
    const parts: readonly unknown[] = Array.isArray(value) ? value : Object.values(value);
    if (parts !== value) this.keys += parts.length;
    let hasLarge = false;
    for (let i = 0; i < parts.length; i++) {
      const part = parts[i];
      if (typeof part === "string") continue;
      if (typeof part === "object") {
        if (part !== null && !this.all(part, level + 1)) return false;
      } else if (isLarge(part)) hasLarge = true;
    }
    // Lists are read by their indexes, which are keys too, but not keys of the text.
    if (hasLarge) this.large.push(value as Holder);
    return true;
  }
}

/** Whether a value is a double that may have been an integer which it rounds. */
const isLarge = (value: unknown): value is number =>
  typeof value === "number" && Math.abs(value) > Number.MAX_SAFE_INTEGER;

/**
 * Puts integers in the place of the doubles that round them; false when it is not certain which belongs where, or
 * when a number is beyond all doubles.
 */
function restore(integers: readonly string[], holders: readonly Holder[]): boolean {
  const byDouble = new Map<number, { readonly source: string; readonly exact: bigint }>();
  for (const source of integers) {
    const double = Number(source);
    const known = byDouble.get(double);
    if (known === undefined) byDouble.set(double, { source, exact: BigInt(source) });
    else if (known.source !== source) return false;
  }
  let restored = 0;
  for (const holder of holders) {
    for (const key of Array.isArray(holder) ? holder.keys() : Object.keys(holder)) {
      const value = holder[key];
      if (!isLarge(value)) continue;
      if (!Number.isFinite(value)) return false;
      const integer = byDouble.get(value);
      if (integer === undefined) continue;
      restored++;
      // An own property already, `__proto__` too, so that this only changes its value.
      holder[key] = integer.exact;
    }
  }
  // More than there are integers, and one of them is written as none: 1e20.
  return restored === integers.length;
}
