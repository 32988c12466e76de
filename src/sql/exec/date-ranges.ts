/** The ranges around the dates of a list. */
import { dateFromText } from "../dialect/grammar/values.js";

/** The first and the last date of a range, as they are sent. */
type DateRange = readonly [first: unknown, last: unknown];

/**
 * The ranges that hold all dates of a list, in order: one for each date. If there are more dates than `most`, the
 * nearest dates share a range.
 * @param list dates as they are sent, at least one.
 * @param most the maximum number of ranges.
 */
export function rangesAround(list: readonly unknown[], most: number): readonly DateRange[] {
  const dates = list.map((sent) => ({ sent, time: timeOf(sent) })).sort((a, b) => a.time - b.time);
  const gaps = dates.map(({ time }, i) => ({ at: i, width: time - (dates[i - 1]?.time ?? -Infinity) }));
  const starts = gaps
    .filter(({ width }) => width > 0)
    .sort((a, b) => b.width - a.width)
    .slice(0, most)
    .map(({ at }) => at)
    .sort((a, b) => a - b);
  return starts.map((start, i) => [dates[start]?.sent, dates[(starts[i + 1] ?? dates.length) - 1]?.sent]);
}

function timeOf(sent: unknown): number {
  const date = sent instanceof Date ? sent : dateFromText(sent);
  if (date === undefined) throw new TypeError("a date that is sent is a Date, or its text");
  return date.getTime();
}
