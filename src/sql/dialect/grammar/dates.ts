/**
 * How each dialect stores dates: milliseconds in UTC. A column whose declared type keeps microseconds is
 * compared, ordered and grouped at milliseconds. Without a declared type, a value with microseconds is refused
 * when it is read, because the value that was read would not find the row again.
 */
import type { Storage } from "../../declare/declaration.js";
import type { Dialect } from "../../words/dialect.js";
import { dayText, timeText } from "./date-text.js";
import { textFor } from "./declared.js";
import type { DateBound, DateForm, ValueCodec } from "./grammar.js";
import { dateFromText, finerThanMs, Unreadable } from "./values.js";

const asItIs: DateBound = { template: "{0}" };

/** Dates with one stored value each, which compares directly with a parameter. */
function exactly(codec: ValueCodec, comparable = "{f}", bound = asItIs): DateForm {
  return { ...codec, isExact: true, comparable, first: bound, last: bound };
}

/** How a dialect stores the dates of a column or an expression. */
type Dates = (storage: Storage) => DateForm;

/** The forms of one dialect, each made once for a storage. */
function kept(make: Dates): Dates {
  const forms = new WeakMap<Storage, DateForm>();
  return (storage) => {
    const known = forms.get(storage);
    if (known !== undefined) return known;
    const form = make(storage);
    forms.set(storage, form);
    return form;
  };
}

/**
 * The text of a date, truncated to milliseconds; refused if it has more digits and the column did not declare
 * them.
 */
function checked(
  decode: (value: unknown) => Date | undefined,
  { inColumn, type }: Storage,
): (value: unknown) => Date | undefined {
  if (inColumn !== true || type !== undefined) return decode;
  return (value) => {
    if (finerThanMs(value)) throw new Unreadable(FINER);
    return decode(value);
  };
}

const FINER =
  "a date of milliseconds: the value has microseconds; declare the type that keeps them (timestamptz, timestamp(6), datetime(6)), or read it exactly as z.string()";

// ---- PostgreSQL

const encodeIso = (value: Date): string => `${dayText(value)}T${timeText(value)}Z`;

// The time zone of the session can move a date beyond the years 1 to 9999 only near their ends.
const FAR = /^(\d{4,5})(-\d\d-\d\d [\d:.]+)([+-][\d:]+)?( BC)?$/;

/**
 * A date in PostgreSQL's text form: it is in the time zone of the session, where its year may be 10000, or
 * before 1.
 */
