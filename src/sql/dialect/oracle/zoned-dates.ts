/**
 * Functions of dates in a time zone as Oracle writes them. Only the way from an instant to a clock is the server's: the
 * other way fails for a time that the clocks skip.
 */
import type { DateFunction, DateUnit, PartUnit } from "../../words/functions.js";
import {
  difference,
  instant,
  movedMonths,
  parts,
  starts,
  steps,
  UTC,
  withinYears,
} from "./date-functions.js";

const clockAt = (instant: string) => `CAST(${instant} AT TIME ZONE {0} AS TIMESTAMP)`;
const HERE = clockAt("{f}");

/** A function of dates in the zone `{0}`. */
export function oracleZonedDate(func: DateFunction, unit: DateUnit | PartUnit): string {
  if (func === "part") return parts[unit].replaceAll(UTC, HERE);
  // The other functions have the same units; a weekday is only a part.
  const counted = unit as DateUnit;
  if (func === "diff") return difference(counted, HERE, clockAt("{1}"));
  return func === "add" ? withinYears(instantOf(added(counted))) : start(counted);
}

function start(unit: DateUnit): string {
  const from = `CAST(TRUNC(${HERE}, '${starts[unit]}') AS TIMESTAMP)`;
  return unit === "hour" || unit === "minute" ? `({f} - (${HERE} - ${from}))` : instantOf(from);
}

function added(unit: DateUnit): string {
  const [count, step] = steps[unit] ?? [];
  const moved = count === undefined ? movedMonths(unit) : `${UTC} + NUMTODSINTERVAL(${count}, '${step}')`;
  return `(${moved})`.replaceAll("{0}", "{1}").replaceAll(UTC, HERE);
}

/** The instant of a clock: a later one if there are two, and with the offset before the change if there is none. */
function instantOf(clock: string): string {
  const after = atOffsetOf("+", clock);
  const isAfter = `${clockAt(instant(after))} = ${clock}`;
  return instant(`CASE WHEN ${isAfter} THEN ${after} ELSE ${atOffsetOf("-", clock)} END`);
}

/** The time in UTC of a clock with the offset of a day before or after it. */
function atOffsetOf(sign: "+" | "-", clock: string): string {
  const other = `(${clock} ${sign} INTERVAL '1' DAY)`;
  return `(${clock} + (${other} - ${clockAt(instant(other))}))`;
}
