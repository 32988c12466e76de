/**
 * Random queries over relations of several fields, other keys, tables between and filters: every server gives what an
 * evaluator gives. In full there are 20,000. `ROWTYPE_SEED` repeats a run.
 */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Untyped } from "../kit/shop.js";
import { patience, rounds } from "../rounds.js";
import { type Lent, servers, titleOf } from "../servers.js";
import { inAnyOrder } from "./condition-joins.js";
import { Chance } from "./expression-chance.js";
import {
  answerOf,
  builderOf,
  type Kind,
  module,
  type Name,
  questionOf,
  type Rows,
  rowsOf,
} from "./relation-lists.js";

const SMALL = 300;
const QUERIES = rounds({ small: SMALL, full: 20_000 });
const SEED = Number(process.env["ROWTYPE_SEED"] ?? (QUERIES > SMALL ? Date.now() % 4294967296 : 11));
// New rows now and then, so that a run does not depend on the first ones.
const EACH = 50;
const names = Object.keys(module) as readonly Name[];

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

    async function filled(): Promise<Rows> {
      const world = rowsOf(chance);
      for (const name of names) {
        await lent.run(`DELETE FROM rl_${name}`);
        const repository = of[name] as unknown as {
          insert(): { execBatch(rows: readonly object[]): Promise<number> };
        };
        await repository.insert().execBatch(world[name] ?? []);
      }
      return world;
    }

    test("give what the evaluator gives", { timeout: patience(30_000, 60, QUERIES) }, async () => {
      let world: Rows = {};
      let [found, inside] = [0, 0];
      for (let done = 0; done < QUERIES; done++) {
        if (done % EACH === 0) world = await filled();
        const question = questionOf(chance, kinds);
        const meant = answerOf(question, world);
        let builder: Untyped | undefined;
        try {
          builder = builderOf(question, of);
          expect(inAnyOrder((await builder.exec()) as readonly object[])).toEqual(inAnyOrder(meant));
        } catch (error) {
          const text = (() => {
            try {
              return builder?.render().native.sql;
            } catch {
              return "no text";
            }
          })();
          expect.fail(
            `query ${done}: ${JSON.stringify(question)}\n${text}\n${JSON.stringify(world)}\n${String(error)}`,
          );
        }
        if (meant.length > 0) found++;
        const [{ path = "" } = {}] = question.nested;
        if (meant.some((row) => [Reflect.get(row, path)].flat().some((part) => part != null))) inside++;
      }
      // Many queries must find something, and rows inside of rows, or nothing is compared.
      expect(found).toBeGreaterThan(QUERIES / 3);
      expect(inside).toBeGreaterThan(QUERIES / 10);
    });
  });
