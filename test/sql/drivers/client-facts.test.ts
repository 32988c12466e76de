/**
 * What postgres.js, PGlite and pg-boss do by themselves, and what rowtype makes of it. A fact that a later version of a
 * client no longer shows fails, and so says what could be left out. Those of the clients of SQLite are in
 * `test/runtimes/facts.mjs`, because each of them runs on a runtime of its own; those of D1 are with its driver.
 */
import type { PGlite } from "@electric-sql/pglite";
import PgBoss from "pg-boss";
import postgresJs from "postgres";
import { column, type Database, table } from "rowtype";
import { postgres } from "rowtype/postgres";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { behindPooler } from "../../availability.js";
import { openPglite } from "../../kit/postgres-clients.js";
import { lendDatabase } from "../../postgres-databases.js";
import { reportServers, servers } from "../../servers.js";

reportServers();

const server = servers.find(({ name }) => name === "postgres");
const Item = table(
  "facts",
  z.object({
    id: column(z.int(), { primaryKey: true }),
    name: column(z.string(), { unique: true }),
    wide: z.bigint().nullable(),
    good: z.boolean().nullable(),
    bytes: z.instanceof(Uint8Array).nullable(),
  }),
);
const none = { wide: null, good: null, bytes: null };
// A pooler that gives each transaction another connection keeps no texts, which postgres.js counts on.
describe.skipIf(server?.available !== true || behindPooler)("postgres.js", () => {
  let sql: postgresJs.Sql;
  let db: Database<"postgres">;
  let giveBack: () => Promise<void>;
  beforeAll(async () => {
    const lent = await lendDatabase();
    giveBack = lent.giveBack;
    sql = postgresJs(lent.url, { max: 2, onnotice: () => undefined });
    db = postgres(sql);
    await db.createTables(Item);
  });
  afterAll(async () => {
    await sql.end({ timeout: 1 });
    await giveBack();
  });
  const items = () => db.repository(Item);

  test("serialises by the type that the server names; a text of type 705 it sends as it is", async () => {
    expect(await sql`SELECT ${"t" as never}::boolean AS a`).toEqual([{ a: false }]);
    const bytes = await sql`SELECT encode(${"\\x01" as never}::bytea, 'escape') AS a`;
    expect(bytes).toEqual([{ a: "\\\\x01" }]);
    const typed =
      await sql`SELECT ${sql.typed("t", 705)}::boolean AS a, ${sql.typed("\\x01", 705)}::bytea AS b`;
    expect(typed).toEqual([{ a: true, b: Buffer.from([1]) }]);
  });

  test("rowtype sends true and bytes as the server reads them", async () => {
    const row = { id: 1, name: "typed", wide: 2n ** 63n - 1n, good: true, bytes: new Uint8Array([1]) };
    expect(await items().insert().exec(row)).toEqual(row);
    const found = items().query().where("good", "=", "good").where("bytes", "=", "bytes");
    expect(await found.exec({ good: true, bytes: new Uint8Array([1]) })).toEqual([row]);
  });

  test("gives the server's text by raw()", async () => {
    const [row] = await sql`SELECT true AS a, '\\x01'::bytea AS b, 9007199254740993 AS c`.raw();
    expect(row?.map((value) => Buffer.from(value as Uint8Array).toString())).toEqual([
      "t",
      "\\x01",
      "9007199254740993",
    ]);
  });

  test("allows two statements where no value is given; rowtype allows none", async () => {
    expect(await sql.unsafe("SELECT 1 AS a; SELECT 2 AS a")).toEqual([[{ a: 1 }], [{ a: 2 }]]);
    const two = "INSERT INTO facts (id, name) VALUES (2, 'two'); SELECT 1";
    for (const call of [db.sql(two).exec(), db.native(two), db.transaction((tx) => tx.native(two))])
      await expect(call).rejects.toMatchObject({ code: "QUERY_FAILED" });
    expect(await items().count().where("id", "=", "id").exec({ id: 2 })).toBe(0);
  });

  test("has reserve(), cancel() and cursor(n)", async () => {
    const own = await sql.reserve();
    try {
      const pages: number[] = [];
      for await (const rows of own`SELECT generate_series(1, 5)`.cursor(2)) pages.push(rows.length);
      expect(pages).toEqual([2, 2, 1]);
      const sleep = own`SELECT pg_sleep(30)`;
      const failure = sleep.catch((error: unknown) => Object(error).code);
      setTimeout(() => sleep.cancel(), 50);
      expect(await failure).toBe("57014");
    } finally {
      own.release();
    }
  });

  test("answers a commit after an error with ROLLBACK, and no error; rowtype rejects", async () => {
    const own = await sql.reserve();
    try {
      await own`BEGIN`;
      await own`SELECT 1 / 0`.catch(() => undefined);
      expect((await own`COMMIT`).command).toBe("ROLLBACK");
    } finally {
      own.release();
    }
    const caught = db.transaction(async (tx) => {
      await tx
        .repository(Item)
        .insert()
        .exec({ id: 3, name: "three", ...none });
      await tx.native("SELECT 1 / 0").catch(() => undefined);
    });
    await expect(caught).rejects.toMatchObject({ code: "QUERY_FAILED" });
    expect(await items().count().where("id", "=", "id").exec({ id: 3 })).toBe(0);
  });
});

