/** How MariaDB stores dates: in columns without a zone, in UTC. */
import {
  boundAsGiven,
  checked,
  type Dates,
  encodeUtcText,
  exactly,
  kept,
  MS_DIGITS,
} from "../grammar/dates.js";
import { textFor } from "../grammar/declared.js";
import type { ValueCodec } from "../grammar/grammar.js";
import { dateFromText } from "../grammar/values.js";

const TYPE = /^\s*(?:datetime|timestamp)\b\s*\(\s*(\d+)\s*\)/i;

// The driver returns most dates as `Date`, because text would only be parsed again.
const dateFromMariadb = (value: unknown): Date | undefined =>
  value instanceof Date ? value : dateFromText(value);

export const mariadbDates: Dates = kept((storage) => {
  const codec: ValueCodec = { encode: encodeUtcText, decode: checked(dateFromMariadb, storage) };
  const digits = TYPE.exec(textFor(storage.type, "mariadb") ?? "")?.[1];
  if (digits === undefined || Number(digits) <= MS_DIGITS) return exactly(codec);
  return {
    ...codec,
    isExact: false,
    // A cast would round in some modes of the session.
    comparable: "({f} - INTERVAL (MICROSECOND({f}) MOD 1000) MICROSECOND)",
    first: boundAsGiven,
    last: { template: "CAST({0} AS DATETIME(6)) + INTERVAL 999 MICROSECOND" },
  };
});
