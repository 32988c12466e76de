/**
 * A foreign key of MariaDB needs an index that begins with its columns. Whatever indexes, unique and primary keys come
 * and go around foreign keys that stay, no step fails, and afterwards there is nothing to do.
 */
import * as fc from "fast-check";
import { type AnyTable, column, table } from "rowtype";
import { diff, introspect } from "rowtype/migrate";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { patience, rounds } from "../../rounds.js";
import { type Lent, servers } from "../../servers.js";

const Parent = table(
  "parents",
  z.object({ id: column(z.int(), { primaryKey: true }), a: z.int(), b: z.int(), c: z.int() }),
  {
    unique: [
      ["a", "b"],
      ["b", "a"],
      ["a", "b", "c"],
    ],
  },
);

const LISTS = [["a"], ["b"], ["a", "b"], ["a", "c"], ["b", "a"], ["a", "b", "c"], ["c", "a"]] as const;
type List = (typeof LISTS)[number];
const KEYS = [
  { columns: ["a"], target: ["id"] },
  { columns: ["b"], target: ["id"] },
  { columns: ["a", "b"], target: ["a", "b"] },
  { columns: ["b", "a"], target: ["b", "a"] },
  { columns: ["a", "b", "c"], target: ["a", "b", "c"] },
  // A second one of the same column.
  { columns: ["a"], target: ["id"], name: "again" },
] as const;

interface Version {
  readonly unique: readonly List[];
  readonly indexes: readonly List[];
  readonly primary: List | undefined;
  readonly keys: readonly (typeof KEYS)[number][];
}

const some = <T>(list: readonly T[], maxLength: number) => fc.subarray([...list], { maxLength });
const version: fc.Arbitrary<Version> = fc.record({
  unique: some(LISTS, 2),
  indexes: some(LISTS, 3),
  primary: fc.option(fc.constantFrom(...LISTS), { nil: undefined }),
  keys: some(KEYS, 3),
});

/** @param named what an index is over that has the name of a column, as the server calls those of foreign keys. */
function childOf({ unique, indexes, primary, keys }: Version, named: List | undefined): AnyTable {
  const others = indexes.filter((columns) => columns !== named).map((columns) => ({ columns }));
  return table("child", z.object({ id: z.int(), a: z.int(), b: z.int(), c: z.int() }), {
    ...(primary === undefined ? {} : { primaryKey: primary }),
    unique,
    indexes: named === undefined ? others : [...others, { columns: named, name: "a" }],
    foreignKeys: keys.map((key) => ({ ...key, references: () => Parent })),
  });
}

const mariadb = servers.filter(({ dialect }) => dialect === "mariadb");
for (const server of mariadb)
  describe.skipIf(!server.available)("indexes of foreign keys on mariadb", () => {
    let lent: Lent;
    beforeAll(async () => {
      lent = await server.lend();
      await lent.db.createTables(Parent);
    });
    afterAll(() => lent.close());

    const count = rounds({ small: 15, full: 2_000 });
    test(
      "come and go, and foreign keys stay",
      async () => {
        const property = fc.asyncProperty(
          fc.array(version, { minLength: 2, maxLength: 4 }),
          fc.option(fc.constantFrom(...LISTS), { nil: undefined }),
          async (versions, named) => {
            const [first, ...later] = versions.map((one) => childOf(one, named));
            if (first === undefined) return;
            await lent.db.createTables(first);
            try {
              for (const child of later) {
                const change = await diff([Parent, child], lent.db, { types: "exact" });
                for (const { sql } of change.steps)
                  for (const statement of sql)
                    await lent.run(statement).catch((cause: unknown) => {
                      throw new Error(`${statement}\n${change.text()}`, { cause });
                    });
                expect((await diff([Parent, child], lent.db, { types: "exact" })).text(), change.text()).toBe(
                  "",
                );
              }
              const { tables } = await introspect(lent.db);
              const there = tables.find(({ name }) => name === "child");
              const said = (columns: readonly unknown[]) => columns.join();
              expect(there?.foreignKeys.map(({ columns }) => said(columns)).sort()).toEqual(
                versions
                  .at(-1)
                  ?.keys.map(({ columns }) => said(columns))
                  .sort(),
              );
            } finally {
              await lent.db.dropTables(first);
            }
          },
        );
        await fc.assert(property, { numRuns: count, endOnFailure: true });
      },
      patience(60_000, 4_000, count),
    );
  });
