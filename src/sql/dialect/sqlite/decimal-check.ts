/**
 * The CHECK of a decimal column on SQLite, whose values are whole numbers of the last digit. It says how many digits
 * the values have, and how many of them are after the point: nothing else in the database does.
 */
import type { Storage } from "../../declare/declaration.js";

/** The digits that a CHECK states; no scale if a version wrote it that did not state it. */
export interface CheckedDigits {
  readonly precision: number;
  readonly scale: number | undefined;
}

/** The condition: whole numbers with at most the declared digits before the point. `name` is quoted. */
export function decimalCheck({ precision = 0, scale = 0 }: Storage, name: string): string {
  const most = 10n ** BigInt(precision - scale) - 1n;
  // A division of whole numbers cuts off the digits after the point.
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

/** The digits that the text of a CHECK states for a column, if it is such a check. */
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
