/** Every zone that a server knows by name, held against `startOf`. */
import { type AnyTable, column, type Database, dateTrunc, param, startOf, table } from "rowtype";
import { expect } from "vitest";
import { z } from "zod";

/** Names of files that are no zones. */
const noZones: ReadonlySet<string> = new Set(["Factory", "localtime", "posixrules"]);

const Moment = table("all_zones", z.object({ id: column(z.int(), { primaryKey: true }), at: z.date() }));

/** The table that is asked about, to be created. */
export const momentTable: AnyTable = Moment;

/**
 * Compares the days of all zones in winter and in summer. A zone that the runtime does not know yet is left out; a few
 * may be.
 */
export async function compareAllZones(db: Database, names: readonly string[]): Promise<void> {
  const moments = (db as Database<"sqlite">).repository(Moment);
  const dates = ["2024-01-15T09:30:00Z", "2024-07-15T21:30:00Z"].map((text) => new Date(text));
  await moments.insert().execBatch(dates.map((at, id) => ({ id, at })));
  const days = moments
    .query()
    .fields("id", dateTrunc("day", "at", { zone: param("zone") }).as("day"))
    .orderBy("id", "asc");
  const zones = names.filter((name) => !/^(?:posix|right)\//.test(name) && !noZones.has(name));
  expect(zones.length).toBeGreaterThan(300);
  const unknown: string[] = [];
  const other: string[] = [];
  for (const zone of zones) {
    if (!isKnown(zone)) unknown.push(zone);
    else
      for (const { id, day } of await days.exec({ zone }))
        if (day.getTime() !== startOf(zone, "day", dates[id] ?? new Date()).getTime()) other.push(zone);
  }
  expect(other).toEqual([]);
  expect(unknown.length, unknown.join(" ")).toBeLessThan(10);
}

function isKnown(zone: string): boolean {
  try {
    startOf(zone, "day", new Date());
    return true;
  } catch {
    return false;
  }
}
