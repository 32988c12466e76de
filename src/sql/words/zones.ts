/**
 * Time zones by their IANA names: which names exist, what the clocks of a place show at an instant, and at which instant
 * they show a time. The rules are those of the runtime (`Intl`). A clock is written as milliseconds, as though the time
 * that it shows were UTC.
 */
import { Lru } from "../../core/lru.js";
import type { DateUnit, TruncUnit } from "./functions.js";

/**
 * Names that PostgreSQL reads as abbreviations with a fixed offset. They are sent as the zones that they link to in the
 * IANA database (2024b), so that they mean the same everywhere.
 */
const abbreviations: ReadonlyMap<string, string> = new Map([
  ["cet", "Europe/Brussels"],
  ["met", "Europe/Brussels"],
  ["eet", "Europe/Athens"],
  ["wet", "Europe/Lisbon"],
  ["est", "America/Panama"],
  ["mst", "America/Phoenix"],
  ["hst", "Pacific/Honolulu"],
]);

/** The names without a region. Others that a runtime knows, such as `IST`, mean other zones to other servers. */
const alone: ReadonlySet<string> = new Set(
  "cst6cdt cuba egypt eire est5edt gb gb-eire gmt gmt+0 gmt-0 gmt0 greenwich hongkong iceland iran israel jamaica japan kwajalein libya mst7mdt navajo nz nz-chat poland portugal prc pst8pdt roc rok singapore turkey uct utc universal w-su zulu".split(
    " ",
  ),
);

const IN_REGION =
  /^(?:Africa|America|Antarctica|Arctic|Asia|Atlantic|Australia|Brazil|Canada|Chile|Etc|Europe|Indian|Mexico|Pacific|US)(?:\/[A-Za-z0-9_+-]+){1,2}$/i;

/** More than any name of the database has. */
const LONGEST = 64;

/** The name by which servers are asked for a zone; undefined for a value that is no IANA name. */
export function zoneName(name: unknown): string | undefined {
  if (typeof name !== "string" || name.length > LONGEST) return undefined;
  const lower = name.toLowerCase();
  const known = abbreviations.get(lower) ?? name;
  if (!IN_REGION.test(known) && !alone.has(lower)) return undefined;
  return zoneOf(known) === undefined ? undefined : known;
}

/** Whether a unit is shorter than a day: it has the same length everywhere. */
export function isTimeUnit(unit: string): boolean {
  return unit === "hour" || unit === "minute" || unit === "second";
}

/** What the clocks of a zone show at an instant. */
export function clockIn(zone: string, time: number): number {
  return time + (zoneOf(zone)?.offsetAt(time) ?? Number.NaN);
}

const DAY = 86_400_000;

/**
 * The instant at which the clocks of a zone show a time. Of a time that they show twice it is the later one; a time that
 * they skip has the offset before the change. PostgreSQL has these rules.
 */
export function instantIn(zone: string, clock: number): number {
  const after = 2 * clock + DAY - clockIn(zone, clock + DAY);
  return clockIn(zone, after) === clock ? after : 2 * clock - DAY - clockIn(zone, clock - DAY);
}

/** The instant at which a unit began in a zone. Hours and minutes have the offset of the instant in them. */
export function startIn(zone: string, unit: TruncUnit, time: number): number {
  const clock = clockIn(zone, time);
  const start = startOfUnit(unit, clock);
  return isTimeUnit(unit) ? time - (clock - start) : instantIn(zone, start);
}

const lengths: ReadonlyMap<DateUnit, number> = new Map([
  ["day", DAY],
  ["hour", 3_600_000],
  ["minute", 60_000],
]);
const months: ReadonlyMap<DateUnit, number> = new Map([
  ["month", 1],
  ["quarter", 3],
  ["year", 12],
]);

function startOfUnit(unit: TruncUnit, clock: number): number {
  const inMonths = months.get(unit);
  if (inMonths !== undefined) {
    const date = new Date(clock);
    const month = date.getUTCMonth();
    return new Date(0).setUTCFullYear(date.getUTCFullYear(), month - (month % inMonths), 1);
  }
  if (unit === "week") {
    const day = startOfUnit("day", clock);
    // Weeks begin on Monday.
    return day - ((new Date(day).getUTCDay() + 6) % 7) * DAY;
  }
  const length = lengths.get(unit) ?? DAY;
  return Math.floor(clock / length) * length;
}

class Zone {
  readonly #format: Intl.DateTimeFormat;
  /** The offset of each day of UTC; NaN for a day on which it changes. */
  readonly #days = new Map<number, number>();

  /** @throws {RangeError} for a name that the runtime does not know. */
  constructor(name: string) {
    this.#format = new Intl.DateTimeFormat("en-US", { ...parts, timeZone: name });
  }

  /** How far the clocks are ahead of UTC at an instant. */
  offsetAt(time: number): number {
    const day = Math.floor(time / DAY);
    let offset = this.#days.get(day);
    if (offset === undefined) {
      const first = this.#askedAt(day * DAY);
      // No zone has changed its offset and back within a day.
      offset = first === this.#askedAt((day + 1) * DAY) ? first : Number.NaN;
      if (this.#days.size >= MOST_DAYS) this.#days.clear();
      this.#days.set(day, offset);
    }
    return Number.isNaN(offset) ? this.#askedAt(time) : offset;
  }

  #askedAt(time: number): number {
    const second = Math.floor(time / 1_000) * 1_000;
    const text = this.#format.format(second);
    const numbers = (text.match(/\d+/g) ?? []).map(Number);
    const [month = 0, day = 0, year = 0, hour = 0, minute = 0, seconds = 0] = numbers;
    // The year 1 before Christ is the year 0.
    const days = new Date(0).setUTCFullYear(text.includes("B") ? 1 - year : year, month - 1, day);
    return days + ((hour * 60 + minute) * 60 + seconds) * 1_000 - second;
  }
}

// All days of 27 years.
const MOST_DAYS = 10_000;
const zones = new Lru<string, Zone>({ max: 50 });

function zoneOf(name: string): Zone | undefined {
  const known = zones.get(name);
  if (known !== undefined) return known;
  try {
    const zone = new Zone(name);
    zones.set(name, zone);
    return zone;
  } catch {
    return undefined;
  }
}

const parts = {
  calendar: "gregory",
  numberingSystem: "latn",
  hourCycle: "h23",
  era: "short",
  year: "numeric",
  month: "2-digit",
  day: "2-digit",
  hour: "2-digit",
  minute: "2-digit",
  second: "2-digit",
} as const;
