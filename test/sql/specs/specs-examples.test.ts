/** The examples that the schemas of specs add to a document: each is valid unchanged, and runs. */
import Sqlite from "better-sqlite3";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { type AnyTable, column, json, table } from "../../../src/index.js";
import { mariadb } from "../../../src/sql/drivers/mariadb.js";
import { oracle } from "../../../src/sql/drivers/oracle.js";
import { postgres } from "../../../src/sql/drivers/postgres.js";
import { sqlite } from "../../../src/sql/drivers/sqlite.js";

const tables: readonly AnyTable[] = [
  table(
    "people",
    z.object({
      id: column(z.int(), { primaryKey: true, generated: true }),
      name: z.string(),
      born: z.date().nullable(),
      active: column(z.boolean(), { default: "TRUE" }),
      tags: z.array(z.string()),
    }),
  ),
  table("keyless", z.object({ "first name": z.string(), n: z.bigint() })),
  table(
    "odd",
    z.object({ data: json(z.object({ a: z.int() })), id: column(z.string(), { primaryKey: true }) }),
  ),
  table("pairs", z.object({ a: z.int(), b: z.int() }), { primaryKey: ["a", "b"] }),
];

function exampleOf(schema: z.ZodType): Record<string, unknown> {
  const example = z.globalRegistry.get(schema)?.["example"];
  expect(example).toBeTypeOf("object");
  return example as Record<string, unknown>;
}

const dialects = { postgres: postgres(), mariadb: mariadb(), sqlite: sqlite(), oracle: oracle() };

describe.each(Object.entries(dialects))("on %s", (_, db) => {
  test.each(tables.map((one) => [one.name, one] as const))(
    "the examples of %s are specs, and render",
    (_, one) => {
      // All four databases have the same methods.
      const users = (db as typeof dialects.sqlite).repository(one as never);
      for (const options of [{}, { maxLimit: 5 }, { fields: [Object.keys(one.columns)[0]] }]) {
        const schemas = users.specs(options as never);
        const [query, select, insert] = [schemas.query, schemas.select, schemas.insert].map((schema) =>
          schema.parse(exampleOf(schema)),
        );
        expect(users.queryFromSpec(query as never).render().sql).toContain("SELECT");
        expect(users.selectFromSpec(select as never).render().sql).toContain("SELECT");
        expect(users.insertFromSpec(insert as never).render().sql).toContain("INSERT");
        expect(
          users.compoundFromSpec(schemas.compound.parse(exampleOf(schemas.compound)) as never).render().sql,
        ).toContain("UNION");
        expect(
          users.countFromSpec(schemas.aggregate.parse(exampleOf(schemas.aggregate)) as never).render().sql,
        ).toContain("COUNT");
        for (const kind of ["modify", "remove"] as const) {
          if (z.globalRegistry.get(schemas[kind])?.["example"] === undefined) continue;
          // MariaDB has no rows of an update to give without a key; the number of rows it has.
          if (db.dialect === "mariadb" && one.name === "keyless") continue;
          const spec = schemas[kind].parse(exampleOf(schemas[kind])) as never;
          const builder = kind === "modify" ? users.modifyFromSpec(spec) : users.removeFromSpec(spec);
          expect(builder.render().sql).toContain("WHERE");
        }
      }
    },
  );
});

test("the examples of queries run without a parameter", async () => {
  const db = sqlite(new Sqlite(":memory:"));
  for (const one of tables) {
    await db.createTables(one);
    const users = db.repository(one as never);
    const { query, compound, aggregate } = users.specs({ maxLimit: 100 });
    expect(await users.queryFromSpec(query.parse(exampleOf(query)) as never).exec({})).toEqual([]);
    expect(await users.compoundFromSpec(compound.parse(exampleOf(compound)) as never).exec({})).toEqual([]);
    expect(await users.countFromSpec(aggregate.parse(exampleOf(aggregate)) as never).exec({})).toBe(0);
  }
});
