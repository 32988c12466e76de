/**
 * Random queries over random rows of five related tables: every server gives what an evaluator gives that shares no code
 * with the package, or the package refuses what it has to. In full there are 20,000. `ROWTYPE_SEED` repeats a run.
 */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { patience, rounds } from "../rounds.js";
import { type Lent, servers } from "../servers.js";
import { Chance } from "./expression-chance.js";
import { Beyond } from "./expression-evaluator.js";
import { openWorld, type Repositories, repositoriesOf } from "./relation-builder.js";
import { differenceOf, smallest } from "./relation-differences.js";
import { QuestionMaker } from "./relation-questions.js";
import { worldOf } from "./relation-world.js";

const SMALL = 300;
const QUERIES = rounds({ small: SMALL, full: 20_000 });
// A small run repeats one seed, for it guards what stands; a larger one looks for what is new.
const SEED = Number(process.env["ROWTYPE_SEED"] ?? (QUERIES > SMALL ? Date.now() % 4294967296 : 5));

for (const server of servers.filter(({ name }) => name !== "oracle" && name !== "h2"))
  describe.skipIf(!server.available)(
    `random queries over related tables on ${server.name}, seed ${SEED}`,
    () => {
      const chance = new Chance(SEED);
      const world = worldOf(chance);
      const maker = new QuestionMaker(chance, world);
      let lent: Lent;
      let of: Repositories;

      beforeAll(async () => {
        lent = await server.lend();
        await openWorld(lent.db, world);
        of = repositoriesOf(lent.db);
      });
      afterAll(() => lent.close());

      test("give what the evaluator gives", { timeout: patience(30_000, 60, QUERIES) }, async () => {
        let [done, refused, empty] = [0, 0, 0];
        while (done < QUERIES) {
          const question = maker.question();
          try {
            const difference = await differenceOf(question, world, of);
            if (difference.what !== "") {
              const least = await smallest(question, world, of);
              expect.fail(`query ${done}\n${least.what}`);
            }
            done++;
            if (difference.isRefused) refused++;
            if (difference.isEmpty) empty++;
          } catch (error) {
            if (!(error instanceof Beyond)) throw error;
          }
        }
        // Most queries must find something, or nothing is compared.
        expect(refused / QUERIES).toBeLessThan(0.25);
        expect(empty / QUERIES).toBeLessThan(0.5);
      });
    },
  );
