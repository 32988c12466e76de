/** Runs a block of tests on every server, each with a database of its own and the tables of `people.ts`. */
import { type Database, on } from "rowtype";
import { afterAll, beforeAll, beforeEach, describe } from "vitest";
import { type Lent, serversAndLocales, titleOf } from "../servers.js";
import { createPeople, Person, people as rows, Team } from "./people.js";

const typed = (db: Database<"sqlite">) => ({ db, people: db.repository(Person), teams: db.repository(Team) });

/** A database with people in it, typed as SQLite: what these tests use, every server has. */
export type World = ReturnType<typeof typed>;

const readOnly: ReadonlySet<string> = new Set([
  ...["SELECT", "QUERY", "COMPOUND"],
  ...["COUNT", "SUM", "AVG", "MIN", "MAX"],
]);

/** Describes `block` on each server; before every test the rows are those of `people.ts`, and no others. */
export function onEachServer(title: string, block: (world: () => World) => void): void {
  for (const server of serversAndLocales)
    describe.skipIf(!server.available)(`${title} on ${titleOf(server)}`, () => {
      let lent: Lent;
      let world: World;
      let isChanged = true;
      let off: () => void;
      beforeAll(async () => {
        lent = await server.lend();
        // After reads alone the tables are as they were: making them anew takes longer than most tests.
        off = on("db.query.started", ({ operation }) => {
          isChanged ||= !readOnly.has(operation);
        });
        // One type for all of them: the operators that differ have tests of their own.
        world = typed(lent.db as unknown as Database<"sqlite">);
      });
      beforeEach(async () => {
        // They belong to the table on the database, and so would be those of the next test.
        for (const repository of [world.people, world.teams]) {
          repository.onScan(null);
          repository.onRecord(null);
        }
        if (!isChanged && (await holdsPeople(world))) return;
        await world.db.dropTables(Person, Team);
        await createPeople(lent.db);
        isChanged = false;
      });
      afterAll(async () => {
        off();
        await lent.close();
      });
      block(() => world);
    });
}

// Dropped tables are not reported as a statement.
async function holdsPeople({ people, teams }: World): Promise<boolean> {
  const counts = Promise.all([people.count().exec(), teams.count().exec()]);
  return counts.then(
    ([all, some]) => all === rows.length && some === 2,
    () => false,
  );
}
