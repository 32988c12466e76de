/** Runs a block of tests on every server, each with a database of its own and the tables of `people.ts`. */
import type { Database } from "rowtype";
import { afterAll, beforeAll, beforeEach, describe } from "vitest";
import { type Lent, serversAndLocales, titleOf } from "../servers.js";
import { createPeople, Person, Team } from "./people.js";

const typed = (db: Database<"sqlite">) => ({ db, people: db.repository(Person), teams: db.repository(Team) });

/** A database with people in it, typed as SQLite: what these tests use, every server has. */
export type World = ReturnType<typeof typed>;

/** Describes `block` on each server; the rows are new before every test. */
export function onEachServer(title: string, block: (world: () => World) => void): void {
  for (const server of serversAndLocales)
    describe.skipIf(!server.available)(`${title} on ${titleOf(server)}`, () => {
      let lent: Lent;
      let world: World;
      beforeAll(async () => {
        lent = await server.lend();
        // One type for all of them: the operators that differ have tests of their own.
        world = typed(lent.db as unknown as Database<"sqlite">);
      });
      beforeEach(async () => {
        // They belong to the table on the database, and so would be those of the next test.
        for (const repository of [world.people, world.teams]) {
          repository.onScan(null);
          repository.onRecord(null);
        }
        await world.db.dropTables(Person, Team);
        await createPeople(lent.db);
      });
      afterAll(() => lent.close());
      block(() => world);
    });
}
