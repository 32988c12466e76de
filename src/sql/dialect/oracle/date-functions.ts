/** Functions of dates as Oracle writes them, on instants in UTC. Before 1582 its calendar is the Julian one. */
import type { DateFunction, DateUnit, PartUnit } from "../../words/functions.js";

/** The time of a date in UTC. */
export const UTC = "SYS_EXTRACT_UTC({f})";

/** A function of dates. */
export function oracleDate(func: DateFunction, unit: DateUnit | PartUnit): string {
  if (func === "part") return parts[unit];
  // The other functions have the same units; a weekday is only a part.
  const counted = unit as DateUnit;
  if (func === "trunc") return instant(`CAST(TRUNC(${UTC}, '${starts[counted]}') AS TIMESTAMP)`);
  return func === "add" ? added(counted) : difference(counted, UTC, UTC.replace("{f}", "{0}"));
}

/** A time in UTC as an instant. */
export const instant = (utc: string): string => `FROM_TZ(${utc}, 'UTC')`;
const written = (format: string) => `CAST(TO_CHAR(${UTC}, '${format}') AS NUMBER)`;

/** The parts of a date, by its time in {@link UTC}. */
export const parts: { readonly [P in PartUnit]: string } = {
  year: `EXTRACT(YEAR FROM ${UTC})`,
  quarter: written("Q"),
  month: `EXTRACT(MONTH FROM ${UTC})`,
  week: written("IW"),
  day: `EXTRACT(DAY FROM ${UTC})`,
  // Julian days count from a Monday; the number of a weekday in text depends on the session.
  weekday: `(MOD(${written("J")}, 7) + 1)`,
  hour: `EXTRACT(HOUR FROM ${UTC})`,
  minute: `EXTRACT(MINUTE FROM ${UTC})`,
  second: `TRUNC(EXTRACT(SECOND FROM ${UTC}))`,
};

/** How the first moments of units are named. */
export const starts: { readonly [U in DateUnit]: string } = {
  year: "YYYY",
  quarter: "Q",
  month: "MM",
  week: "IW",
  day: "DD",
  hour: "HH24",
  minute: "MI",
  second: "MI",
};

const months: { readonly [U in DateUnit]?: number } = { month: 1, quarter: 3, year: 12 };
/** What one of these units is as an interval. */
export const steps: { readonly [U in DateUnit]?: readonly [count: string, unit: string] } = {
  week: ["{0} * 7", "DAY"],
  day: ["{0}", "DAY"],
  hour: ["{0}", "HOUR"],
  minute: ["{0}", "MINUTE"],
  second: ["{0}", "SECOND"],
};
const milliseconds: { readonly [U in DateUnit]?: number } = {
  second: 1_000,
  minute: 60_000,
  hour: 3_600_000,
  day: 86_400_000,
  week: 604_800_000,
};

// The days of the server's calendar before the year 1. Moved there and back, a date before the year 1 leaves the
// calendar, which is an error, as it is after the year 9999.
const BEFORE = "NUMTODSINTERVAL(1721423, 'DAY')";

function added(unit: DateUnit): string {
  const inMonths = months[unit];
  if (inMonths === undefined) {
    const [count, step] = steps[unit] ?? [];
    return withinYears(`{f} + NUMTODSINTERVAL(${count}, '${step}')`);
  }
  return withinYears(instant(movedMonths(unit)));
}

/** An error for an instant outside the years 1 to 9999. */
export function withinYears(instant: string): string {
  return `(${instant} - ${BEFORE} + ${BEFORE})`;
}

/** A time moved by months, quarters or years. */
export function movedMonths(unit: DateUnit): string {
  // From the last day of a month, the server would always move to the last day of the other month.
  const first = `ADD_MONTHS(TRUNC(${UTC}, 'MM'), {0} * ${months[unit] ?? 1})`;
  const day = `LEAST(EXTRACT(DAY FROM ${UTC}), EXTRACT(DAY FROM LAST_DAY(${first})))`;
  const time = `(${UTC} - CAST(TRUNC(${UTC}, 'DD') AS TIMESTAMP))`;
  return `CAST(${first} AS TIMESTAMP) + NUMTODSINTERVAL(${day} - 1, 'DAY') + ${time}`;
}

// More than a month has, so that day and time decide only if the months are equal.
const MONTH = 100_000_000_000;

/** The number of whole units between two times without a zone. */
export function difference(unit: DateUnit, from: string, to: string): string {
  const inMonths = months[unit];
  const inUtc =
    inMonths === undefined
      ? `(${written("J")} * 86400000 + ${written("SSSSSFF3")})`
      : `((EXTRACT(YEAR FROM ${UTC}) * 12 + EXTRACT(MONTH FROM ${UTC})) * ${MONTH} + ${written("DDHH24MISSFF3")})`;
  const [later, key] = [to, from].map((time) => inUtc.replaceAll(UTC, time));
  return `TRUNC((${later} - ${key}) / ${inMonths === undefined ? milliseconds[unit] : MONTH * inMonths})`;
}
