/**
 * How each dialect stores dates: milliseconds in UTC. A column whose declared type keeps microseconds is compared,
 * ordered and grouped at milliseconds. Without a declared type, a value with microseconds is refused when it is read,
 * because the rounded value would not find the row again.
 */
import type { Storage } from "../../declare/declaration.js";
import { dayText, timeText } from "./date-text.js";
import type { DateBound, DateForm, ValueCodec } from "./grammar.js";
import { finerThanMs, Unreadable } from "./values.js";

export const boundAsGiven: DateBound = { template: "{0}" };

/** Dates with one stored value each, which compares directly with a parameter. */
export function exactly(codec: ValueCodec, comparable = "{f}", bound: DateBound = boundAsGiven): DateForm {
  return { ...codec, isExact: true, comparable, first: bound, last: bound };
}

/** How a dialect stores the dates of a column or an expression. */
export type Dates = (storage: Storage) => DateForm;

/** The forms of one dialect, each made once for a storage. */
export function kept(make: Dates): Dates {
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
 * The text of a date, truncated to milliseconds; refused if it has more digits and the column did not declare them.
 */
export function checked(
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

export const MS_DIGITS = 3;

/** `YYYY-MM-DD HH:MM:SS.SSS`, the form that MariaDB and SQLite store. */
export const encodeUtcText = (value: Date): string => `${dayText(value)} ${timeText(value)}`;
