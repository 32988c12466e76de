/** A text that is equal for two values only if they are stored as the same value: keys are compared by it. */
import { Buffer } from "node:buffer";

/** The text of a validated value. */
export function exactText(value: unknown): string {
  switch (typeof value) {
    case "string":
      return `s${value.length}:${value}`;
    case "number":
      // Negative zero is stored as zero.
      return `d${value + 0}`;
    case "bigint":
      return `d${value}`;
    case "object":
      return value === null ? "null" : ofObject(value);
    default:
      return String(value);
  }
}

/** A text that is equal for two records only if all of these fields are stored as the same values. */
export function keyText(values: Readonly<Record<string, unknown>>, fields: readonly string[]): string {
  return fields.map((field) => exactText(values[field])).join("\0");
}

function ofObject(value: object): string {
  if (value instanceof Date) return `t${value.getTime()}`;
  if (value instanceof Uint8Array) return `b${Buffer.from(value).toString("hex")}`;
  if (Array.isArray(value)) return `[${value.map(exactText).join()}]`;
  if (value instanceof Map || value instanceof Set) return `{${[...value].map(exactText).join()}}`;
  // A server that compares JSON by its content ignores the order of keys.
  const entries = Object.entries(value).filter(([, held]) => held !== undefined);
  entries.sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${entries.map(([key, held]) => `${exactText(key)}${exactText(held)}`).join()}}`;
}
