/** Functions of dates in a time zone as PostgreSQL writes them. */
import type { DateFunction, DateUnit, PartUnit } from "../../words/functions.js";
import { difference, partOf, step, WITHIN_YEARS } from "./date-functions.js";

const HERE = "{f} AT TIME ZONE {0}";
const THERE = "{1} AT TIME ZONE {0}";

/** A function of dates in the zone `{0}`. */
export function postgresZonedDate(func: DateFunction, unit: DateUnit | PartUnit): string {
  if (func === "trunc") return `date_trunc('${unit}', {f}, {0})`;
  if (func === "part") return partOf(unit, HERE);
  // Both functions have the same units; a weekday is only a part.
  const counted = unit as DateUnit;
  if (func === "diff") return difference(counted, `(${HERE})`, `(${THERE})`);
  const moved = `(${HERE} + ${step(counted, "{1}")}) AT TIME ZONE {0}`;
  // The years are those of the instant.
  return `(((${moved}) AT TIME ZONE 'UTC'${WITHIN_YEARS}) AT TIME ZONE 'UTC')`;
}
