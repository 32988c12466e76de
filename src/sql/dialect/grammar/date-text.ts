/**
 * The text of a date in UTC, in two parts. The dates of a batch are mostly of one day, so the text of the last day is
 * kept, and the text of the time is written from tables: this takes half the time of `toISOString`.
 */

const DAY_MS = 86_400_000;

/** The numbers below 60, with two digits. */
export const TWO_DIGITS: readonly string[] = Array.from({ length: 60 }, (_, i) => String(i).padStart(2, "0"));
/** The numbers below 1,000, with three digits. */
export const THREE_DIGITS: readonly string[] = Array.from({ length: 1_000 }, (_, i) =>
  String(i).padStart(3, "0"),
);

let lastDay = Number.NaN;
let lastText = "";

/** `YYYY-MM-DD`. @throws RangeError for an invalid date */
export function dayText(date: Date): string {
  const day = Math.floor(date.getTime() / DAY_MS);
  if (day !== lastDay) {
    // Without `THH:MM:SS.SSSZ`: a year may have more than four digits.
    lastText = date.toISOString().slice(0, -14);
    lastDay = day;
  }
  return lastText;
}

/** `HH:MM:SS.SSS` of a valid date. */
export function timeText(date: Date): string {
  const time = date.getTime();
  const ms = time - Math.floor(time / DAY_MS) * DAY_MS;
  const seconds = Math.floor(ms / 1_000);
  const minutes = Math.floor(seconds / 60);
  return `${TWO_DIGITS[Math.floor(minutes / 60)]}:${TWO_DIGITS[minutes % 60]}:${TWO_DIGITS[seconds % 60]}.${THREE_DIGITS[ms % 1_000]}`;
}
