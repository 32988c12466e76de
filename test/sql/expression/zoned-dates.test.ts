/**
 * Functions of dates in time zones on the servers: each hour around some changes of ten zones, held against the clocks
 * that `Intl` shows. `test/campaigns/zoned-dates.test.ts` takes all changes of 20 years.
 */
import { startOf } from "rowtype";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { compareAllZones, momentTable } from "../../kit/all-zones.js";
import { fillZones, whyNoZones } from "../../kit/zone-tables.js";
import {
  Change,
  clocksOfZones,
  compareStarts,
  compareWithClocks,
  expectedOf,
  rowsAround,
  zones,
} from "../../kit/zoned-days.js";
import { type Lent, servers } from "../../servers.js";

const rows = rowsAround(clocksOfZones(), 3);
const expected = expectedOf(rows);

test("startOf gives the starts of days, weeks, months and hours of each zone", () => {
  expect(new Set(rows.map(({ zone }) => zone)).size).toBe(10);
  compareStarts(expected);
});

test("a zone is asked for each day once, whatever the number of dates", () => {
  // To the compiler it is a method.
  const prototype = Intl.DateTimeFormat.prototype as unknown as { readonly format: unknown };
  const shown = vi.spyOn(prototype, "format", "get");
  // No other test asks for this zone.
  for (let i = 0; i < 20_000; i++)
    startOf("Indian/Chagos", "day", new Date(Date.UTC(2025, 0, 1) + (i % 100) * 86_400_000 + i));
  // The ends of each day, and of the days before and after.
  expect(shown.mock.calls.length).toBeLessThan(2 * 104);
  shown.mockRestore();
});

for (const server of servers.filter(({ name }) => name === "postgres"))
  describe.skipIf(!server.available)(`the zones of ${server.name}`, () => {
    test("each has the days of startOf, also those whose names are abbreviations too", async () => {
      const lent = await server.lend();
      try {
        await lent.db.createTables(momentTable);
        const names = await lent.run("SELECT name FROM pg_timezone_names");
        await compareAllZones(
          lent.db,
          names.map((row) => String(Object(row).name)),
        );
      } finally {
        await lent.close();
      }
    });
  });

for (const server of servers.filter(({ dialect }) => dialect !== "oracle"))
  describe.skipIf(!server.available)(`functions of dates in zones on ${server.name}`, () => {
    let lent: Lent;
    let putBack: (() => Promise<void>) | undefined;
    const missing = server.name === "mariadb" ? whyNoZones() : undefined;
    beforeAll(async () => {
      lent = await server.lend();
      if (server.name === "mariadb" && missing === undefined)
        putBack = await fillZones(lent.url ?? "", Object.keys(zones));
      await lent.db.createTables(Change);
      await lent.db.repository(Change).insert().execBatch(rows);
    });
    afterAll(async () => {
      await putBack?.();
      await lent?.close();
    });

    test.for(["a name", "a value", "a parameter"] as const)(
      "by %s they are those of the clocks of ten zones",
      async (given, { skip }) => {
        if (missing !== undefined) skip(missing);
        await compareWithClocks(lent.db, expected, given);
      },
    );
  });
