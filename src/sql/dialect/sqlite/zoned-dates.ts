/**
 * Functions of dates in a time zone as SQLite writes them: over functions that the driver registers, because SQLite knows
 * no zones. The rules are those of the runtime.
 */
import type { DateFunction, DateUnit, PartUnit, TruncUnit } from "../../words/functions.js";
import { clockIn, instantIn, startIn } from "../../words/zones.js";
import { encodeUtcText } from "../grammar/dates.js";
import { dateFromText } from "../grammar/values.js";
import { DATE_ADD, DATE_DIFF, parts } from "./date-functions.js";

/** The names of the functions that the driver registers. */
export const ZONE_CLOCK = "rowtype_zone_clock";
export const ZONE_INSTANT = "rowtype_zone_instant";
export const ZONE_START = "rowtype_zone_start";

const clockAt = (date: string) => `${ZONE_CLOCK}(${date}, {0})`;

/** A function of dates in the zone `{0}`. */
export function sqliteZonedDate(func: DateFunction, unit: DateUnit | PartUnit): string {
  switch (func) {
    case "part":
      return parts[unit].replaceAll("{f}", clockAt("{f}"));
    case "trunc":
      return `${ZONE_START}({f}, {0}, '${unit}')`;
    case "add":
      return `${ZONE_INSTANT}(${DATE_ADD}(${clockAt("{f}")}, {1}, '${unit}'), {0})`;
    case "diff":
      return `${DATE_DIFF}(${clockAt("{f}")}, ${clockAt("{1}")}, '${unit}')`;
  }
}

/** The text of what the clocks of a zone show at a date; null if one of the arguments is null. */
export function zoneClock(text: unknown, zone: unknown): string | null {
  return converted(text, zone, clockIn);
}

/** The text of the instant at which the clocks of a zone show a text; null if one of the arguments is null. */
export function zoneInstant(text: unknown, zone: unknown): string | null {
  return converted(text, zone, instantIn);
}

/** The text of the instant at which a unit of a date began in a zone; null if one of the arguments is null. */
export function zoneStart(text: unknown, zone: unknown, unit: unknown): string | null {
  // Only our own text names the unit.
  return converted(text, zone, (name, time) => startIn(name, unit as TruncUnit, time));
}

function converted(
  text: unknown,
  zone: unknown,
  convert: (zone: string, time: number) => number,
): string | null {
  const date = dateFromText(text);
  if (date === undefined || zone === null) return null;
  const result = new Date(convert(String(zone), date.getTime()));
  const year = result.getUTCFullYear();
  if (year >= 1 && year <= 9999) return encodeUtcText(result);
  throw new RangeError("the date is outside the years 1 to 9999");
}
