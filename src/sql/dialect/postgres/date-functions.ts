/** Functions of dates as PostgreSQL writes them: on instants, in UTC whatever the zone of the session is. */
import type { DateFunction, DateUnit, PartUnit } from "../../words/functions.js";

const UTC = "{f} AT TIME ZONE 'UTC'";

const parts: { readonly [P in PartUnit]?: string } = { weekday: "isodow" };

const months: { readonly [U in DateUnit]?: number } = { month: 1, quarter: 3, year: 12 };
const seconds: { readonly [U in DateUnit]?: number } = {
  second: 1,
  minute: 60,
  hour: 3_600,
  day: 86_400,
  week: 604_800,
};

/** A function of dates. */
export function postgresDate(func: DateFunction, unit: DateUnit | PartUnit): string {
  if (func === "trunc") return `date_trunc('${unit}', {f}, 'UTC')`;
  if (func === "part") return partOf(unit, UTC);
  // Both functions have the same units; a weekday is only a part.
  const counted = unit as DateUnit;
  return func === "add" ? added(counted) : differenceInUtc(counted);
}

/** A part of a timestamp without a zone. */
export function partOf(unit: PartUnit, timestamp: string): string {
  const part = `extract(${parts[unit] ?? unit} FROM ${timestamp})`;
  return `CAST(${unit === "second" ? `trunc(${part})` : part} AS bigint)`;
}

function added(unit: DateUnit): string {
  return `((${UTC} + ${step(unit, "{0}")}${WITHIN_YEARS}) AT TIME ZONE 'UTC')`;
}

/** The interval of a number of units. */
export function step(unit: DateUnit, count: string): string {
  const inMonths = months[unit];
  if (inMonths !== undefined) return `make_interval(months => CAST(${count} * ${inMonths} AS integer))`;
  if (unit === "week" || unit === "day") return `make_interval(${unit}s => CAST(${count} AS integer))`;
  // An interval takes whole minutes and hours only in 32 bits.
  return `CAST(${count} AS double precision) * interval '1 ${unit}'`;
}

// The number of days that the type has outside the years 1 to 9999: moved by them and back, a date outside these years
// leaves the type, which is an error.
const BEHIND = 103_830_043;
const BEFORE = 1_721_426;
/** Moves a timestamp outside the years 1 to 9999 out of the type. */
export const WITHIN_YEARS: string = ` + interval '${BEHIND} days' - interval '${BEHIND + BEFORE} days' + interval '${BEFORE} days'`;

function differenceInUtc(unit: DateUnit): string {
  // Instants have the same difference as timestamps, except in months.
  if (months[unit] === undefined) return difference(unit, "{f}", "{0}");
  return difference(unit, UTC, "{0} AT TIME ZONE 'UTC'");
}

/** The number of whole units between two timestamps. */
export function difference(unit: DateUnit, from: string, to: string): string {
  const inMonths = months[unit];
  // Multiplied by the number of units in a year, the months of an interval become whole years.
  if (inMonths !== undefined)
    return `CAST(extract(year FROM age(${to}, ${from}) * ${12 / inMonths}) AS bigint)`;
  return `CAST(trunc(extract(epoch FROM ${to} - ${from}) / ${seconds[unit] ?? 1}) AS bigint)`;
}
