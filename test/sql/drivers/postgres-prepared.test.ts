/** Texts that PostgreSQL keeps prepared: which, how many, and what happens if they are outdated. */
import pg from "pg";
import { column, type Database, table } from "rowtype";
import { postgres } from "rowtype/postgres";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { behindPooler } from "../../availability.js";
import { sqlErrorOf } from "../../kit/thrown.js";
import { type Lent, servers } from "../../servers.js";

const Item = table(
  "items",
  z.object({ id: column(z.int(), { primaryKey: true, type: "integer" }), name: z.string().nullable() }),
);
const server = servers.find(({ name }) => name === "postgres");

describe.skipIf(server?.available !== true || behindPooler)("PostgreSQL", () => {
  let lent: Lent;
  beforeAll(async () => {
    lent = (await server?.lend()) as Lent;
  });
  afterAll(() => lent.close());

  /** A database over a pool of one connection, with a table of its own. */
  async function onOne(work: (db: Database<"postgres">, pool: pg.Pool) => Promise<void>, options = {}) {
    const pool = new pg.Pool({ connectionString: lent.url as string, max: 1 });
    try {
      const db = postgres(pool, options);
      await pool.query("DROP TABLE IF EXISTS items");
      await db.createTables(Item);
      await work(db, pool);
    } finally {
      await pool.end();
    }
  }
  const prepared = async (pool: pg.Pool): Promise<string[]> => {
    const { rows } = await pool.query("SELECT statement FROM pg_prepared_statements ORDER BY prepare_time");
    return rows.map(({ statement }) => statement);
  };

  test("keeps a text from its second use on, of reads and of changes", () =>
    onOne(async (db, pool) => {
      const items = db.repository(Item);
      const byId = items.query().where("id", "=", "id");
      await items.insert().exec({ id: 1, name: "a" });
      await byId.exec({ id: 1 });
      expect(await prepared(pool)).toEqual([]);
      for (const id of [2, 3]) await items.insert().exec({ id, name: "b" });
      for (let i = 0; i < 3; i++) expect(await byId.exec({ id: 2 })).toEqual([{ id: 2, name: "b" }]);
      await db.transaction(async (tx) => {
        expect(await byId.exec({ id: 3 }, { tx })).toEqual([{ id: 3, name: "b" }]);
      });
      expect(await prepared(pool)).toEqual([items.insert().render().native.sql, byId.render().native.sql]);
    }));

  test("keeps none with prepare: false", () =>
    onOne(
      async (db, pool) => {
        const items = db.repository(Item);
        for (let id = 0; id < 4; id++) await items.insert().exec({ id });
        for (let i = 0; i < 4; i++) expect(await items.query().exec()).toHaveLength(4);
        expect(await prepared(pool)).toEqual([]);
      },
      { prepare: false },
    ));

  test("keeps at most 256, and some that are not closed yet", () =>
    onOne(async (db, pool) => {
      const items = db.repository(Item);
      for (let i = 1; i <= 600; i++)
        for (let twice = 0; twice < 2; twice++) await items.query().limit(i).exec();
      expect((await prepared(pool)).length).toBeGreaterThan(250);
      expect((await prepared(pool)).length).toBeLessThanOrEqual(256 + 64);
    }));

  const outdated: readonly (readonly [name: string, change: string, value: number])[] = [
    ["a result of other columns", "ALTER TABLE items ALTER COLUMN name TYPE varchar(20)", 1],
    ["a parameter of a smaller type", "ALTER TABLE items ALTER COLUMN id TYPE bigint", 2 ** 40],
    ["a statement that is gone", "DEALLOCATE ALL", 1],
    ["a table that was made anew", "DROP TABLE items; CREATE TABLE items (id bigint, name text)", 1],
  ];
  test.each(outdated)("outside a transaction, %s is prepared anew", (_, change, id) =>
    onOne(async (db, pool) => {
      const byId = db.repository(Item).query().where("id", "=", "id");
      for (let i = 0; i < 3; i++) await byId.exec({ id: 1 });
      await pool.query(change);
      await pool.query("INSERT INTO items (id, name) VALUES ($1, 'a')", [id]);
      for (let i = 0; i < 3; i++) expect(await byId.exec({ id })).toEqual([{ id, name: "a" }]);
      expect(await prepared(pool)).toContain(byId.render().native.sql);
    }),
  );

  const Typed = (type?: string) =>
    table(
      "items",
      z.object({
        id: column(z.int(), { primaryKey: true }),
        name: column(z.string(), type === undefined ? {} : { type }),
      }),
    );
  const changes: Readonly<Record<string, (db: Database<"postgres">) => Promise<unknown>>> = {
    "dropped and created": async (db) => {
      await db.dropTables(Typed());
      await db.createTables(Typed());
    },
    "dropped and created by statements of one's own": async (db) => {
      await db.sql("DROP TABLE items").exec();
      await db.sql("CREATE TABLE items (id bigint, name text)").exec();
    },
    altered: (db) => db.sql("ALTER TABLE items ALTER COLUMN name TYPE text").exec(),
    "altered in a block": (db) =>
      db.sql("DO $$ BEGIN ALTER TABLE items ALTER COLUMN name TYPE text; END $$").exec(),
    "altered in a transaction": (db) =>
      db.transaction(async (tx) => {
        await tx.sql("ALTER TABLE items ALTER COLUMN name TYPE text").exec();
        await Promise.all([1, 2].map(() => tx.repository(Typed()).query().exec()));
      }),
    "altered in an inner transaction": (db) =>
      db.transaction((tx) =>
        tx.transaction(async (inner) => {
          await inner.sql("ALTER TABLE items ALTER COLUMN name TYPE text").exec();
        }),
      ),
  };
  for (const type of ["numeric", "double precision", "varchar(3)", "char(8)", "date"])
    for (const [how, change] of Object.entries(changes))
      test(`a value is not converted to ${type}, which its column was before it was ${how}`, () =>
        onOne(async (db) => {
          await db.dropTables(Item);
          await db.createTables(Typed(type));
          const items = db.repository(Typed());
          const fits = type === "date" ? "2024-01-01" : "1";
          const update = items.modify().set("name", "name").where("id", "=", "id");
          for (let id = 1; id <= 3; id++) {
            await items.insert().exec({ id, name: fits });
            await items.insert().execBatch([{ id: id + 10, name: fits }]);
            await update.exec({ id, name: fits });
          }
          await change(db);
          // A number, a date and a text of which those types would make others.
          for (const [i, name] of ["1e3", "20240101", "1   ", "infinity", "today"].entries()) {
            await items.insert().exec({ id: 100 + i, name });
            await items.insert().execBatch([{ id: 200 + i, name }]);
            await update.exec({ id: 200 + i, name });
            for (const id of [100 + i, 200 + i])
              expect(await items.query().where("id", "=", "id").exec({ id })).toEqual([{ id, name }]);
          }
        }));

  test("in a transaction it fails once, and the next one is fine", () =>
    onOne(async (db, pool) => {
      const byId = db.repository(Item).query().where("id", "=", "id");
      for (let i = 0; i < 3; i++) await byId.exec({ id: 1 });
      await pool.query("DEALLOCATE ALL");
      const read = () => db.transaction((tx) => byId.exec({ id: 1 }, { tx }));
      expect((await sqlErrorOf(read())).code).toBe("QUERY_FAILED");
      for (let i = 0; i < 3; i++) expect(await read()).toEqual([]);
    }));

  test("what fails for another reason is sent twice at most, and stays prepared", () =>
    onOne(async (db, pool) => {
      const items = db.repository(Item);
      const byId = items.query().where("id", "=", "id");
      for (let i = 0; i < 3; i++) await byId.exec({ id: 1 });
      const before = await prepared(pool);
      for (let i = 0; i < 5; i++)
        expect((await sqlErrorOf(byId.exec({ id: 2 ** 40 }))).code).toBe("PARAM_TYPE");
      expect(await byId.exec({ id: 1 })).toEqual([]);
      expect(await prepared(pool)).toEqual(before);
      for (let i = 0; i < 3; i++) await items.insert().execBatch([{ id: i }]);
      for (let i = 0; i < 3; i++)
        expect((await sqlErrorOf(items.insert().exec({ id: 1 }))).code).toBe("UNIQUE_VIOLATION");
    }));

  test("a COPY from the caller is refused, and the connection goes on", () =>
    onOne(async (db) => {
      const copy = db.sql("COPY items FROM STDIN", z.object({})).exec();
      // The server's code is that of a cancelled statement.
      expect((await sqlErrorOf(copy)).code).toBe("ABORTED");
      await db.sql("COPY items TO STDOUT", z.object({})).exec();
      await db.sql("", z.object({})).exec();
      expect(await db.repository(Item).query().exec()).toEqual([]);
    }));
});
