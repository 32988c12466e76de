/** Runs cases: their texts in each dialect, before the judges, and their rows on each server. */
import type { AnyTable, Database, Rendered } from "rowtype";
import { mariadb } from "rowtype/mariadb";
import { oracle } from "rowtype/oracle";
import { postgres } from "rowtype/postgres";
import { sqlite } from "rowtype/sqlite";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Lent, serversAndLocales, titleOf } from "../servers.js";
import type { Case, Repositories } from "../sql/expression/expressions.cases.js";
import { COURT_MS, courts, type Judge } from "./judges.js";
import { createPeople, Person, Team } from "./people.js";

interface Executable {
  render(): Rendered;
  exec(params?: object): Promise<unknown>;
}

/** The tables that cases are about. */
export interface World<R> {
  readonly tables: readonly AnyTable[];
  /** The repositories; cases are written against SQLite's operators, which every dialect has. */
  readonly repositories: (db: Database<"sqlite">) => R;
  /** Makes the tables and fills them. */
  readonly create: (db: Database) => Promise<void>;
}

const peopleAndTeams: World<Repositories> = {
  tables: [Person, Team],
  repositories: (db) => ({ people: db.repository(Person), teams: db.repository(Team) }),
  create: createPeople,
};

const databases = { sqlite: sqlite(), postgres: postgres(), mariadb: mariadb(), oracle: oracle() };
const dialects = ["sqlite", "postgres", "mariadb", "oracle"] as const;

/** Describes cases, which are about `what`, of people and their teams. */
export function describeCases(what: string, cases: readonly Case[]): void {
  describeCasesOf(peopleAndTeams, what, cases);
}

/** The same of other tables. */
export function describeCasesOf<R>(world: World<R>, what: string, cases: readonly Case<R>[]): void {
  const repositories = (db: Database) => world.repositories(db as unknown as Database<"sqlite">);

  describe.each(dialects)(`the text of ${what} on %s`, (dialect) => {
    const of = repositories(databases[dialect]);
    test.each(cases)("$name", ({ run, texts }) => {
      expect(run(of).render().native.sql).toBe(texts[dialect]);
    });
  });

  for (const { dialect, available, open } of courts)
    describe.skipIf(!available)(`${what} before the judge of ${dialect}`, () => {
      let judge: Judge;
      let close: () => Promise<void>;
      beforeAll(async () => {
        ({ judge, close } = await open(...world.tables));
      }, COURT_MS);
      afterAll(() => close());

      test.each(cases)("$name", async ({ texts }) => {
        expect(await judge(texts[dialect])).toBeUndefined();
      });
    });

  for (const server of serversAndLocales)
    describe.skipIf(!server.available)(`the rows of ${what} on ${titleOf(server)}`, () => {
      let lent: Lent;
      let of: R;
      beforeAll(async () => {
        lent = await server.lend();
        await world.create(lent.db);
        of = repositories(lent.db);
      });
      afterAll(() => lent.close());

      test.for(cases)("$name", async ({ run, params, rows, h2 = rows }, { skip }) => {
        // Every case is a builder that gives rows.
        const builder = run(of) as unknown as Executable;
        const missing = server.lacks?.(builder.render().native.sql);
        if (missing !== undefined) skip(missing);
        expect(await builder.exec(params)).toEqual(server.name === "h2" ? h2 : rows);
      });
    });
}
