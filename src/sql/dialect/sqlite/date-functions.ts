/**
 * Functions of dates as SQLite writes them. The driver registers those that SQLite cannot write in one expression: its
 * months run over into the next one, and a date outside its years is NULL.
 */
import type { DateFunction, DateUnit, PartUnit } from "../../words/functions.js";

/** The names of the functions that the driver registers, which call those of `moved-dates.ts`. */
export const DATE_ADD = "rowtype_date_add";
export const DATE_DIFF = "rowtype_date_diff";
export const DATE_QUARTER = "rowtype_date_quarter";

/** A function of dates. */
export function sqliteDate(func: DateFunction, unit: DateUnit | PartUnit): string {
  if (func === "part") return parts[unit];
  if (func === "add") return `${DATE_ADD}({f}, {0}, '${unit}')`;
  if (func === "diff") return `${DATE_DIFF}({f}, {0}, '${unit}')`;
  return starts[unit] ?? "{f}";
}

const integer = (format: string, moves = "") => `CAST(strftime('${format}', {f}${moves}) AS INTEGER)`;

/** The parts of the date `{f}`. */
export const parts: { readonly [P in PartUnit]: string } = {
  year: integer("%Y"),
  quarter: `((${integer("%m")} + 2) / 3)`,
  month: integer("%m"),
  // The week of a Thursday is that of its year.
  week: `((${integer("%j", ", '-3 days', 'weekday 4'")} + 6) / 7)`,
  day: integer("%d"),
  weekday: `(${integer("%w", ", '-1 day'")} + 1)`,
  hour: integer("%H"),
  minute: integer("%M"),
  second: integer("%S"),
};

const start = (format: string, moves = "") => `strftime('${format}', {f}${moves})`;

const starts: { readonly [U in PartUnit]?: string } = {
  year: start("%Y-01-01 00:00:00.000"),
  quarter: `${DATE_QUARTER}({f})`,
  month: start("%Y-%m-01 00:00:00.000"),
  week: start("%Y-%m-%d 00:00:00.000", ", '-6 days', 'weekday 1'"),
  day: start("%Y-%m-%d 00:00:00.000"),
  hour: start("%Y-%m-%d %H:00:00.000"),
  minute: start("%Y-%m-%d %H:%M:00.000"),
};
