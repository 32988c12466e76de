/** The first moments of days, weeks and longer units of a place, for the ends of ranges. */
import { describeType, isDate, listed } from "../../core/errors.js";
import { ParameterError } from "../words/errors.js";
import { type TruncUnit, truncUnits } from "../words/functions.js";
import { startIn, zoneName } from "../words/zones.js";

/**
 * The instant at which the unit that a date is in began at a place: what `dateTrunc(unit, date, { zone })` gives. With it,
 * a condition compares the column itself, so that an index serves.
 * @throws {ParameterError} `PARAM_TYPE` for a name that is no IANA zone, an unknown unit, and a value that is no date.
 * @example
 * import { startOf } from "rowtype";
 * const from = startOf("America/Sao_Paulo", "month", new Date());
 * await orders.query().where("at", ">=", "from").exec({ from });
 */
export function startOf(zone: string, unit: TruncUnit, date: Date): Date {
  const name = zoneName(zone);
  if (name === undefined) throw refused("zone", "the IANA name of a time zone, such as Europe/Berlin");
  if (!truncUnits.includes(unit)) throw refused("unit", `one of ${listed(truncUnits)}`);
  const time = timeOf(date);
  if (Number.isNaN(time)) throw refused("date", `a date, not ${describeType(date)}`);
  const start = isInYears(time) ? startIn(name, unit, time) : Number.NaN;
  if (!isInYears(start)) throw refused("date", "a date of the years 1 to 9999");
  return new Date(start);
}

function timeOf(date: unknown): number {
  try {
    return isDate(date) ? date.getTime() : Number.NaN;
  } catch {
    // An object that only inherits from Date.
    return Number.NaN;
  }
}

function isInYears(time: number): boolean {
  const year = new Date(time).getUTCFullYear();
  return year >= 1 && year <= 9999;
}

function refused(param: string, expected: string): ParameterError {
  return new ParameterError("PARAM_TYPE", param, "", `startOf takes as its ${param} ${expected}`);
}
