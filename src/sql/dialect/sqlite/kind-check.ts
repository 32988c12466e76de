/**
 * The CHECK by which a column of SQLite says what its numbers mean: decimals, dates as milliseconds since 1970, or
 * booleans whose type does not say so. It refuses unreadable values, and a migration to another type uses it.
 */

import type { Storage } from "../../declare/declaration.js";
import { doubleQuoted } from "../grammar/names.js";
import { isEpoch } from "./dates.js";
import { type CheckedDigits, decimalCheck, readDecimalCheck } from "./decimal-check.js";

/** The meaning that a CHECK gives to the numbers of a column. */
export type CheckedKind = CheckedDigits | "milliseconds" | "boolean";

/** Whether a type says that a column holds booleans. */
export const SAYS_BOOLEAN: RegExp = /^\s*BOOL(?:EAN)?\b/i;

// From the year 1 to the year 9999: no server reads other dates.
const FIRST_MS = Date.parse("0001-01-01T00:00:00.000Z");
const LAST_MS = Date.parse("9999-12-31T23:59:59.999Z");

const MARKS: readonly { readonly kind: "milliseconds" | "boolean"; readonly of: (name: string) => string }[] =
  [
    {
      kind: "milliseconds",
      of: (name) => `typeof(${name}) IN ('integer', 'null') AND ${name} BETWEEN ${FIRST_MS} AND ${LAST_MS}`,
    },
    { kind: "boolean", of: (name) => `typeof(${name}) IN ('integer', 'real', 'null') AND ${name} IN (0, 1)` },
  ];

/**
 * The condition that a column needs, if it needs one.
 * @param name the quoted name of the column.
 * @param type its declared type, if it has one.
 */
export function kindCheck(storage: Storage, name: string, type: string | undefined): string | undefined {
  if (storage.kind === "decimal") return decimalCheck(storage, name);
  const isBoolean = storage.kind === "boolean" && type !== undefined && !SAYS_BOOLEAN.test(type);
  const kind = isEpoch(storage) ? "milliseconds" : isBoolean ? "boolean" : undefined;
  return MARKS.find((mark) => mark.kind === kind)?.of(name);
}

/** The meaning that the text of a CHECK gives to a column, if it is such a check. */
export function readKindCheck(expression: string, column: string): CheckedKind | undefined {
  const digits = readDecimalCheck(expression, column);
  if (digits !== undefined) return digits;
  const said = expression.toLowerCase();
  const names = [column, doubleQuoted(column)].map((name) => name.toLowerCase());
  return MARKS.find(({ of }) => names.some((name) => of(name).toLowerCase() === said))?.kind;
}
