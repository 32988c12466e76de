/**
 * Functions of dates in ten time zones, each hour around each change of 20 years, on the servers, held against the clocks
 * that `Intl` shows. In full these are all changes; otherwise six of each zone.
 */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { fillZones, whyNoZones } from "../kit/zone-tables.js";
import {
  Change,
  clocksOfZones,
  compareStarts,
  compareWithClocks,
  expectedOf,
  rowsAround,
  zones,
} from "../kit/zoned-days.js";
import { patience, rounds } from "../rounds.js";
import { type Lent, servers } from "../servers.js";

const CHANGES = rounds({ small: 6, full: 100 });
const MS = patience(240_000, 30_000, CHANGES);
const rows = rowsAround(clocksOfZones(), CHANGES);
const expected = expectedOf(rows);

test(`startOf gives the starts of ${rows.length} dates`, () => {
  expect(new Set(rows.map(({ zone }) => zone)).size).toBe(10);
  compareStarts(expected);
});

for (const server of servers.filter(({ dialect }) => dialect !== "oracle"))
  describe.skipIf(!server.available)(`${rows.length} dates in zones on ${server.name}`, () => {
    let lent: Lent;
    let putBack: (() => Promise<void>) | undefined;
    const missing = server.name === "mariadb" ? whyNoZones() : undefined;
    beforeAll(async () => {
      lent = await server.lend();
      if (server.name === "mariadb" && missing === undefined)
        putBack = await fillZones(lent.url ?? "", Object.keys(zones));
      await lent.db.createTables(Change);
      await lent.db.repository(Change).insert().execBatch(rows);
    }, MS);
    afterAll(async () => {
      await putBack?.();
      await lent?.close();
    });

    test.for(["a name", "a parameter"] as const)(
      "by %s they are those of the clocks",
      { timeout: MS },
      async (given, { skip }) => {
        if (missing !== undefined) skip(missing);
        await compareWithClocks(lent.db, expected, given);
      },
    );
  });
