/**
 * Random queries over random rows of five related tables: every server gives what an evaluator gives that shares no code
 * with the package, or the package refuses what it has to. In full there are 20,000. `ROWTYPE_SEED` repeats a run.
 */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { patience, rounds } from "../rounds.js";
import { type Lent, serversAndLocales, titleOf } from "../servers.js";
import { Chance } from "./expression-chance.js";
import { Beyond } from "./expression-evaluator.js";
import { declaredIn, openWorld, type Repositories, repositoriesOf } from "./relation-builder.js";
import { differenceOf, smallest } from "./relation-differences.js";
import { type Dress, dresses } from "./relation-dress.js";
import { QuestionMaker } from "./relation-questions.js";
import { worldOf } from "./relation-world.js";

const SMALL = 300;
const QUERIES = rounds({ small: SMALL, full: 20_000 });
// A small run repeats one seed, for it guards what stands; a larger one looks for what is new.
const SEED = Number(process.env["ROWTYPE_SEED"] ?? (QUERIES > SMALL ? Date.now() % 4294967296 : 5));

const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`;
const newSchema: Readonly<Record<string, (name: string) => string>> = {
  sqlite: (name) => `ATTACH ':memory:' AS ${quoted(name)}`,
  postgres: (name) => `CREATE SCHEMA ${quoted(name)}`,
  mariadb: (name) => `CREATE DATABASE \`${name}\``,
};

const hasPlainFields = ({ fields }: Dress) => [...fields].every(([name, other]) => name === other);

const asked = serversAndLocales.filter(({ name }) => name !== "oracle" && name !== "h2");
for (const [server, dress] of asked.flatMap((one) =>
  (one.locale === undefined ? dresses : dresses.slice(0, 1)).map((dress) => [one, dress] as const),
))
  describe.skipIf(!server.available)(
    `random queries over related tables with ${dress.title} on ${titleOf(server)}, seed ${SEED}`,
    () => {
      const count = dress === dresses[0] ? QUERIES : Math.ceil(QUERIES / 5);
      const declared = declaredIn(dress);
      const chance = new Chance(SEED);
      const world = worldOf(chance);
      const maker = new QuestionMaker(chance, world);
      const { namespace } = dress;
      const schemas = namespace === undefined ? [] : Object.keys(declared.tables).map(namespace);
      let lent: Lent;
      let of: Repositories;

      beforeAll(async () => {
        lent = await server.lend();
        for (const name of schemas) await lent.run(newSchema[server.name]?.(name) ?? "");
        await openWorld(lent.db, world, declared);
        for (const change of dress.more?.[server.name] ?? []) await lent.run(change);
        of = repositoriesOf(lent.db, declared);
      });
      afterAll(async () => {
        // On the others they go with the database.
        if (server.name === "mariadb")
          for (const name of schemas) await lent.run(`DROP DATABASE \`${name}\``);
        await lent.close();
      });

      test("give what the evaluator gives", { timeout: patience(30_000, 60, count) }, async () => {
        let [done, refused, empty] = [0, 0, 0];
        while (done < count) {
          const question = maker.question();
          // The rows of a query name what they are stored in, and few names can be written as its own.
          if (question.op === "insert" && !hasPlainFields(dress)) continue;
          try {
            const difference = await differenceOf(question, world, of);
            if (difference.what !== "") {
              const least = await smallest(question, world, of);
              expect.fail(`query ${done}\n${least.what}\nwhich is the least of\n${difference.what}`);
            }
            done++;
            if (difference.isRefused) refused++;
            if (difference.isEmpty) empty++;
          } catch (error) {
            if (!(error instanceof Beyond)) throw error;
          }
        }
        // Most queries must find something, or nothing is compared.
        expect(refused / count).toBeLessThan(0.25);
        expect(empty / count).toBeLessThan(0.5);
      });
    },
  );