/** A simple query, as the protocol has it. */
function query(text: string): Uint8Array {
  const bytes = Buffer.from(`${text}\0`);
  const head = Buffer.from([0x51, 0, 0, 0, 0]);
  head.writeInt32BE(bytes.length + 4, 1);
  return Buffer.concat([head, bytes]);
}

describe("PGlite", () => {
  let lite: PGlite;
  let db: Database<"postgres">;
  beforeAll(async () => {
    lite = await openPglite();
    db = postgres(lite);
    await db.createTables(Item);
  });
  afterAll(() => lite.close());

  test("reads by the parsers of a query, and those of the handle where it has none; rowtype reads every type itself", async () => {
    const mine = () => "mine";
    const own = await openPglite({ parsers: { 16: mine, 20: mine, 23: mine, 25: mine, 17: mine } });
    try {
      const text = "SELECT 1::int8 AS a, true AS b, ARRAY[1] AS c";
      expect((await own.query(text, [], { parsers: { 1007: () => "query" } })).rows).toEqual([
        { a: "mine", b: "mine", c: "query" },
      ]);
      const over = postgres(own);
      await over.createTables(Item);
      const row = { id: 1, name: "a", wide: 9007199254740993n, good: false, bytes: new Uint8Array([0, 255]) };
      expect(await over.repository(Item).insert().exec(row)).toEqual(row);
      expect(await over.repository(Item).query().exec()).toEqual([row]);
      expect((await over.native(text)).rows).toEqual((await own.query(text)).rows);
    } finally {
      await own.close();
    }
  });

  test("gives the server's text by execProtocol, whatever its parsers are", async () => {
    const texts: string[] = [];
    const { messages } = await lite.execProtocol(
      query("SELECT true AS a, 9007199254740993 AS b, '\\x01'::bytea AS c"),
    );
    for (const message of messages)
      if ("fields" in message && message.name === "dataRow") texts.push(...(message.fields as string[]));
    expect(texts).toEqual(["t", "9007199254740993", "\\x01"]);
  });

  test("lets others wait while a transaction is open: those of rowtype, and the caller's own", async () => {
    const order: string[] = [];
    const waiting: Promise<unknown>[] = [];
    await db.transaction(async (tx) => {
      waiting.push(lite.query("SELECT 1").then(() => order.push("own")));
      await tx.native("SELECT pg_sleep(0.05)");
      order.push("transaction");
    });
    await Promise.all(waiting);
    expect(order).toEqual(["transaction", "own"]);
  });
});

describe.skipIf(server?.available !== true)("pg-boss", () => {
  test("hands objects, Dates and undefined as values, and reads records", async () => {
    const lent = await server?.lend();
    if (lent?.url === undefined) throw new Error("the server has no URL");
    const boss = new PgBoss({ connectionString: lent.url, supervise: false, schedule: false });
    boss.on("error", () => undefined);
    await boss.start();
    try {
      await boss.createQueue("facts");
      const kinds = new Set<string>();
      const given: unknown[] = [];
      const executeSql = async (text: string, values: unknown[]) => {
        for (const value of values) kinds.add(value instanceof Date ? "Date" : typeof value);
        const result = await lent.db.native(text, values);
        given.push(...result.rows);
        return result as { rows: object[]; affected: number };
      };
      const id = await boss.send("facts", { order: 7 }, { db: { executeSql }, startAfter: new Date(0) });
      expect([...kinds]).toEqual(expect.arrayContaining(["object", "undefined"]));
      expect(given).toMatchObject([{ id }]);
    } finally {
      await boss.stop({ graceful: false, wait: true });
      await lent.close();
    }
  });
});
