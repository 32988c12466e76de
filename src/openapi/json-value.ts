/**
 * From JSON text to a value. `JSON.parse` gives the speed; a scan of the value and one of the text find what it drops.
 * The strict reader runs only if something is wrong or uncertain.
 */
import { readJsonExactly } from "./json-reader.js";
import { scanJson } from "./json-scan.js";
import { MAX_DEPTH } from "./source-text.js";

/** Reads any JSON value. Throws the errors of `fromJSON` for syntax, duplicate keys, numbers and nesting. */
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
  // The value has fewer keys than the text: one was duplicated, and the strict reader finds the place.
  return keys === seen.keys && restore(integers, seen.large) ? value : readJsonExactly(text);
}

/** An object or a list, by its keys or indexes. */
type Holder = Record<string | number, unknown>;

/** Counts the keys of a value and finds what contains large numbers. It visits every value and must be quick. */
class Survey {
  keys = 0;
  readonly large: Holder[] = [];

  /** Visits an object or a list with all of its content; false if it is nested too deep. */
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

/** Whether a value is a double that may be a rounded integer. */
const isLarge = (value: unknown): value is number =>
  typeof value === "number" && Math.abs(value) > Number.MAX_SAFE_INTEGER;

/**
 * Replaces doubles by the integers that they round. False if the places are not certain, or if a number is beyond the
 * range of doubles.
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
      // It is already an own property, even `__proto__`: this only changes its value.
      holder[key] = integer.exact;
    }
  }
  // There are more than there are integers if one of them is not written as an integer: 1e20.
  return restored === integers.length;
}
