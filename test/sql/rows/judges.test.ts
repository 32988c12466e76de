/** Every kind of statement before the judges: what rowtype renders is SQL to the server of its dialect. */
import { and, c, type Database, isNull, type Rendered } from "rowtype";
import { mariadb } from "rowtype/mariadb";
import { oracle } from "rowtype/oracle";
import { postgres } from "rowtype/postgres";
import { sqlite } from "rowtype/sqlite";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { COURT_MS, courts, type Judge } from "../../kit/judges.js";
import { Person, Team } from "../../kit/people.js";

const typed = (db: Database<"sqlite">) => ({ people: db.repository(Person), teams: db.repository(Team) });
// One type for all of them: these statements every dialect has.
const databases = {
  sqlite: sqlite(),
  postgres: postgres() as unknown as Database<"sqlite">,
  mariadb: mariadb() as unknown as Database<"sqlite">,
  oracle: oracle() as unknown as Database<"sqlite">,
};

const statements: readonly [string, (of: ReturnType<typeof typed>) => { render(): Rendered }][] = [
  ["a select", ({ people }) => people.select().where("id", "=", "id")],
  ["an insert", ({ people }) => people.insert()],
  ["an upsert", ({ people }) => people.insert().onConflict("email").doUpdate()],
  [
    "an upsert with parameters of its own",
    ({ people }) => people.insert().onConflict("id").doUpdate().set("name", "email").set("age", "newAge"),
  ],
  ["an insert that leaves a row alone", ({ teams }) => teams.insert().onConflict("id").doNothing()],
  [
    "an update",
    ({ people }) =>
      people
        .modify()
        .set("name", "name")
        .set("tags", "tags")
        .whereOr(c("id", "=", "id"), isNull("age")),
  ],
  [
    "a removal",
    ({ people }) =>
      people.remove().whereOr(c("role", "IN", "roles"), and(c("name", "LIKE", "a"), c("name", "ILIKE", "b"))),
  ],
  ["a count", ({ people }) => people.count().whereBetween("bornAt", "from", "to")],
  ["a sum", ({ people }) => people.sum("balance").where("active", "=", "active")],
  ["an average", ({ people }) => people.avg("score").whereNotNull("photo")],
];

for (const { dialect, available, knowsColumns, open } of courts)
  describe.skipIf(!available)(`the grammar of ${dialect}`, () => {
    let judge: Judge;
    let close: () => Promise<void>;
    beforeAll(async () => {
      ({ judge, close } = await open(Person, Team));
    }, COURT_MS);
    afterAll(() => close());

    test.each(statements)("takes %s", async (_, make) => {
      expect(await judge(make(typed(databases[dialect])).render().native.sql)).toBeUndefined();
    });

    test("refuses text that is not SQL", async () => {
      expect(await judge("SELEC 1")).toContain("SELEC 1");
    });

    test.skipIf(!knowsColumns)("refuses an unknown column", async () => {
      expect(await judge("SELECT nope FROM people")).toContain("nope");
    });
  });
