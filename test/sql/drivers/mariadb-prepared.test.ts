/** Prepared statements on MariaDB: however many texts there are, a server that allows few serves everybody. */
import { setTimeout } from "node:timers/promises";
import mysql from "mysql2/promise";
import { column, type Database, DeclarationError, table } from "rowtype";
import { mariadb } from "rowtype/mariadb";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { z } from "zod";
import { sqlErrorOf } from "../../kit/thrown.js";
import { mariadbIsInstalled, type OwnServer, startMariadb } from "../../mariadb-server.js";

const WIDTH = 15;
const properties = Array.from({ length: WIDTH }, (_, i) => `f${i}` as const);
const Wide = table(
  "wide",
  z.object({
    id: column(z.int(), { primaryKey: true, generated: true }),
    f0: z.int().nullable(),
    // The names of the others are made at run time, so types do not know them.
    ...(Object.fromEntries(properties.slice(1).map((name) => [name, z.int().nullable()])) as object),
    text: column(z.string().nullable(), { unique: true }),
  }),
);

/** The subset of the properties that a number stands for. */
const subset = (bits: number) => properties.filter((_, i) => (bits >> i) & 1);

test.skipIf(mariadbIsInstalled)(
  "the programs of a MariaDB server are missing: its tests are skipped",
  ({ skip }) => skip(),
);

