/** How PostgreSQL stores dates. A date is compared as an instant, in UTC whatever the zone of the session is. */
import type { Storage } from "../../declare/declaration.js";
import { dayText, timeText } from "../grammar/date-text.js";
import { checked, type Dates, exactly, kept, MS_DIGITS } from "../grammar/dates.js";
import { textFor } from "../grammar/declared.js";
import type { DateForm, ValueCodec } from "../grammar/grammar.js";
import { dateFromText } from "../grammar/values.js";

const encodeIso = (value: Date): string => `${dayText(value)}T${timeText(value)}Z`;

// The time zone of the session can move a date beyond the years 1 to 9999 only near their ends.
const FAR = /^(\d{4,5})(-\d\d-\d\d [\d:.]+)([+-][\d:]+)?( BC)?$/;

/**
 * A date in PostgreSQL's text form: it is in the time zone of the session, where its year may be 10000, or
 * before 1.
 */
function dateFromPostgres(value: unknown): Date | undefined {
  const date = dateFromText(value) ?? farDate(value);
  if (date === undefined) return undefined;
  const year = date.getUTCFullYear();
  return year >= 1 && year <= 9999 ? date : undefined;
}

function farDate(value: unknown): Date | undefined {
  const [, digits, rest = "", offset = "", before] = typeof value === "string" ? (FAR.exec(value) ?? []) : [];
  if (digits === undefined) return undefined;
  // A leap year that every server writes in the same form replaces the year, and is then moved by whole cycles.
  const year = before === undefined ? Number(digits) : 1 - Number(digits);
  const cycles = Math.floor((year - 2000) / 400);
  const near = dateFromText(`${year - 400 * cycles}${rest}${offset}`);
  return near === undefined ? undefined : new Date(near.getTime() + cycles * CYCLE_MS);
}

/** 400 years, the period of the calendar, in milliseconds. */
const CYCLE_MS = 146_097 * 86_400_000;

const TYPE =
  /^\s*(?:pg_catalog\s*\.\s*)?"?(timestamptz|timestamp|date)"?(?![\w"])\s*(?:\(\s*(\d+)\s*\))?\s*(with\s+time\s+zone)?/i;

export const postgresDates: Dates = kept((storage) => {
  const codec: ValueCodec = { encode: encodeIso, decode: checked(dateFromPostgres, storage) };
  const type = textFor(storage.type, "postgres");
  if (type === undefined) return exactly(codec);
  const [, name, digits, zone] = TYPE.exec(type) ?? [];
  // For example a domain: it compares with the same values as its base type.
  if (name === undefined) return postgresFiner(codec, "{f}", type);
  if (name.toLowerCase() === "date")
    return {
      ...exactly(codec, IN_UTC("CAST({f} AS timestamp)"), { template: "CAST({0} AS timestamp)" }),
      keptAs: "days",
    };
  const hasZone = zone !== undefined || name.toLowerCase() === "timestamptz";
  const inUtc = hasZone ? "{f}" : IN_UTC("{f}");
  const form =
    digits !== undefined && Number(digits) <= MS_DIGITS
      ? exactly(codec, inUtc)
      : postgresFiner(codec, inUtc, hasZone ? "timestamptz" : "timestamp");
  return hasZone ? form : { ...form, keptAs: "without a zone" };
});
// Values without a time zone are UTC; next to a value with a zone, the server would read them in the session's zone.
const IN_UTC = (text: string): string => `${text} AT TIME ZONE 'UTC'`;

function postgresFiner(codec: ValueCodec, column: string, type: string): DateForm {
  const value = `CAST({0} AS ${type})`;
  return {
    ...codec,
    isExact: false,
    comparable: `date_trunc('milliseconds', ${column})`,
    first: { template: value },
    last: { template: `${value} + INTERVAL '999 microseconds'` },
  };
}

/** Whether a date column has no time zone on PostgreSQL: its values are UTC. */
export function isZoneless(storage: Storage): boolean {
  return storage.kind === "date" && postgresDates(storage).comparable.includes("AT TIME ZONE");
}
