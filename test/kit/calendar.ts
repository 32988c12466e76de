/**
 * Functions of dates by arithmetic on days alone: what a server gives is held against it. It shares no code with the
 * package and reads no field of a `Date` but its milliseconds.
 */

export type Unit = "year" | "quarter" | "month" | "week" | "day" | "hour" | "minute" | "second";
export type Part = Unit | "weekday";

const DAY = 86_400_000;
const lengths: Readonly<Record<string, number>> = {
  week: 7 * DAY,
  day: DAY,
  hour: 3_600_000,
  minute: 60_000,
  second: 1_000,
};
const months: Readonly<Record<string, number>> = { year: 12, quarter: 3, month: 1 };

const isLeap = (year: number) => (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
const lengthOf = (year: number, month: number) =>
  month === 2 ? (isLeap(year) ? 29 : 28) : [4, 6, 9, 11].includes(month) ? 30 : 31;

/** The days of all years before one, from the year 1. */
function daysBefore(year: number): number {
  const past = year - 1;
  return past * 365 + Math.floor(past / 4) - Math.floor(past / 100) + Math.floor(past / 400);
}

const EPOCH = daysBefore(1970);

interface Civil {
  readonly year: number;
  readonly month: number;
  readonly day: number;
  /** The days since 1 January of the year 1, which is a Monday. */
  readonly days: number;
  /** The milliseconds of the day. */
  readonly time: number;
}

/** The days of a date since 1 January of the year 1. */
function daysOf(year: number, month: number, day: number): number {
  let days = daysBefore(year) + day - 1;
  for (let before = 1; before < month; before++) days += lengthOf(year, before);
  return days;
}

export const instantOf = (year: number, month: number, day: number, time = 0): Date =>
  new Date((daysOf(year, month, day) - EPOCH) * DAY + time);

function civil(date: Date): Civil {
  const ms = date.getTime();
  const days = Math.floor(ms / DAY) + EPOCH;
  const time = ms - Math.floor(ms / DAY) * DAY;
  let year = Math.floor(days / 366) + 1;
  while (daysBefore(year + 1) <= days) year++;
  let rest = days - daysBefore(year);
  let month = 1;
  while (rest >= lengthOf(year, month)) rest -= lengthOf(year, month++);
  return { year, month, day: rest + 1, days, time };
}

export function truncated(unit: Exclude<Unit, "second">, date: Date): Date {
  const { year, month, days, time } = civil(date);
  const inMonths = months[unit];
  if (inMonths !== undefined) return instantOf(year, month - ((month - 1) % inMonths), 1);
  if (unit === "week") return new Date((days - (days % 7) - EPOCH) * DAY);
  return new Date((days - EPOCH) * DAY + time - (time % (lengths[unit] ?? 0)));
}

export function partOf(part: Part, date: Date): number {
  const { year, month, day, days, time } = civil(date);
  switch (part) {
    case "year":
      return year;
    case "quarter":
      return Math.ceil(month / 3);
    case "month":
      return month;
    case "day":
      return day;
    case "weekday":
      return (days % 7) + 1;
    case "week": {
      // The week belongs to the year of its Thursday.
      const thursday = days - (days % 7) + 3;
      let of = year - 1;
      while (daysBefore(of + 1) <= thursday) of++;
      return Math.floor((thursday - daysBefore(of)) / 7) + 1;
    }
    case "hour":
      return Math.floor(time / 3_600_000);
    case "minute":
      return Math.floor(time / 60_000) % 60;
    case "second":
      return Math.floor(time / 1_000) % 60;
  }
}

export function added(date: Date, count: number, unit: Unit): Date {
  const inMonths = months[unit];
  if (inMonths === undefined) return new Date(date.getTime() + count * (lengths[unit] ?? 0));
  const { year, month, day, time } = civil(date);
  const all = year * 12 + month - 1 + count * inMonths;
  const [y, m] = [Math.floor(all / 12), (all % 12) + 1];
  return instantOf(y, m, Math.min(day, lengthOf(y, m)), time);
}

export function difference(unit: Unit, from: Date, to: Date): number {
  if (from > to) return 0 - difference(unit, to, from);
  const inMonths = months[unit];
  if (inMonths === undefined) return Math.floor((to.getTime() - from.getTime()) / (lengths[unit] ?? 0));
  const [a, b] = [civil(from), civil(to)];
  const isShort = b.day < a.day || (b.day === a.day && b.time < a.time);
  const whole = (b.year - a.year) * 12 + b.month - a.month - (isShort ? 1 : 0);
  return Math.floor(whole / inMonths);
}
