/** Every method of every builder reads and changes no hidden row. The campaign of hidden rows does it on all servers. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { HiddenRows, kinds } from "../../kit/hidden-judge.js";
import { patience, rounds } from "../../rounds.js";
import { servers } from "../../servers.js";

const EACH = rounds({ small: 1, full: 100 });
const SEED = Number(process.env["ROWTYPE_SEED"] ?? 7);
const limit = { timeout: patience(180_000, 6_000, EACH) };

for (const server of servers.filter(({ name }) => name === "sqlite"))
  describe.skipIf(!server.available)(`hidden rows on ${server.name}, seed ${SEED}`, () => {
    let rows: HiddenRows;
    beforeAll(async () => {
      rows = await HiddenRows.on(server, EACH, SEED);
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
