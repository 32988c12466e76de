/**
 * Columns of a pulled file on SQLite whose CHECK gives the meaning of their whole numbers: decimals, dates or booleans.
 * The declaration writes that CHECK again.
 */
import { isEpoch } from "../../../dialect/sqlite/dates.js";
import { readKindCheck, SAYS_BOOLEAN } from "../../../dialect/sqlite/kind-check.js";
import type { CatalogColumn, CatalogTable } from "../../words/catalog.js";
import type { PulledKind } from "../dialect.js";

const MOST_DIGITS = 38;

/** The declaration of such a column; undefined if no CHECK gives the meaning of its numbers. */
export function pulledKind({ checks }: CatalogTable, column: CatalogColumn): PulledKind | undefined {
  if (column.computed !== null || column.generated !== false) return undefined;
  for (const check of checks) {
    const kind = readKindCheck(check.expression, column.name);
    if (kind === undefined) continue;
    const pulled = typeof kind === "object" ? decimalOf(column, kind) : whole[kind](column);
    if (pulled !== undefined) return { ...pulled, check };
  }
  return undefined;
}

type Declared = Omit<PulledKind, "check">;

function decimalOf(
  column: CatalogColumn,
  { precision, scale }: { readonly precision: number; readonly scale: number | undefined },
): Declared | undefined {
  if (column.type !== "INTEGER" || scale === undefined || precision < 1 || precision > MOST_DIGITS)
    return undefined;
  const said = inDecimals(column.default, scale);
  if (said === undefined) return undefined;
  return { type: { schema: `decimal(${precision}, ${scale})`, uses: ["decimal"] }, default: said };
}

const whole: Readonly<Record<"milliseconds" | "boolean", (column: CatalogColumn) => Declared | undefined>> = {
  milliseconds: ({ type, default: said }) =>
    isEpoch({ kind: "date", type })
      ? { type: { schema: "z.date()", type, uses: [] }, default: said }
      : undefined,
  boolean: ({ type, default: said }) =>
    SAYS_BOOLEAN.test(type) || type === ""
      ? undefined
      : { type: { schema: "z.boolean()", type, uses: [] }, default: said },
};

const UNITS = /^\(?(-?)(\d+)\)?$/;
const FROM_DECIMALS = /^\(?CAST\(round\(\((.+)\) \* 1(0*)\) AS INTEGER\)\)?$/is;

/** A default as a declaration of decimals says it; undefined if no such declaration writes it. */
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
