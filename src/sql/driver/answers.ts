/** Checks what a driver answers: a mistake of the driver is an error that names it. */
import { counted, describeType } from "../../core/errors.js";
import { isObject } from "../../core/values.js";
import type { DriverResult, NativeResult } from "../contract/driver.js";
import { PAGE_ROWS } from "../contract/driver.js";
import { QueryError } from "../words/errors.js";
import type { Statement, Value } from "./interface.js";

/** The error of a mistake that the driver made. */
export function mistake(what: string, cause?: unknown): QueryError {
  return new QueryError("QUERY_FAILED", `the driver made a mistake: ${what}`, { cause });
}

/**
 * The answer to a statement.
 * @param width the number of its columns, if it is known
 * @throws {QueryError} `QUERY_FAILED` for an answer of another form
 */
export function resultOf(
  answer: unknown,
  { rows: gives }: Statement,
  width: number | undefined,
): DriverResult {
  if (!isObject(answer)) throw mistake(`run gave ${describeType(answer)}, not a result`);
  const { rows, affected, columns } = answer as Readonly<Record<string, unknown>>;
  if (!isCount(affected)) throw mistake(`affected is a whole number from 0, not ${counted(affected)}`);
  if (gives !== "unknown") return { rows: rowsOf(rows, width), affected };
  if (columns === undefined && Array.isArray(rows) && rows.length === 0) return { rows: [], affected };
  if (!Array.isArray(columns) || !columns.every((name) => typeof name === "string"))
    throw mistake("columns is a list of names where a text of the caller's own gives rows");
  return { rows: rowsOf(rows, columns.length), affected, columns };
}

/** A page of a cursor. */
export function pageOf(page: unknown, width: number | undefined): DriverResult["rows"] {
  const rows = rowsOf(page, width);
  if (rows.length > PAGE_ROWS) throw mistake(`a page has at most ${PAGE_ROWS} rows, not ${rows.length}`);
  return rows;
}

/** The answer to a text of the client's own. */
export function nativeResultOf(answer: unknown): NativeResult {
  if (!isObject(answer)) throw mistake(`native gave ${describeType(answer)}, not a result`);
  const { rows, affected } = answer as Readonly<Record<string, unknown>>;
  if (!Array.isArray(rows) || !rows.every((row) => isObject(row)))
    throw mistake("the rows of native are a list of records");
  if (!isCount(affected)) throw mistake(`affected is a whole number from 0, not ${counted(affected)}`);
  return { rows: [...rows], affected };
}

function rowsOf(rows: unknown, width: number | undefined): readonly (readonly Value[])[] {
  if (!Array.isArray(rows)) throw mistake(`rows is a list, not ${describeType(rows)}`);
  for (const row of rows) {
    if (!Array.isArray(row)) throw mistake(`a row is a list of values, not ${describeType(row)}`);
    if (width !== undefined && row.length !== width)
      throw mistake(`a row has ${width} values, one for each column, not ${row.length}`);
    for (const value of row)
      if (!isValue(value)) throw mistake(`${describeType(value)} is no value of a row`);
  }
  return rows;
}

function isValue(value: unknown): value is Value {
  if (value === null || value instanceof Uint8Array) return true;
  const type = typeof value;
  return type === "string" || type === "number" || type === "bigint";
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}
