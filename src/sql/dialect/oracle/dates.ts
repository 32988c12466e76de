/** How Oracle stores dates: as instants in UTC. */
import { boundAsGiven, type Dates, exactly, kept, MS_DIGITS } from "../grammar/dates.js";
import { textFor } from "../grammar/declared.js";
import type { ValueCodec } from "../grammar/grammar.js";
import { dateFromText } from "../grammar/values.js";

const TYPE = /^\s*timestamp\b\s*(?:\(\s*(\d+)\s*\))?/i;

export const oracleDates: Dates = kept((storage) => {
  const codec: ValueCodec = {
    encode: (value: Date) => new Date(value),
    decode: (value) => (value instanceof Date ? validDate(value) : dateFromText(value)),
  };
  const [declared, digits = "6"] = TYPE.exec(textFor(storage.type, "oracle") ?? "") ?? [];
  if (declared === undefined || Number(digits) <= MS_DIGITS) return exactly(codec);
  return {
    ...codec,
    isExact: false,
    comparable: "({f} - NUMTODSINTERVAL(MOD(EXTRACT(SECOND FROM {f}), 0.001), 'SECOND'))",
    first: boundAsGiven,
    last: { template: "{0} + NUMTODSINTERVAL(0.000999999, 'SECOND')" },
  };
});

function validDate(value: Date): Date | undefined {
  return Number.isNaN(value.getTime()) ? undefined : new Date(value);
}
