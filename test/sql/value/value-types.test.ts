/**
 * Every kind of column on every SQL type that `docs/values.md` names for it: values at their edges are written, read
 * back equal, and found by `=`. The document and these lists hold each other to the truth.
 */
import { readFileSync } from "node:fs";
import { column, ddl, table } from "rowtype";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { kinds } from "../../kit/value-types.kinds.js";
import { type Lent, servers } from "../../servers.js";

// biome-ignore lint/suspicious/noExplicitAny: one loop for columns of every kind.
type Untyped = any;

for (const server of servers.filter(({ name }) => name !== "h2" && name !== "oracle"))
  describe.skipIf(!server.available)(`types of ${server.name}`, () => {
    let lent: Lent;
    let made = 0;
    const zone = process.env["TZ"];
    beforeAll(async () => {
      lent = await server.lend();
      if (server.name === "postgres") await lent.run("CREATE TYPE mood AS ENUM ('low', 'hi''gh')");
    });
    afterAll(() => lent.close());
    afterEach(() => {
      if (zone === undefined) delete process.env["TZ"];
      else process.env["TZ"] = zone;
    });

    for (const { zod, schema, types, all, equals } of kinds)
      for (const [type, held] of Object.entries(types[server.name] ?? {}))
        test(`${zod} as ${type}`, async () => {
          const Value = table(
            `values_${++made}`,
            z.object({
              id: column(z.int(), { primaryKey: true }),
              value: column(schema.nullable(), { type }),
            }),
          );
          await lent.db.createTables(Value);
          const values = lent.db.repository(Value);
          const list = [...(held === "all" ? all : held), null];
          for (const [id, value] of list.entries()) {
            // Of no zone does anything depend: not of that of the process, and below not of that of the session.
            process.env["TZ"] = ["UTC", "Asia/Kathmandu", "America/St_Johns", "Pacific/Apia"][id % 4];
            const stored = await values.insert().exec({ id, value } as never);
            expect(stored).toEqual({ id, value });
            process.env["TZ"] = "Europe/Berlin";
            expect(await values.select().where("id", "=", "id").exec({ id })).toEqual({ id, value });
            if (equals === false || value === null) continue;
            // The operators of a column hang on its schema, which is any here.
            const found = (values.query() as Untyped).where("value", "=", "v").where("id", "=", "id");
            expect(await found.exec({ v: value, id })).toHaveLength(1);
          }
          expect(await values.count().exec()).toBe(list.length);
        });

    test("a session in another time zone reads and writes the same times", async () => {
      const Time = table("times", z.object({ id: column(z.int(), { primaryKey: true }), at: z.date() }));
      await lent.db.createTables(Time);
      const times = lent.db.repository(Time);
      const at = new Date("2024-03-31T01:30:00.001Z");
      await times.insert().exec({ id: 1, at });
      const zones = {
        postgres: ["SET LOCAL timezone = 'Asia/Kathmandu'"],
        mariadb: ["SET time_zone = '+05:45'"],
      };
      const [set] = zones[server.name as keyof typeof zones] ?? [];
      await lent.db.transaction(async (tx) => {
        if (set !== undefined) await tx.sql(set).exec();
        await tx.repository(Time).insert().exec({ id: 2, at });
        expect(await tx.repository(Time).query().orderBy("id", "asc").exec()).toEqual([
          { id: 1, at },
          { id: 2, at },
        ]);
        expect(await tx.repository(Time).count().where("at", "=", "at").exec({ at })).toBe(2);
        if (server.name === "mariadb") await tx.sql("SET time_zone = DEFAULT").exec();
      });
      expect(await times.count().where("at", "=", "at").exec({ at })).toBe(2);
    });
  });

describe("docs/values.md", () => {
  const text = readFileSync(new URL("../../../docs/values.md", import.meta.url), "utf8");
  const rows = text
    .split("\n")
    .filter((line) => line.startsWith("| `z.") || line.startsWith("| `json"))
    .map((line) =>
      line
        .split(/(?<!\\)\|/)
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );
  const dialects = ["postgres", "mariadb", "sqlite"];

  test("lists the default type of a column first", () => {
    for (const [i, { schema, zod }] of kinds.entries()) {
      if (zod.endsWith("decimal")) continue;
      const One = table("t", z.object({ value: schema.nullable() }));
      const made = (["postgres", "mariadb", "sqlite", "oracle"] as const).map(
        (dialect) => ddl(One, dialect)[0],
      );
      const first = rows[i]?.slice(1).map((cell) => /`([^`]+)`/.exec(cell)?.[1]);
      expect(first?.map((type, at) => made[at]?.includes(` ${type}`) === true || made[at])).toEqual(
        Array(4).fill(true),
      );
    }
  });

  test("lists exactly the types that are tested here", () => {
    const tested = kinds.map(({ zod, types }) => [
      zod,
      ...dialects.map((name) => Object.keys(types[name] ?? {}).sort()),
    ]);
    const named = rows.map(([zod = "", ...cells]) => [
      zod.replaceAll("`", ""),
      ...cells.slice(0, 3).map((cell) => [...cell.matchAll(/`([^`]+)`/g)].map(([, type]) => type).sort()),
    ]);
    expect(named).toEqual(tested);
  });
});
