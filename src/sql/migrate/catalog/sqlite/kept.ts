/**
 * How a column of SQLite keeps its values, before and after an edit of its declaration. The types of SQLite say little:
 * a decimal, a date and a boolean may all be whole numbers. A CHECK distinguishes these from other numbers; the
 * declaration says what a column is to hold.
 */
import type { ColumnInfo } from "../../../declare/declaration.js";
import type { StorageForm } from "../../../dialect/sqlite/conversion.js";
import { type CheckedKind, readKindCheck, SAYS_BOOLEAN } from "../../../dialect/sqlite/kind-check.js";
import type { CatalogCheck, CatalogColumn, CatalogTable } from "../../words/catalog.js";

/** Whether a type says that a column holds booleans. */
export function isBooleanType(type: string): boolean {
  return SAYS_BOOLEAN.test(type);
}

// The meaning that the CHECK of a column gives to its numbers.
function checkedKind(
  { checks }: Pick<CatalogTable, "checks">,
  { name }: Pick<CatalogColumn, "name">,
): CheckedKind | undefined {
  for (const { expression } of checks) {
    const kind = readKindCheck(expression, name);
    if (kind !== undefined) return kind;
  }
  return undefined;
}

/** Whether a check only gives the meaning of a column's numbers: it comes and goes with the kind of the column. */
export function isKindCheck({ expression }: CatalogCheck, { columns }: CatalogTable): boolean {
  return columns.some(({ name }) => readKindCheck(expression, name) !== undefined);
}

/**
 * The text that gives the meaning of a column's numbers, apart from its type. Two different texts give different
 * meanings, or one meaning in different forms.
 */
export function meaningOf(table: Pick<CatalogTable, "checks">, column: CatalogColumn): string {
  const kind = checkedKind(table, column);
  if (typeof kind === "object") return `decimals of scale ${kind.scale}`;
  return kind ?? (isBooleanType(column.type) ? "boolean by its type" : "what the type says");
}

/** How an existing column keeps its values; undefined for decimals whose scale it does not say. */
export function keptNow(table: Pick<CatalogTable, "checks">, column: CatalogColumn): StorageForm | undefined {
  const kind = checkedKind(table, column);
  if (typeof kind !== "object")
    return kind ?? (isBooleanType(column.type) ? "boolean" : affinities[affinityOf(column.type)]);
  const { precision, scale } = kind;
  return scale === undefined ? undefined : `decimal(${precision},${scale})`;
}

/** How a column is to keep its values. */
export function keptThen(
  table: Pick<CatalogTable, "checks">,
  column: CatalogColumn,
  info: ColumnInfo | undefined,
): StorageForm | undefined {
  const now = keptNow(table, column);
  // The catalog to which a migration is undone says no more.
  const storage = info?.storage;
  if (storage === undefined || now === undefined) return now;
  switch (storage.kind) {
    case "boolean":
      return "boolean";
    case "date":
      return now === "milliseconds" ? now : "date";
    case "json":
      return "json";
    case "array":
      return "list";
    case "number":
    case "bigint":
      return now === "any" ? (storage.integer === true ? "integer" : "number") : now;
    case "text":
      return storage.decimal === true && now === "text" ? "decimal text" : now;
    default:
      return now;
  }
}

const affinities: { readonly [A in ReturnType<typeof affinityOf>]: StorageForm } = {
  INTEGER: "integer",
  TEXT: "text",
  BLOB: "bytes",
  REAL: "number",
  NUMERIC: "any",
};

/** How values of a type are kept (https://sqlite.org/datatype3.html#determination_of_column_affinity). */
function affinityOf(type: string): "INTEGER" | "TEXT" | "BLOB" | "REAL" | "NUMERIC" {
  const said = type.toUpperCase();
  if (said.includes("INT")) return "INTEGER";
  if (/CHAR|CLOB|TEXT/.test(said)) return "TEXT";
  if (said === "" || said.includes("BLOB")) return "BLOB";
  return /REAL|FLOA|DOUB/.test(said) ? "REAL" : "NUMERIC";
}
