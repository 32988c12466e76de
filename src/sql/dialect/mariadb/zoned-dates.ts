/**
 * Functions of dates in a time zone as MariaDB writes them. `CONVERT_TZ` knows the rules of zones for the years of
 * TIMESTAMP only. Outside these years it returns the date as it is, and NULL for a zone that the server does not know:
 * both are errors here.
 */
import type { DateFunction, DateUnit, PartUnit } from "../../words/functions.js";
import { FIRST, MOST, moved, parts, truncated } from "./date-functions.js";

/** The clock of the zone `{0}` at an instant. */
const clockAt = (instant: string) => `CONVERT_TZ(${instant}, '+00:00', {0})`;

// A year less than TIMESTAMP has: the first moment of a unit lies before the date, and another zone is tried a day away.
const KNOWN = "BETWEEN TIMESTAMP'1971-01-02 00:00:00' AND TIMESTAMP'2037-12-31 23:59:59.999'";

/** A value of a date that the server knows; an error if there is none: a number of days exceeds 64 bits. */
function known(date: string, value: string): string {
  const failing = `${FIRST} + INTERVAL (${MOST} + TO_DAYS(${date})) MICROSECOND`;
  return `COALESCE(CASE WHEN ${date} ${KNOWN} THEN ${value} END, ${failing})`;
}

const HERE = known("{f}", clockAt("{f}"));
const THERE = HERE.replaceAll("{f}", "{1}");

/** A function of dates in the zone `{0}`. */
export function mariadbZonedDate(func: DateFunction, unit: DateUnit | PartUnit): string {
  if (func === "part") return parts[unit].replaceAll("{f}", HERE);
  // The other functions have the same units; a weekday is only a part.
  const counted = unit as DateUnit;
  if (func === "diff") return `TIMESTAMPDIFF(${counted.toUpperCase()}, ${HERE}, ${THERE})`;
  return func === "add" ? added(counted) : known("{f}", start(counted));
}

function start(unit: DateUnit): string {
  const clock = clockAt("{f}");
  const from = truncated(unit, clock);
  if (unit !== "hour" && unit !== "minute") return instantOf(from);
  return `{f} - INTERVAL TIMESTAMPDIFF(MICROSECOND, ${from}, ${clock}) MICROSECOND`;
}

/** The instant of a clock: a later one if there are two, and with the offset before the change if there is none. */
function instantOf(clock: string): string {
  const after = atOffsetOf("+", clock);
  return `CASE WHEN ${clockAt(after)} = ${clock} THEN ${after} ELSE ${atOffsetOf("-", clock)} END`;
}

/** The instant of a clock with the offset of a day before or after it. */
function atOffsetOf(sign: "+" | "-", clock: string): string {
  const other = `${clock} ${sign} INTERVAL 1 DAY`;
  return `(${clock} - INTERVAL TIMESTAMPDIFF(SECOND, ${other}, ${clockAt(other)}) SECOND)`;
}

// Tables of one row name the clock, which is used several times.
function added(unit: DateUnit): string {
  const to = moved(unit).replaceAll("{0}", "{1}").replaceAll("{f}", HERE);
  const columns = "COLUMNS (clock DATETIME(6) PATH '$[0]')";
  return `(SELECT ${known("clock", instantOf("clock"))} FROM JSON_TABLE(JSON_ARRAY(${to}), '$' ${columns}) AS there)`;
}
