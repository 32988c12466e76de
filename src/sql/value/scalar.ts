/** Values that no column says anything of: a scalar is bound as what it is, and nothing else is bound. */
import { describeType } from "../../core/errors.js";
import type { Storage } from "../declare/declaration.js";
import type { Grammar } from "../dialect/grammar.js";
import { faultOf } from "./fault.js";

/** What a parameter of a text of the caller's own may be. A list or an object is none: give it as JSON text. */
export type SqlValue = string | number | bigint | boolean | Date | Uint8Array | null;

/** The form that the driver gets of a value, or what is wrong with it. */
export type BoundScalar = { readonly value: unknown } | { readonly fault: string };

/** Checks a value and gives it the form of its dialect. */
export function boundScalar(value: unknown, grammar: Grammar): BoundScalar {
  if (value === null) return { value };
  const kind = kindOf(value);
  if (kind === undefined)
    return {
      fault: `text, a number, a bigint, a boolean, a Date, bytes or null, not ${describeType(value)}`,
    };
  const storage: Storage = { kind };
  const fault = faultOf(storage, value);
  // `faultOf` has seen that the value is one of its kind.
  return fault === undefined ? { value: grammar.values[kind].encode(value as never, storage) } : { fault };
}

function kindOf(value: unknown): "text" | "number" | "bigint" | "boolean" | "date" | "bytes" | undefined {
  const type = typeof value;
  if (type === "string") return "text";
  if (type === "number" || type === "bigint" || type === "boolean") return type;
  return value instanceof Date ? "date" : value instanceof Uint8Array ? "bytes" : undefined;
}
