/** Functions of dates as MariaDB writes them. Values without a zone are UTC. */
import type { DateFunction, DateUnit, PartUnit } from "../../words/functions.js";

/** A function of dates. */
export function mariadbDate(func: DateFunction, unit: DateUnit | PartUnit): string {
  if (func === "part") return parts[unit];
  // The other functions have the same units; a weekday is only a part.
  const counted = unit as DateUnit;
  if (func === "trunc") return truncated(counted, "{f}");
  if (func === "diff") return `TIMESTAMPDIFF(${counted.toUpperCase()}, {f}, {0})`;
  return moved(counted);
}

/** The first moment of a unit. Every unit is counted from the first day of all years, which is a Monday. */
export function truncated(unit: DateUnit, date: string): string {
  const word = unit.toUpperCase();
  return `(${FIRST} + INTERVAL TIMESTAMPDIFF(${word}, ${FIRST}, ${date}) ${word})`;
}

/** The date `{f}` moved by `{0}` units. */
export function moved(unit: DateUnit): string {
  const us = microseconds[unit];
  return us === undefined ? addedMonths(unit.toUpperCase()) : addedTime(us);
}

/** The first moment of all years. */
export const FIRST = "TIMESTAMP'0001-01-01 00:00:00.000'";

/** The parts of the date `{f}`. */
export const parts: { readonly [P in PartUnit]: string } = {
  year: "YEAR({f})",
  quarter: "QUARTER({f})",
  month: "MONTH({f})",
  week: "WEEK({f}, 3)",
  day: "DAYOFMONTH({f})",
  weekday: "(WEEKDAY({f}) + 1)",
  hour: "HOUR({f})",
  minute: "MINUTE({f})",
  second: "SECOND({f})",
};

const microseconds: { readonly [U in DateUnit]?: bigint } = {
  second: 1_000_000n,
  minute: 60_000_000n,
  hour: 3_600_000_000n,
  day: 86_400_000_000n,
  week: 604_800_000_000n,
};

/** The greatest number of 64 bits. */
export const MOST: bigint = 2n ** 63n - 1n;
const YEARS = 315_537_897_600_000_000n;
const ABOVE = MOST - (YEARS - 1n);

// The server gives NULL for a date outside its years, and has a year 0. The microseconds since the year 1 are moved to
// the ends of 64 bits and back: those of a date outside the years overflow, which is an error.
function addedTime(us: bigint): string {
  const moved = `TIMESTAMPDIFF(MICROSECOND, ${FIRST}, {f}) + {0} * ${us}`;
  return `(${FIRST} + INTERVAL (${moved} + ${ABOVE} - ${ABOVE} - ${MOST} - 1 + ${MOST} + 1) MICROSECOND)`;
}

// More months than all years have.
const ALL_MONTHS = 120_000;

// A table of one row names the operands, which are used several times here. A result that is not a date is an error:
// its number of days exceeds 64 bits.
function addedMonths(word: string): string {
  const moved = `d + INTERVAL n ${word}`;
  const isOut = `n NOT BETWEEN -${ALL_MONTHS} AND ${ALL_MONTHS} OR COALESCE(${moved} < ${FIRST}, TRUE)`;
  const failing = `${FIRST} + INTERVAL (${MOST} + TO_DAYS(d)) MICROSECOND`;
  const checked = `CASE WHEN d IS NULL OR n IS NULL THEN NULL WHEN ${isOut} THEN ${failing} ELSE ${moved} END`;
  const columns = "COLUMNS (d DATETIME(6) PATH '$[0]', n BIGINT PATH '$[1]')";
  return `(SELECT ${checked} FROM JSON_TABLE(JSON_ARRAY({f}, {0}), '$' ${columns}) AS moved)`;
}
