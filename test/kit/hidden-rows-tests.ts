/** The tests of hidden rows: every method of every builder, on servers. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { patience } from "../rounds.js";
import type { Server } from "../servers.js";
import { HiddenRows, kinds } from "./hidden-judge.js";

/** @param each how many programs of each method must succeed. */
export function testHiddenRows(servers: readonly Server[], each: number, seed: number): void {
  const limit = { timeout: patience(180_000, 6_000, each) };
  for (const server of servers)
    describe.skipIf(!server.available)(`hidden rows on ${server.name}, seed ${seed}`, () => {
      let rows: HiddenRows;
      beforeAll(async () => {
        rows = await HiddenRows.on(server, each, seed);
      });
      afterAll(() => rows.close());

      test.each(kinds)("%s: no method reads or changes one", limit, async (kind) => {
        expect(await rows.faultsOf(kind)).toEqual([]);
      });

      test("no relation leads to one, by any method", limit, async () => {
        expect(await rows.faultsOfRelations()).toEqual([]);
      });

      test.each(kinds.filter((one) => one !== "insert"))(
        "%s: finds them where without stands in the call",
        limit,
        async (kind) => {
          expect(await rows.frees(kind)).toBe(true);
        },
      );
    });
}
