/** Functions of dates as PostgreSQL writes them: of instants, in UTC whatever the zone of the session is. */
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
  if (func === "part") return partOf(unit);
  // The units of both are the same; a weekday is only a part.
  const counted = unit as DateUnit;
  return func === "add" ? added(counted) : difference(counted);
}

function partOf(unit: PartUnit): string {
  const part = `extract(${parts[unit] ?? unit} FROM ${UTC})`;
  return `CAST(${unit === "second" ? `trunc(${part})` : part} AS bigint)`;
}

function added(unit: DateUnit): string {
  return `((${UTC} + ${step(unit)}${WITHIN_YEARS}) AT TIME ZONE 'UTC')`;
}

function step(unit: DateUnit): string {
  const inMonths = months[unit];
  if (inMonths !== undefined) return `make_interval(months => CAST({0} * ${inMonths} AS integer))`;
  if (unit === "week" || unit === "day") return `make_interval(${unit}s => CAST({0} AS integer))`;
  // An interval takes whole minutes and hours as 32 bits only.
  return `CAST({0} AS double precision) * interval '1 ${unit}'`;
}

// The years of the type outside 1 to 9999, in days: moved there and back, a date outside these years
// leaves the type, and is an error.
const BEHIND = 103_830_043;
const BEFORE = 1_721_426;
const WITHIN_YEARS = ` + interval '${BEHIND} days' - interval '${BEHIND + BEFORE} days' + interval '${BEFORE} days'`;

function difference(unit: DateUnit): string {
  const inMonths = months[unit];
  // As many times as a unit is in a year, the months of an interval are whole years.
  if (inMonths !== undefined)
    return `CAST(extract(year FROM age({0} AT TIME ZONE 'UTC', ${UTC}) * ${12 / inMonths}) AS bigint)`;
  return `CAST(trunc(extract(epoch FROM {0} - {f}) / ${seconds[unit] ?? 1}) AS bigint)`;
}
