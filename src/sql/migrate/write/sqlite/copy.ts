/**
 * The values that a rebuild on SQLite copies: each column unchanged, or converted to its declared kind. SQLite itself
 * converts nothing: a column of any type accepts any value.
 */
import { CONVERT, canBecome, type StorageForm } from "../../../dialect/sqlite/conversion.js";
import { keptNow, keptThen } from "../../catalog/sqlite/kept.js";
import type { ColumnChange, TableDelta } from "../../diff/compare.js";
import type { CatalogColumn } from "../../words/catalog.js";
import { CONVERT_BY_HAND, typeRefusal } from "../type-refusal.js";

/** The result of copying the values of a column. */
export interface Copied {
  readonly column: CatalogColumn;
  /** The value in the statement that copies the rows. */
  readonly expression: string;
  /** Whether a value may change or be lost. */
  readonly loses: boolean;
  readonly mayFail: boolean;
  /** Information for the reader of the step. */
  readonly note?: string;
}

/**
 * The result of copying a column whose type changes.
 * @throws {MigrationError} `MIGRATION_REFUSED` if no value of one type can become a value of the other.
 */
export function converted(
  { actual, declared: column }: ColumnChange,
  delta: TableDelta,
  quote: (name: string) => string,
): Copied {
  const { declared } = delta;
  const name = quote(column.name);
  const from = keptNow(delta.actual, actual);
  const info = Object.values(declared.table.columns).find((one) => one.name === column.name);
  const to = keptThen(declared.catalog, column, info);
  const asItIs = { column, expression: name, loses: false, mayFail: false };
  if (to === undefined || from === to) return asItIs;
  // Both types accept every number.
  if (from === "any" && (to === "integer" || to === "number") && keptNow(declared.catalog, column) === from)
    return asItIs;
  if (from === undefined) {
    const scale = /,(\d+)\)$/.exec(to)?.[1];
    if (scale === undefined)
      throw typeRefusal(
        declared,
        column,
        `the database does not say how many digits of its decimals are after the point: declare it as decimal(…) with those that it has, migrate, and change it then`,
      );
    const note = `the database does not say how many digits of ${JSON.stringify(column.name)} are after the point, and its numbers are taken as they are: allow it only if they were written with ${scale}`;
    return { ...asItIs, loses: true, note };
  }
  if (from === "integer" && to === "milliseconds") {
    const note = `the database does not say that the numbers of ${JSON.stringify(column.name)} are dates, and they are taken as milliseconds since 1970: allow it only if they are`;
    return { ...asItIs, loses: true, note };
  }
  if (!canBecome(from, to))
    throw typeRefusal(
      declared,
      column,
      `no value of the kind ${from} becomes one of the kind ${to}: ${CONVERT_BY_HAND}`,
    );
  return {
    column,
    expression: `${CONVERT}(${name}, '${from}', '${to}')`,
    loses: !keepsAll(from, to),
    mayFail: true,
  };
}

// Whether each converted value can be restored from the result.
function keepsAll(from: StorageForm, to: StorageForm): boolean {
  if (to === "any" || to === "text") return true;
  if (to === "decimal text") return from === "integer" || from.startsWith("decimal");
  const [had, has] = [from, to].map(readDigits);
  if (from === "text") return to === "json" || to === "list";
  // A value that is neither 0 nor 1 fails.
  if (to === "boolean") return from === "integer";
  if (has === undefined) return false;
  if (had !== undefined) return has.scale >= had.scale && has.whole >= had.whole;
  return from === "integer";
}

function readDigits(kept: StorageForm): { readonly whole: number; readonly scale: number } | undefined {
  const [, precision, scale] = /\((\d+),(\d+)\)/.exec(kept) ?? [];
  return scale === undefined ? undefined : { whole: Number(precision) - Number(scale), scale: Number(scale) };
}
