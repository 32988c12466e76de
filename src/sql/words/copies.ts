/** Copies of the values that callers give, so that what they change later has no effect. */
import { isDate } from "../../core/errors.js";
import { defineOwn } from "../../core/values.js";
import { itemsOf } from "./lists.js";

/** Stands for a value that cannot be read or copied, such as a proxy that throws or an object that contains itself. */
class Uncopied {}

/** A copy of a value: of lists, bytes, dates and plain objects at any depth. Any other object is kept as it is. */
export function copyOf(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  try {
    return copied(value, 0);
  } catch {
    return new Uncopied();
  }
}

/**
 * A copy of an object of values that were checked: of each that `copyOf` copies, and of the others as they are. Symbols
 * stay.
 */
export function copiesOf(values: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const copies: Record<string, unknown> = { ...values };
  for (const [name, value] of Object.entries(copies)) {
    if (typeof value !== "object" || value === null) continue;
    const copy = copyOf(value);
    if (!(copy instanceof Uncopied)) defineOwn(copies, name, copy);
  }
  return copies;
}

function copied(value: unknown, depth: number): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (depth > DEEPEST) throw new RangeError("too deep");
  if (Array.isArray(value)) return itemsOf(value).map((item) => copied(item, depth + 1));
  if (isDate(value)) return new Date(value.getTime());
  if (value instanceof Uint8Array) return value.slice();
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) return value;
  const copy: Record<string, unknown> = Object.create(prototype);
  for (const [key, member] of Object.entries(value)) defineOwn(copy, key, copied(member, depth + 1));
  return copy;
}

// Deeper than any JSON that a column takes.
const DEEPEST = 512;
