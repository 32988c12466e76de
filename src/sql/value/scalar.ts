/** Values without a column: a scalar is bound by its own type, and other values are refused. */
import { describeType, isDate } from "../../core/errors.js";
import type { Storage } from "../declare/declaration.js";
import type { Grammar } from "../dialect/grammar/grammar.js";
import { faultOf } from "../kind/kinds.js";

/** The encoded value, or its fault. */
export type BoundScalar = { readonly value: unknown } | { readonly fault: string };

/** Checks a value and encodes it for the dialect. */
export function boundScalar(value: unknown, grammar: Grammar): BoundScalar {
  if (value === null) return { value };
  const kind = kindOf(value);
  if (kind === undefined)
    return {
      fault: `text, a number, a bigint, a boolean, a Date, bytes or null, not ${describeType(value)}`,
    };
  const storage: Storage = { kind };
  const fault = faultOf(storage, value);
  // `faultOf` has checked that the value is of its kind.
  return fault === undefined ? { value: grammar.values[kind].encode(value as never, storage) } : { fault };
}

function kindOf(value: unknown): "text" | "number" | "bigint" | "boolean" | "date" | "bytes" | undefined {
  const type = typeof value;
  if (type === "string") return "text";
  if (type === "number" || type === "bigint" || type === "boolean") return type;
  if (isDate(value)) return "date";
  return value instanceof Uint8Array ? "bytes" : undefined;
}
