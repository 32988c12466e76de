/**
 * Decimals of a pulled file on SQLite, where they are whole numbers of their last digit: the CHECK of the column says so,
 * and the declaration writes that CHECK again.
 */
import { readDecimalCheck } from "../../dialect/sqlite/decimal-check.js";
import type { CatalogCheck, CatalogColumn, CatalogTable } from "../words/catalog.js";

/** How a column of decimals is declared. */
export interface PulledDecimal {
  /** The Zod schema, as text. */
  readonly schema: string;
  /** In decimals, as a declaration says it. */
  readonly default: string | null;
  /** The check that the declaration writes. */
  readonly check: CatalogCheck;
}

const MOST_DIGITS = 38;

/** The declaration of a column as decimals; undefined where the database does not say that it is one. */
export function pulledDecimal({ checks }: CatalogTable, column: CatalogColumn): PulledDecimal | undefined {
  if (column.type !== "INTEGER" || column.computed !== null || column.generated !== false) return undefined;
  for (const check of checks) {
    const { precision = 0, scale } = readDecimalCheck(check.expression, column.name) ?? {};
    if (scale === undefined || precision < 1 || precision > MOST_DIGITS) continue;
    const said = inDecimals(column.default, scale);
    if (said !== undefined) return { schema: `decimal(${precision}, ${scale})`, default: said, check };
  }
  return undefined;
}

const UNITS = /^\(?(-?)(\d+)\)?$/;
const FROM_DECIMALS = /^\(?CAST\(round\(\((.+)\) \* 1(0*)\) AS INTEGER\)\)?$/is;

/** A default as a declaration of decimals says it; undefined for one that no such declaration writes. */
function inDecimals(expression: string | null, scale: number): string | null | undefined {
  if (expression === null || expression.toUpperCase() === "NULL") return null;
  const [, sign = "", units] = UNITS.exec(expression) ?? [];
  if (units !== undefined) {
    const digits = units.padStart(scale + 1, "0");
    const point = digits.length - scale;
    return scale === 0 ? sign + digits : `${sign}${digits.slice(0, point)}.${digits.slice(point)}`;
  }
  const [, decimals, zeros] = FROM_DECIMALS.exec(expression) ?? [];
  return zeros?.length === scale ? decimals : undefined;
}
