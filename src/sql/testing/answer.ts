/**
 * From the rows of an answer, which are as callers get them, to what a driver would have given for them: so they go
 * through the same decoding as rows of a server.
 */

import type { Output } from "../value/output.js";
import type { Dialect } from "../words/dialect.js";

/** A row as the caller of a builder gets it: values by property. */
export type AnswerRow = Readonly<Record<string, unknown>>;

/** The values of a row as the driver of a dialect gives them. */
export function driverValues(row: AnswerRow, output: readonly Output[], dialect: Dialect): unknown[] {
  // Of a statement that rowtype makes up for itself, the count of some rows say, the values stand as they are given.
  if (output.length === 0) return Object.values(row);
  return output.map((one) => driverValue(memberOf(row, one, output), one, dialect));
}

// The value of an aggregate has no name of the caller's, so in a row of one value it is that one.
function memberOf(row: AnswerRow, { name }: Output, { length }: readonly Output[]): unknown {
  if (Object.hasOwn(row, name)) return row[name];
  const values = Object.values(row);
  return length === 1 && values.length === 1 ? values[0] : undefined;
}

// What is none of the column's values stays as it is, as if the server had given it: then it is the decoding's turn.
function driverValue(value: unknown, { fault, encode }: Output, dialect: Dialect): unknown {
  if (value === null || value === undefined) return null;
  if (fault(value) !== undefined) return value;
  return dialect === "postgres" ? textOf(encode(value)) : encode(value);
}

// Others give what they get. PostgreSQL takes values in more forms than the one that it gives.
function textOf(value: unknown): unknown {
  if (typeof value === "boolean") return value ? "t" : "f";
  if (value instanceof Uint8Array) return `\\x${Buffer.from(value).toString("hex")}`;
  if (Array.isArray(value)) return `{${value.map((item) => inQuotes(String(textOf(item)))).join(",")}}`;
  return value;
}

function inQuotes(text: string): string {
  return `"${text.replace(/["\\]/g, "\\$&")}"`;
}
