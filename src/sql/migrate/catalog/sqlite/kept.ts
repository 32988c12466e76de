/**
 * How a column of SQLite keeps its values, before and after an edit of its declaration. The types of SQLite say little:
 * a decimal, a date and a boolean may all be whole numbers. Decimals are told by their CHECK; what a column is to hold,
 * the declaration says.
 */
import type { ColumnInfo } from "../../../declare/declaration.js";
import type { Kept } from "../../../dialect/sqlite/conversion.js";
import { isEpoch } from "../../../dialect/sqlite/dates.js";
import { type CheckedDigits, readDecimalCheck } from "../../../dialect/sqlite/decimal-check.js";
import type { CatalogColumn, CatalogTable } from "../../words/catalog.js";

/** The digits of a column of decimals, as its CHECK says them; undefined for any other column. */
export function decimalDigits(
  { checks }: Pick<CatalogTable, "checks">,
  { name }: Pick<CatalogColumn, "name">,
): CheckedDigits | undefined {
  for (const { expression } of checks) {
    const digits = readDecimalCheck(expression, name);
    if (digits !== undefined) return digits;
  }
  return undefined;
}

/** Whether the numbers of one column mean others than those of another: decimals of another scale, or none. */
export function unitsDiffer(a: CheckedDigits | undefined, b: CheckedDigits | undefined): boolean {
  return a === undefined || b === undefined ? a !== b : a.scale !== b.scale;
}

/** How a column that is there keeps its values; undefined for decimals whose scale it does not say. */
export function keptNow(table: Pick<CatalogTable, "checks">, column: CatalogColumn): Kept | undefined {
  const digits = decimalDigits(table, column);
  if (digits !== undefined) return decimalOf(digits);
  return BOOLEAN.test(column.type) ? "boolean" : affinities[affinityOf(column.type)];
}

/** How a column is to keep them. */
export function keptThen(
  table: Pick<CatalogTable, "checks">,
  column: CatalogColumn,
  info: ColumnInfo | undefined,
): Kept | undefined {
  const now = keptNow(table, column);
  // Of a catalog that a migration is undone to, no more is known.
  const storage = info?.storage;
  if (storage === undefined || now === undefined) return now;
  switch (storage.kind) {
    case "boolean":
      return "boolean";
    case "date":
      return isEpoch(storage) ? "milliseconds" : "date";
    case "json":
      return "json";
    case "array":
      return "list";
    default:
      return now;
  }
}

function decimalOf({ precision, scale }: CheckedDigits): Kept | undefined {
  return scale === undefined ? undefined : `decimal(${precision},${scale})`;
}

const BOOLEAN = /^BOOL(?:EAN)?\b/i;

const affinities: { readonly [A in ReturnType<typeof affinityOf>]: Kept } = {
  INTEGER: "integer",
  TEXT: "text",
  BLOB: "bytes",
  REAL: "number",
  NUMERIC: "any",
};

/** How values of a type are kept (https://sqlite.org/datatype3.html#determination_of_column_affinity). */
export function affinityOf(type: string): "INTEGER" | "TEXT" | "BLOB" | "REAL" | "NUMERIC" {
  const said = type.toUpperCase();
  if (said.includes("INT")) return "INTEGER";
  if (/CHAR|CLOB|TEXT/.test(said)) return "TEXT";
  if (said === "" || said.includes("BLOB")) return "BLOB";
  return /REAL|FLOA|DOUB/.test(said) ? "REAL" : "NUMERIC";
}
