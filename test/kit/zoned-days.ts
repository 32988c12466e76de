/** Functions of dates in ten zones around their changes, on a server: held against the clocks of each zone. */
import { isDeepStrictEqual } from "node:util";
import {
  column,
  type Database,
  dateAdd,
  dateDiff,
  datePart,
  dateTrunc,
  param,
  startOf,
  table,
  value,
} from "rowtype";
import { expect } from "vitest";
import { z } from "zod";
import type { Part, Unit } from "./calendar.js";
import { ZoneClocks } from "./zone-clocks.js";

/** Ten zones and the first of the 20 years of each. */
export const zones: Readonly<Record<string, number>> = {
  "Europe/Berlin": 2006,
  // It changed at midnight.
  "America/Sao_Paulo": 2000,
  // Midnight came twice.
  "America/Havana": 2006,
  "Atlantic/Azores": 2006,
  // It changed a minute after midnight.
  "America/St_Johns": 1993,
  // It changes by half an hour.
  "Australia/Lord_Howe": 2006,
  "Pacific/Chatham": 2006,
  // It left out a day.
  "Pacific/Apia": 2006,
  "Africa/Casablanca": 2006,
  "Asia/Kathmandu": 1980,
};

const truncUnits = ["year", "quarter", "month", "week", "day", "hour", "minute"] as const;
const partUnits = ["year", "quarter", "month", "week", "day", "weekday", "hour", "minute", "second"] as const;
const units = [...truncUnits, "second"] as const;

/** The dates that are asked about. */
export const Change = table(
  "changes",
  z.object({
    id: column(z.int(), { primaryKey: true }),
    zone: z.string(),
    at: z.date(),
    other: z.date(),
    n: z.int(),
  }),
);

/** A row of the table. */
export interface ChangeRow {
  readonly id: number;
  readonly zone: string;
  readonly at: Date;
  readonly other: Date;
  readonly n: number;
}

let seed = 20_261_126;
function random(below: number): number {
  seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 0;
  return Math.floor((seed / 2 ** 32) * below);
}

const HOUR = 3_600_000;
const minutes = [0, 0, 1, -1, 30 * 60_000 + 123, 45 * 60_000];

/** Each hour around each change, or around some changes of each zone. */
export function rowsAround(clocks: readonly ZoneClocks[], most: number): ChangeRow[] {
  const rows: ChangeRow[] = [];
  for (const { zone, changes } of clocks) {
    const step = Math.max(1, Math.ceil(changes.length / most));
    for (const change of changes.filter((_, i) => i % step === (changes.length - 1) % step))
      for (let hour = -26; hour <= 26; hour++) {
        const at = new Date(change + hour * HOUR + (minutes[random(minutes.length)] ?? 0));
        const other =
          (changes[random(changes.length)] ?? 0) + (random(60) - 30) * HOUR + random(2) * 1_799_999;
        rows.push({ id: rows.length, zone, at, other: new Date(other), n: random(17) - 8 });
      }
  }
  return rows;
}

/** The clocks of the ten zones. */
export function clocksOfZones(): ZoneClocks[] {
  return Object.entries(zones).map(([zone, first]) => new ZoneClocks(zone, first, first + 19));
}

/** What each function gives of a row. */
export interface Expected {
  readonly row: ChangeRow;
  readonly cuts: Readonly<Record<string, unknown>>;
  readonly moves: Readonly<Record<string, unknown>>;
}

/** What the clocks of the zones say of rows. */
export function expectedOf(rows: readonly ChangeRow[]): Expected[] {
  const known = new Map<string, ZoneClocks>();
  return rows.map((row) => {
    const { id, zone, at, other, n } = row;
    const first = zones[zone] ?? 2006;
    const clocks = known.get(zone) ?? new ZoneClocks(zone, first - 9, first + 28);
    known.set(zone, clocks);
    const cuts: Record<string, unknown> = { id };
    for (const unit of truncUnits) cuts[`trunc_${unit}`] = clocks.truncated(unit, at);
    for (const unit of partUnits) cuts[`part_${unit}`] = clocks.partOf(unit as Part, at);
    const moves: Record<string, unknown> = { id };
    for (const unit of units) moves[`add_${unit}`] = clocks.added(at, n, unit as Unit);
    for (const unit of units) moves[`diff_${unit}`] = clocks.difference(unit as Unit, at, other);
    return { row, cuts, moves };
  });
}

/** Compares what a server gives with the clocks; the zone is written, bound or a parameter. */
export async function compareWithClocks(
  db: Database,
  expected: readonly Expected[],
  given: "a name" | "a value" | "a parameter",
): Promise<void> {
  const changes = (db as Database<"sqlite">).repository(Change);
  for (const zone of new Set(expected.map(({ row }) => row.zone))) {
    const own = expected.filter(({ row }) => row.zone === zone);
    // The compiler does not know which of them it is.
    const options = {
      zone: given === "a name" ? zone : given === "a value" ? value(zone) : param("place"),
    } as { zone: string };
    const params = { zone, ...(given === "a parameter" ? { place: zone } : {}) };
    const cut = await changes
      .query()
      .fields(
        "id",
        ...truncUnits.map((unit) => dateTrunc(unit, "at", options).as(`trunc_${unit}`)),
        ...partUnits.map((unit) => datePart(unit, "at", options).as(`part_${unit}`)),
      )
      .where("zone", "=", "zone")
      .orderBy("id", "asc")
      .exec(params);
    const moved = await changes
      .query()
      .fields(
        "id",
        ...units.map((unit) => dateAdd("at", "n", unit, options).as(`add_${unit}`)),
        ...units.map((unit) => dateDiff(unit, "at", "other", options).as(`diff_${unit}`)),
      )
      .where("zone", "=", "zone")
      .orderBy("id", "asc")
      .exec(params);
    expect([cut.length, moved.length], zone).toEqual([own.length, own.length]);
    for (const [i, { row, cuts, moves }] of own.entries()) {
      // `toEqual` is for its message alone: it takes many times as long.
      const about = () => `${zone} ${row.at.toISOString()} ${row.other.toISOString()} ${row.n}`;
      if (!isDeepStrictEqual(cut[i], cuts)) expect(cut[i], about()).toEqual(cuts);
      if (!isDeepStrictEqual(moved[i], moves)) expect(moved[i], about()).toEqual(moves);
    }
  }
}

/** Compares `startOf` with the clocks. */
export function compareStarts(expected: readonly Expected[]): void {
  for (const { row, cuts } of expected)
    for (const unit of truncUnits) {
      const start = startOf(row.zone, unit, row.at);
      if (!isDeepStrictEqual(start, cuts[`trunc_${unit}`]))
        expect(start, `${row.zone} ${unit} ${row.at.toISOString()}`).toEqual(cuts[`trunc_${unit}`]);
    }
}
