/** How SQLite stores dates: as text, or as milliseconds since 1970 if the column is an INTEGER. */
import type { Storage } from "../../declare/declaration.js";
import { boundAsGiven, type Dates, encodeUtcText, exactly, kept } from "../grammar/dates.js";
import { textFor } from "../grammar/declared.js";
import type { DateForm } from "../grammar/grammar.js";
import { dateFromText } from "../grammar/values.js";

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
    // A whole second is stored with or without milliseconds; without them it sorts first.
    isExact: false,
    comparable: "substr({f} || '.000', 1, 23)",
    first: { template: "{0}", bind: (text) => withoutMs(String(text)) },
    last: boundAsGiven,
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
