/**
 * Random joins by conditions and ranges, right and full joins of whole tables, parts and queries, and rows that are found
 * by conditions: every server gives what an evaluator gives. In full there are 20,000. `ROWTYPE_SEED` repeats a run.
 */
import { column, table } from "rowtype";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import type { Untyped } from "../kit/shop.js";
import { patience, rounds } from "../rounds.js";
import { type Lent, servers, titleOf } from "../servers.js";
import { answerOf, builderOf, expectRows, questionOf, type Rows, refill, rowsOf } from "./condition-joins.js";
import { Chance } from "./expression-chance.js";

const SMALL = 300;
const QUERIES = rounds({ small: SMALL, full: 20_000 });
const SEED = Number(process.env["ROWTYPE_SEED"] ?? (QUERIES > SMALL ? Date.now() % 4294967296 : 7));
// New rows now and then, so that a run does not depend on the first ones.
const EACH = 100;

const plain = { tenant: z.int(), a: z.int().nullable(), b: z.int().nullable() };
const id = column(z.int(), { primaryKey: true });
const sure = table("sure", z.object({ id, ...plain }));
const other = table("other", z.object({ id, ...plain }));
const loose = table("loose", z.object({ ...plain, tenant: z.int().nullable() }));
const module = { sure, other, loose };

for (const server of servers.filter(({ name }) => name !== "oracle" && name !== "h2"))
  describe.skipIf(!server.available)(`random joins by conditions on ${titleOf(server)}, seed ${SEED}`, () => {
    const kinds =
      server.dialect === "mariadb"
        ? (["inner", "left", "right"] as const)
        : (["inner", "left", "right", "full"] as const);
    const chance = new Chance(SEED);
    let lent: Lent;
    let of: Readonly<Record<string, Untyped>>;
    beforeAll(async () => {
      lent = await server.lend();
      await lent.db.createTables(sure, other, loose);
      of = lent.db.repositories(module) as unknown as Readonly<Record<string, Untyped>>;
    });
    afterAll(() => lent.close());

    test("give what the evaluator gives", { timeout: patience(30_000, 60, QUERIES) }, async () => {
      let world: Rows = {};
      let [found, alone] = [0, 0];
      for (let done = 0; done < QUERIES; done++) {
        if (done % EACH === 0) world = await refill(rowsOf(chance), of, lent);
        const question = questionOf(chance, kinds);
        const meant = answerOf(question, world);
        await expectRows(() => builderOf(question, of), question.params, meant, done, question, world);
        if (meant.length > 0) found++;
        if (meant.some((row) => "id" in row && row.id === null)) alone++;
      }
      // Many queries must find something, and rows of theirs without ours, or nothing is compared.
      expect(found).toBeGreaterThan(QUERIES / 3);
      expect(alone).toBeGreaterThan(QUERIES / 10);
    });
  });
