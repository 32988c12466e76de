/** Text that two values have in common only where they are stored as one: keys are compared by it. */
import { Buffer } from "node:buffer";

/** The text of a value that was validated. */
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

function ofObject(value: object): string {
  if (value instanceof Date) return `t${value.getTime()}`;
  if (value instanceof Uint8Array) return `b${Buffer.from(value).toString("hex")}`;
  if (Array.isArray(value)) return `[${value.map(exactText).join()}]`;
  if (value instanceof Map || value instanceof Set) return `{${[...value].map(exactText).join()}}`;
  // The order of keys makes no difference to a server that compares JSON by what it says.
  const entries = Object.entries(value).filter(([, held]) => held !== undefined);
  entries.sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${entries.map(([key, held]) => `${exactText(key)}${exactText(held)}`).join()}}`;
}