describe.skipIf(!mariadbIsInstalled)("a MariaDB server that keeps 500 statements", () => {
  let server: OwnServer;
  let admin: mysql.Connection;
  let pool: mysql.Pool;
  let db: Database<"mariadb">;
  beforeAll(async () => {
    server = await startMariadb("max-prepared-stmt-count=500");
    admin = await mysql.createConnection(server.url.href);
    await admin.query("CREATE DATABASE test");
  });
  afterAll(async () => {
    await admin?.end();
    await server?.stop();
  });
  const poolOf = (options: mysql.PoolOptions = {}) =>
    mysql.createPool({ uri: new URL("/test", server.url).href, connectionLimit: 2, ...options });
  beforeEach(async () => {
    pool = poolOf();
    db = mariadb(pool);
    await db.dropTables(Wide);
    await db.createTables(Wide);
    // Some tests have ended it.
    return () => pool.end().catch(() => undefined);
  });

  /** Those of all clients, as the server counts them. */
  const prepared = async () => {
    const [[row]] = await admin.query<mysql.RowDataPacket[]>("SHOW GLOBAL STATUS LIKE 'Prepared_stmt_count'");
    return Number(row?.["Value"]);
  };
  /** What the server counts when it has heard of everything: nothing answers to the end of a statement. */
  const settled = async (most: number) => {
    for (let tries = 0; (await prepared()) > most && tries < 3_000; tries++) await setTimeout(10);
    return prepared();
  };
  /** Another client prepares something too. */
  const others = async () => {
    const other = await mysql.createConnection(server.url.href);
    try {
      expect(await other.execute("SELECT ? AS one", [1])).toMatchObject([[{ one: 1 }], {}]);
    } finally {
      await other.end();
    }
  };
  /** Runs `call` with every number below `count`, a few of them at once. */
  const each = async (count: number, call: (i: number) => Promise<unknown>) => {
    for (let from = 0; from < count; from += 20)
      await Promise.all(Array.from({ length: Math.min(20, count - from) }, (_, i) => call(from + i)));
    expect(await settled(400)).toBeLessThanOrEqual(400);
    await others();
  };

  // biome-ignore lint/suspicious/noExplicitAny: the names are made at run time.
  type Untyped = any;
  const texts: Readonly<Record<string, (i: number) => Promise<unknown>>> = {
    "a subset of optional filters": (i) => {
      const query = properties.reduce<Untyped>(
        (chain, name) => chain.whereOptional(name, "=", name),
        db.repository(Wide).query(),
      );
      return query.exec(Object.fromEntries(subset(i).map((name) => [name, 1])));
    },
    "the keys of a record": (i) =>
      db
        .repository(Wide)
        .insert()
        .exec(Object.fromEntries(subset(i).map((name) => [name, i])) as Untyped),
    "the keys of a patch": (i) =>
      db
        .repository(Wide)
        .modify()
        .where("id", "=", "id")
        .execPatch(Object.fromEntries(subset(i + 1).map((name) => [name, i])) as Untyped, { id: -1 })
        .catch((error: unknown) => expect(error).toMatchObject({ code: "NO_ROWS" })),
    "a number in limit": (i) => db.repository(Wide).query().limit(i).exec(),
    "an alias": (i) =>
      (db.repository(Wide).query() as Untyped)
        .fields("id", "f0")
        .where("id", "=", `p${i}`)
        .offset(i)
        .exec({ [`p${i}`]: 1 }),
    "the length of a batch": (i) =>
      db
        .repository(Wide)
        .insert()
        .execBatch(Array.from({ length: (i % 150) + 1 }, () => ({ f0: i }))),
    "the length of a batch that the server refuses": (i) =>
      expect(
        db
          .repository(Wide)
          .insert()
          .execBatch([
            { text: "taken" },
            ...Array.from({ length: (i % 300) + 1 }, () => ({ text: "taken" })),
          ]),
      ).rejects.toMatchObject({ code: "UNIQUE_VIOLATION" }),
    "a text of one's own": (i) => db.sql(`SELECT ${i} AS n`, z.object({ n: z.int() })).exec(),
    "a text of one's own that is refused": (i) =>
      expect(db.sql(`SELECT ${i} AS n FROM nowhere`, z.object({ n: z.int() })).exec()).rejects.toMatchObject({
        code: "QUERY_FAILED",
      }),
    "a text of one's own that fails while it runs": (i) =>
      expect(
        db.sql(`SELECT ${i} + (SELECT 1 UNION SELECT 2) AS n`, z.object({ n: z.int() })).exec(),
      ).rejects.toMatchObject({ code: "QUERY_FAILED" }),
    "a stream": async (i) => {
      for await (const _ of db
        .repository(Wide)
        .query()
        .limit(i + 1)
        .stream())
        if (i % 2 === 0) break;
    },
    "a stream in a transaction": (i) =>
      db.transaction(async (tx) => {
        for await (const _ of db
          .repository(Wide)
          .query()
          .limit(i + 1)
          .stream(undefined, { tx }))
          break;
      }),
    "the plan of a query": (i) => db.repository(Wide).query().limit(i).explain(),
    "a call that is aborted": async (i) => {
      const controller = new AbortController();
      const call = db.repository(Wide).query().limit(i).exec(undefined, { signal: controller.signal });
      if (i % 4 === 0) controller.abort();
      await call.catch((error: unknown) => expect(error).toMatchObject({ code: "ABORTED" }));
    },
  };

  test.each(Object.entries(texts))("serves 600 texts that differ in %s", async (_, call) => {
    await db
      .repository(Wide)
      .insert()
      .execBatch([{ text: "taken" }, {}, {}]);
    await each(600, call);
    expect(await db.repository(Wide).count().where("text", "=", "t").exec({ t: "taken" })).toBe(1);
  });

  test("keeps recently used statements, and closes the least recently used", async () => {
    await pool.end();
    expect(await settled(0)).toBe(0);
    const one = poolOf({ connectionLimit: 1 });
    const own = mariadb(one, { maxPreparedStatements: 10 });
    const hot = own.repository(Wide).query().where("id", "=", "id");
    const sent = async (name: string) => {
      const [[row]] = await one.query<mysql.RowDataPacket[]>(`SHOW SESSION STATUS LIKE '${name}'`);
      return Number(row?.["Value"]);
    };
    await hot.exec({ id: 1 });
    const before = await sent("Com_stmt_prepare");
    for (let i = 1; i <= 50; i++) {
      await own.repository(Wide).query().limit(i).exec();
      await hot.exec({ id: i });
    }
    expect((await sent("Com_stmt_prepare")) - before).toBe(50);
    expect(await settled(10)).toBe(10);
    await one.end();
  });

  test("keeps a few long texts that are used again, and none that is used once", async () => {
    await pool.end();
    expect(await settled(0)).toBe(0);
    const one = poolOf({ connectionLimit: 1 });
    const wide = mariadb(one).repository(Wide);
    const records = (count: number) => Array.from({ length: count }, () => ({ f0: 1 }));
    // The text of 1,300 rows is longer than 4,000 characters.
    const batch = (count: number) => wide.insert().execBatch(records(count));
    const sent = async () => {
      const [[row]] = await one.query<mysql.RowDataPacket[]>("SHOW SESSION STATUS LIKE 'Com_stmt_prepare'");
      return Number(row?.["Value"]);
    };
    const before = await sent();
    for (let i = 0; i < 10; i++) expect(await batch(1_300 + i)).toBe(1_300 + i);
    expect(await settled(0)).toBe(0);
    expect((await sent()) - before).toBe(10);
    for (let i = 0; i < 10; i++) await batch(1_309);
    expect((await sent()) - before).toBe(11);
    expect(await settled(1)).toBe(1);
    for (let i = 0; i < 10; i++) await batch(1_300 + i);
    expect(await settled(4)).toBe(4);
    // Of these two there is room for one.
    for (let i = 0; i < 4; i++) await batch(8_000 + (i % 2));
    expect(await settled(1)).toBe(1);
    await one.end();
    const few = poolOf({ connectionLimit: 1 });
    const own = mariadb(few, { maxPreparedStatements: 3 }).repository(Wide);
    for (let i = 0; i < 12; i++) {
      await own.insert().execBatch(records(1_300 + (i % 2)));
      await own
        .query()
        .limit(i % 4)
        .exec();
    }
    expect(await settled(3)).toBe(3);
    await few.end();
  });

  test("the smaller of the two settings applies", async () => {
    await pool.end();
    expect(await settled(0)).toBe(0);
    for (const [ours, pools, most] of [
      [30, 16_000, 30],
      [undefined, 20, 20],
      [100, 20, 20],
      [undefined, 16_000, 200],
      [0, 16_000, 0],
    ] as const) {
      const one = poolOf({ connectionLimit: 1, maxPreparedStatements: pools });
      const own = mariadb(one, { maxPreparedStatements: ours });
      for (let i = 0; i < 300; i++) await own.repository(Wide).query().limit(i).exec();
      expect(await settled(most)).toBe(most);
      await one.end();
      expect(await settled(0)).toBe(0);
    }
  });

  test("an invalid number of statements is refused", () => {
    for (const max of [-1, 1.5, Number.NaN, "200", null, 2 ** 60])
      expect(() => mariadb(pool, { maxPreparedStatements: max as number })).toThrow(DeclarationError);
  });

  test("connections share the server's limit of statements", async () => {
    const ten = poolOf({ connectionLimit: 10 });
    const own = mariadb(ten);
    for (let from = 0; from < 2_000; from += 50)
      await Promise.all(
        Array.from({ length: 50 }, (_, i) =>
          own
            .repository(Wide)
            .query()
            .limit(from + i)
            .exec(),
        ),
      );
    for (let i = 0; i < 50; i++)
      for await (const _ of own
        .repository(Wide)
        .query()
        .limit(5_000 + i)
        .stream());
    await ten.end();
  });

  test("if other clients use all of them, the error says so, and calls succeed after they release them", async () => {
    await pool.end();
    const hog = await mysql.createConnection(server.url.href);
    for (let i = 0; i < 501; i++) await hog.execute(`SELECT ${i}`).catch(() => undefined);
    const one = poolOf({ connectionLimit: 1 });
    const query = mariadb(one).repository(Wide).query();
    expect(await sqlErrorOf(query.exec())).toMatchObject({
      code: "QUERY_FAILED",
      cause: { errno: 1461 },
    });
    await hog.end();
    expect(await settled(0)).toBe(0);
    expect(await query.exec()).toEqual([]);
    await one.end();
  });
});
