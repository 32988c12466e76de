/**
 * The CHECK of a column of decimals on SQLite, whose values are whole numbers of the last digit. It says how many digits
 * there are, and how many of them are after the point: nothing else in the database does.
 */
import type { Storage } from "../../declare/declaration.js";

/** What a CHECK says of decimals; no scale if it is of a version that did not write it. */
export interface CheckedDigits {
  readonly precision: number;
  readonly scale: number | undefined;
}

/** The condition: whole numbers that have no more digits before the point than are declared. `name` is quoted. */
export function decimalCheck({ precision = 0, scale = 0 }: Storage, name: string): string {
  const most = 10n ** BigInt(precision - scale) - 1n;
  // A division of whole numbers cuts off what is behind the point.
  return `typeof(${name}) IN ('integer', 'null') AND ${name} / ${10n ** BigInt(scale)} BETWEEN -${most} AND ${most}`;
}

const NAME = String.raw`("(?:[^"]|"")*"|[^\s"()]+)`;
const DECIMAL = new RegExp(
  String.raw`^typeof\(${NAME}\) IN \('integer', 'null'\) AND ${NAME} / 1(0*) BETWEEN -(9+|0) AND (9+|0)$`,
  "i",
);
const WITHOUT_SCALE = new RegExp(
  String.raw`^typeof\(${NAME}\) <> 'real' AND ${NAME} BETWEEN -(9+|0) AND (9+|0)$`,
  "i",
);

/** What the text of a CHECK says of a column, if it is such a one. */
export function readDecimalCheck(expression: string, column: string): CheckedDigits | undefined {
  const isIt = (name: string | undefined) =>
    name !== undefined && unquoted(name).toLowerCase() === column.toLowerCase();
  const digitsOf = (most: string | undefined) => (most === undefined || most === "0" ? 0 : most.length);
  const [, first, second, zeros = "", least, most] = DECIMAL.exec(expression) ?? [];
  if (isIt(first) && isIt(second) && least === most)
    return { precision: digitsOf(most) + zeros.length, scale: zeros.length };
  const [, former, again, low, high] = WITHOUT_SCALE.exec(expression) ?? [];
  return isIt(former) && isIt(again) && low === high
    ? { precision: digitsOf(high), scale: undefined }
    : undefined;
}

function unquoted(name: string): string {
  return name.startsWith('"') ? name.slice(1, -1).replaceAll('""', '"') : name;
}