export function dateFromPostgres(value: unknown): Date | undefined {
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

const POSTGRES =
  /^\s*(?:pg_catalog\s*\.\s*)?"?(timestamptz|timestamp|date)"?(?![\w"])\s*(?:\(\s*(\d+)\s*\))?\s*(with\s+time\s+zone)?/i;

export const postgresDates: Dates = kept((storage) => {
  const codec: ValueCodec = { encode: encodeIso, decode: checked(dateFromPostgres, storage) };
  const type = textFor(storage.type, "postgres");
  if (type === undefined) return exactly(codec);
  const [, name, digits, zone] = POSTGRES.exec(type) ?? [];
  // For example a domain: it compares with the values that its base type compares with.
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

const MS_DIGITS = 3;
// Values without a time zone are UTC; beside a value with a zone they would be read in the zone of the session.
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

// ---- MariaDB

/** `YYYY-MM-DD HH:MM:SS.SSS`, the form that MariaDB and SQLite store. */
export const encodeUtcText = (value: Date): string => `${dayText(value)} ${timeText(value)}`;

const MARIADB = /^\s*(?:datetime|timestamp)\b\s*\(\s*(\d+)\s*\)/i;

// The driver reads most dates as such, because their text would be written only to be read.
const dateFromMariadb = (value: unknown): Date | undefined =>
  value instanceof Date ? value : dateFromText(value);

export const mariadbDates: Dates = kept((storage) => {
  const codec: ValueCodec = { encode: encodeUtcText, decode: checked(dateFromMariadb, storage) };
  const digits = MARIADB.exec(textFor(storage.type, "mariadb") ?? "")?.[1];
  if (digits === undefined || Number(digits) <= MS_DIGITS) return exactly(codec);
  return {
    ...codec,
    isExact: false,
    // A cast would round in some modes of the session.
    comparable: "({f} - INTERVAL (MICROSECOND({f}) MOD 1000) MICROSECOND)",
    first: asItIs,
    last: { template: "CAST({0} AS DATETIME(6)) + INTERVAL 999 MICROSECOND" },
  };
});

// ---- SQLite

const INTEGER = /^\s*(?:(?:tiny|small|medium|big)?int(?:eger)?|int[248])\b/i;
const OUR_TEXT = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(?:\.\d{3})?$/;
const WHOLE_SECOND = ".000";

/** Whether a column holds milliseconds since 1970 on SQLite. */
export function isEpoch({ kind, type }: Storage): boolean {
  return kind === "date" && INTEGER.test(textFor(type, "sqlite") ?? "");
}

const epoch: DateForm = {
  ...exactly(
    {
      encode: (value: Date) => value.getTime(),
      decode: (value) =>
        typeof value === "number" || typeof value === "bigint" ? inYears(Number(value)) : undefined,
    },
    "strftime('%Y-%m-%d %H:%M:%f', {f} / 1000.0, 'unixepoch')",
  ),
  decodeComparable: dateFromText,
  keptAs: "milliseconds",
};

export const sqliteDates: Dates = kept((storage) => {
  if (isEpoch(storage)) return epoch;
  const decode = (value: unknown) =>
    storage.inColumn === true && !(typeof value === "string" && OUR_TEXT.test(value))
      ? undefined
      : dateFromText(value);
  return {
    encode: encodeUtcText,
    decode,
    // A whole second is stored with or without milliseconds, and sorts first without them.
    isExact: false,
    comparable: "substr({f} || '.000', 1, 23)",
    first: { template: "{0}", bind: (text) => withoutMs(String(text)) },
    last: asItIs,
    spread: (text) => (String(text).endsWith(WHOLE_SECOND) ? [text, withoutMs(String(text))] : [text]),
  };
});

function withoutMs(text: string): string {
  return text.endsWith(WHOLE_SECOND) ? text.slice(0, -WHOLE_SECOND.length) : text;
}

function inYears(time: number): Date | undefined {
  if (!Number.isInteger(time)) return undefined;
  const date = new Date(time);
  const year = date.getUTCFullYear();
  return year >= 1 && year <= 9999 ? date : undefined;
}

// ---- Oracle

const ORACLE = /^\s*timestamp\b\s*(?:\(\s*(\d+)\s*\))?/i;

export const oracleDates: Dates = kept((storage) => {
  const codec: ValueCodec = {
    encode: (value: Date) => new Date(value),
    decode: (value) => (value instanceof Date ? validDate(value) : dateFromText(value)),
  };
  const [declared, digits = "6"] = ORACLE.exec(textFor(storage.type, "oracle") ?? "") ?? [];
  if (declared === undefined || Number(digits) <= MS_DIGITS) return exactly(codec);
  return {
    ...codec,
    isExact: false,
    comparable: "({f} - NUMTODSINTERVAL(MOD(EXTRACT(SECOND FROM {f}), 0.001), 'SECOND'))",
    first: asItIs,
    last: { template: "{0} + NUMTODSINTERVAL(0.000999999, 'SECOND')" },
  };
});

function validDate(value: Date): Date | undefined {
  return Number.isNaN(value.getTime()) ? undefined : new Date(value);
}

/** The dates of a value that does not come from a column. */
export const plainDates: { readonly [D in Dialect]: ValueCodec } = {
  postgres: postgresDates({ kind: "date" }),
  mariadb: mariadbDates({ kind: "date" }),
  sqlite: sqliteDates({ kind: "date" }),
  oracle: oracleDates({ kind: "date" }),
};
