/** The Oracle types of columns, as far as statements depend on them. */
import type { AnyTable, ColumnInfo } from "../../declare/declaration.js";
import { indexingOf, textFor } from "../grammar/declared.js";
import type { OutVariable, ReturningInto } from "../grammar/grammar.js";

/** Whether a column is a CLOB or a BLOB: JSON, arrays and bytes are, unless they have an index. */
export function isLargeObject(column: ColumnInfo, table: AnyTable): boolean {
  const declared = textFor(column.type, "oracle");
  if (declared !== undefined && column.storage.decimal !== true)
    return /^\s*(?:N?CLOB|BLOB|JSON)\b/i.test(declared);
  const { kind } = column.storage;
  return (
    (kind === "json" || kind === "array" || kind === "bytes") &&
    indexingOf(table, column, "oracle") === "none"
  );
}

/**
 * `RETURNING … INTO`. The driver reads a number in a variable as a double, so exact numbers are returned as
 * digits.
 */
export const returningInto: ReturningInto = {
  // A decimal point and no group separators, regardless of the session.
  value: ({ kind, decimal }) =>
    decimal === true || kind === "decimal" ? `TO_CHAR({f}, 'TM9', 'NLS_NUMERIC_CHARACTERS=''.,''')` : "{f}",
  variable: variableOf,
  placeholder: (position) => `:o${position - 1}`,
};

const DIGITS: OutVariable = { holds: "text", maxBytes: 64 };
const MOST_TEXT = 4_000;
const MOST_BYTES = 2_000;

function variableOf(stored: Pick<ColumnInfo, "storage" | "type">, isLarge: boolean): OutVariable {
  const { kind, integer, decimal } = stored.storage;
  if (kind === "date") return { holds: "date" };
  if (kind === "boolean" || kind === "decimal" || integer === true || decimal === true) return DIGITS;
  if (kind === "number") return { holds: "double" };
  if (isLarge) return { holds: kind === "bytes" ? "long bytes" : "long text" };
  return kind === "bytes"
    ? { holds: "bytes", maxBytes: lengthOf(stored, MOST_BYTES) }
    : { holds: "text", maxBytes: lengthOf(stored, MOST_TEXT) };
}

/** The length of a declared type in bytes; a character has up to four. */
function lengthOf({ type }: Pick<ColumnInfo, "type">, least: number): number {
  const declared = /\(\s*(\d+)/.exec(textFor(type, "oracle") ?? "")?.[1] ?? "0";
  return Math.max(least, 4 * Number(declared));
}
