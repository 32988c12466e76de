/**
 * The clocks of a zone by the list of its changes, which are sought in what `Intl` shows: what a server gives is held
 * against it. It shares no code with the package. Dates of clocks are as though they were UTC.
 */
import { added, difference, type Part, partOf, truncated, type Unit } from "./calendar.js";

const DAY = 86_400_000;

/** A time in which the clocks of a zone keep their offset, from its start on. */
interface Span {
  readonly start: number;
  readonly end: number;
  readonly offset: number;
}

/** The offsets of a zone in some years. */
export class ZoneClocks {
  readonly zone: string;
  readonly #format: Intl.DateTimeFormat;
  readonly #spans: readonly Span[];

  constructor(zone: string, firstYear: number, lastYear: number) {
    this.zone = zone;
    this.#format = new Intl.DateTimeFormat("en-GB", {
      timeZone: zone,
      hourCycle: "h23",
      year: "numeric",
      month: "numeric",
      day: "numeric",
      hour: "numeric",
      minute: "numeric",
      second: "numeric",
    });
    const end = Date.UTC(lastYear + 1, 0, 1);
    const spans: Span[] = [];
    let start = Number.NEGATIVE_INFINITY;
    let offset = this.#shownAt(Date.UTC(firstYear, 0, 1));
    for (let time = Date.UTC(firstYear, 0, 1); time < end; time += DAY) {
      const next = this.#shownAt(time + DAY);
      if (next === offset) continue;
      const change = this.#changeBetween(time, time + DAY, offset);
      spans.push({ start, end: change, offset });
      start = change;
      offset = next;
    }
    spans.push({ start, end: Number.POSITIVE_INFINITY, offset });
    this.#spans = spans;
  }

  /** The instants at which the offset changes. */
  get changes(): readonly number[] {
    return this.#spans.slice(1).map(({ start }) => start);
  }

  /** What the clocks show. */
  at(instant: Date): Date {
    return new Date(instant.getTime() + this.#offsetAt(instant.getTime()));
  }

  /** When they show it: the last time, or in a gap what the clocks before it would have shown. */
  instantOf(clock: Date): Date {
    const time = clock.getTime();
    const shown = this.#spans.filter(
      ({ start, end, offset }) => time - offset >= start && time - offset < end,
    );
    // In a gap: of the spans whose end the clocks had reached, the last one.
    const before = this.#spans.filter(({ end, offset }) => time - offset >= end);
    const { offset } = shown.at(-1) ?? before.at(-1) ?? { offset: Number.NaN };
    return new Date(time - offset);
  }

  truncated(unit: Exclude<Unit, "second">, date: Date): Date {
    const clock = this.at(date);
    const start = truncated(unit, clock);
    if (unit !== "hour" && unit !== "minute") return this.instantOf(start);
    return new Date(date.getTime() - clock.getTime() + start.getTime());
  }

  partOf(part: Part, date: Date): number {
    return partOf(part, this.at(date));
  }

  added(date: Date, count: number, unit: Unit): Date {
    return ofTime.has(unit) ? added(date, count, unit) : this.instantOf(added(this.at(date), count, unit));
  }

  difference(unit: Unit, from: Date, to: Date): number {
    return ofTime.has(unit) ? difference(unit, from, to) : difference(unit, this.at(from), this.at(to));
  }

  #offsetAt(time: number): number {
    return this.#spans.find(({ start, end }) => time >= start && time < end)?.offset ?? Number.NaN;
  }

  #changeBetween(from: number, to: number, before: number): number {
    let [low, high] = [from, to];
    while (high - low > 1_000) {
      const middle = Math.floor((low + high) / 2_000) * 1_000;
      if (this.#shownAt(middle) === before) low = middle;
      else high = middle;
    }
    return high;
  }

  #shownAt(time: number): number {
    const parts = new Map(this.#format.formatToParts(time).map(({ type, value }) => [type, Number(value)]));
    const of = (part: Intl.DateTimeFormatPartTypes) => parts.get(part) ?? Number.NaN;
    const clock = Date.UTC(of("year"), of("month") - 1, of("day"), of("hour"), of("minute"), of("second"));
    return clock - time;
  }
}

const ofTime: ReadonlySet<Unit> = new Set(["hour", "minute", "second"]);
