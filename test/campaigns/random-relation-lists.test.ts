/**
 * Random queries over relations of several fields, other keys, tables between and filters: every server gives what an
 * evaluator gives. In full there are 20,000. `ROWTYPE_SEED` repeats a run.
 */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Untyped } from "../kit/shop.js";
import { patience, rounds } from "../rounds.js";
import { type Lent, servers, titleOf } from "../servers.js";
import { expectRows, refill } from "./condition-joins.js";
import { Chance } from "./expression-chance.js";
import { answerOf, builderOf, type Kind, module, questionOf, type Rows, rowsOf } from "./relation-lists.js";

const SMALL = 300;
const QUERIES = rounds({ small: SMALL, full: 20_000 });
const SEED = Number(process.env["ROWTYPE_SEED"] ?? (QUERIES > SMALL ? Date.now() % 4294967296 : 11));
// New rows now and then, so that a run does not depend on the first ones.
const EACH = 50;

for (const server of servers.filter(({ name }) => name !== "oracle" && name !== "h2"))
  describe.skipIf(!server.available)(`random relations of lists on ${titleOf(server)}, seed ${SEED}`, () => {
    const kinds: readonly Kind[] =
      server.dialect === "mariadb" ? ["inner", "left", "right"] : ["inner", "left", "right", "full"];
    const chance = new Chance(SEED);
    let lent: Lent;
    let of: Readonly<Record<string, Untyped>>;
    beforeAll(async () => {
      lent = await server.lend();
      await lent.db.createTables(...Object.values(module));
      of = lent.db.repositories(module) as unknown as Readonly<Record<string, Untyped>>;
    });
    afterAll(() => lent.close());

    test("give what the evaluator gives", { timeout: patience(30_000, 60, QUERIES) }, async () => {
      let world: Rows = {};
      let [found, inside] = [0, 0];
      for (let done = 0; done < QUERIES; done++) {
        if (done % EACH === 0) world = await refill(rowsOf(chance), of, lent, "rl_");
        const question = questionOf(chance, kinds);
        const meant = answerOf(question, world);
        await expectRows(() => builderOf(question, of), undefined, meant, done, question, world);
        if (meant.length > 0) found++;
        const [{ path = "" } = {}] = question.nested;
        if (meant.some((row) => [Reflect.get(row, path)].flat().some((part) => part != null))) inside++;
      }
      // Many queries must find something, and rows inside of rows, or nothing is compared.
      expect(found).toBeGreaterThan(QUERIES / 3);
      expect(inside).toBeGreaterThan(QUERIES / 10);
    });
  });
