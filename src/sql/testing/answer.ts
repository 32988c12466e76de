/**
 * Converts the rows of an answer, which have the caller's form, to the values that a driver would return, so
 * that they go through the same decoding as rows of a server.
 */

import type { Output } from "../value/output.js";
import type { Dialect } from "../words/dialect.js";

/** A row as the caller of a builder receives it: values by property. */
export type AnswerRow = Readonly<Record<string, unknown>>;

/** The values of a row as the driver of a dialect returns them. */
export function driverValues(row: AnswerRow, output: readonly Output[], dialect: Dialect): unknown[] {
  // Statements that rowtype itself adds, such as a count of rows, take the values unchanged.
  if (output.length === 0) return Object.values(row);
  return output.map((one) => driverValue(memberOf(row, one, output), one, dialect));
}

// The value of an aggregate has no property name, so a row with one value is that value.
function memberOf(row: AnswerRow, { name }: Output, { length }: readonly Output[]): unknown {
  if (Object.hasOwn(row, name)) return row[name];
  const values = Object.values(row);
  return length === 1 && values.length === 1 ? values[0] : undefined;
}

// A value that the column cannot hold stays unchanged, as if the server had returned it; the decoder then
// refuses it.
function driverValue(value: unknown, { fault, encode }: Output, dialect: Dialect): unknown {
  if (value === null || value === undefined) return null;
  if (fault(value) !== undefined) return value;
  return dialect === "postgres" ? textOf(encode(value)) : encode(value);
}

// Other servers return values in the form that they accept. PostgreSQL accepts more forms than it returns.
function textOf(value: unknown): unknown {
  if (typeof value === "boolean") return value ? "t" : "f";
  if (value instanceof Uint8Array) return `\\x${Buffer.from(value).toString("hex")}`;
  if (Array.isArray(value)) return `{${value.map((item) => inQuotes(String(textOf(item)))).join(",")}}`;
  return value;
}

function inQuotes(text: string): string {
  return `"${text.replace(/["\\]/g, "\\$&")}"`;
}
