/**
 * What the clients of PostgreSQL do differently by themselves, and alike below `postgres()`: values of every kind,
 * errors with their fields, transactions, streams, aborts. All other tests of SQL run on another client than `pg` with
 * `ROWTYPE_PG_CLIENT=postgresjs` or `pglite`.
 */
import pg from "pg";
import postgresJs from "postgres";
import { column, type Database, DeclarationError, decimal, json, table, value } from "rowtype";
import { postgres } from "rowtype/postgres";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { z } from "zod";
import { behindPooler } from "../../availability.js";
import { type Opened, openPostgres, type PostgresClientName } from "../../kit/postgres-clients.js";
import { sqlErrorOf } from "../../kit/thrown.js";
import { lendDatabase } from "../../postgres-databases.js";
import { servers } from "../../servers.js";

const Group = table("groups", z.object({ id: column(z.int(), { primaryKey: true }) }));
const Item = table(
  "items",
  z.object({
    id: column(z.int(), { primaryKey: true }),
    wide: z.bigint().nullable(),
    price: decimal(12, 3).nullable(),
    size: z.number().nullable(),
    isOn: column(z.boolean().nullable(), { name: "is_on" }),
    name: column(z.string().nullable(), { unique: true }),
    bytes: z.instanceof(Uint8Array).nullable(),
    at: z.date().nullable(),
    data: json(z.looseObject({})).nullable(),
    tags: z.array(z.string()).nullable(),
    group: column(z.int().nullable(), { references: () => Group }),
    age: column(z.int().nullable(), { check: "age >= 0" }),
  }),
);
const none = {
  ...{ wide: null, price: null, size: null, isOn: null, name: null, bytes: null },
  ...{ at: null, data: null, tags: null, group: null, age: null },
};
const full = {
  wide: -(2n ** 63n),
  price: "-123456789.125",
  size: 0.1 + 0.2,
  isOn: true,
  name: "\ufeffa'\"\\ 世 $1 🙂",
  bytes: new Uint8Array([0, 92, 255, 120]),
  at: new Date("2026-01-02T03:04:05.678Z"),
  data: { list: [1, null, { deep: "{" }] },
  tags: ["a,b", 'q"', "\\", "", "NULL", "{}"],
  group: 1,
  age: 0,
};
const others = {
  ...full,
  ...{ wide: 2n ** 63n - 1n, isOn: false, bytes: new Uint8Array(), tags: [], name: "", size: -0.5 },
};

const server = servers.find(({ name }) => name === "postgres");
const clients: readonly PostgresClientName[] = ["pg", "postgresjs", "pglite"];

describe.each(clients)("%s", (client) => {
  const isAlone = client === "pglite";
  const runs = describe.skipIf(!isAlone && server?.available !== true);
  let opened: Opened;
  let db: Database<"postgres">;
  let url = "";
  let giveBack: () => Promise<void> = async () => undefined;
  beforeAll(async () => {
    if (!isAlone) ({ url, giveBack } = await lendDatabase());
    opened = await openPostgres(client, url);
    db = postgres(opened.handle);
    await db.createTables(Group, Item);
    await db.repository(Group).insert().exec({ id: 1 });
  });
  beforeEach(() => db.sql("DELETE FROM items").exec());
  afterAll(async () => {
    await opened.close();
    await giveBack();
  });
  const items = () => db.repository(Item);
  const pidOf = async (on: Pick<Database<"postgres">, "sql">) => {
    const rows = await on.sql("SELECT pg_backend_pid() AS pid", z.object({ pid: z.int() })).exec();
    return rows[0]?.pid;
  };

  runs("values", () => {
    test("of every kind are exact, and null is null, in a change and in a query, prepared and not", async () => {
      const rows = [
        { id: 1, ...full },
        { id: 2, ...others },
        { id: 3, ...none },
      ];
      for (const row of rows) expect(await items().insert().exec(row)).toEqual(row);
      const query = items().query().orderBy("id", "asc");
      for (let time = 0; time < 3; time++) expect(await query.exec()).toEqual(rows);
      const bySome = items().query().where("isOn", "=", "isOn").where("bytes", "=", "bytes");
      for (let time = 0; time < 3; time++)
        expect(await bySome.exec({ isOn: true, bytes: full.bytes })).toEqual([rows[0]]);
    });

    test("of a megabyte, and many rows", async () => {
      const large = {
        bytes: new Uint8Array(1_000_000).fill(92),
        tags: ["é".repeat(500_000), '"'.repeat(10_000)],
      };
      await items()
        .insert()
        .exec({ ...none, id: 1, ...large });
      const [stored] = await items().query().fields("bytes", "tags").exec();
      // To compare a million elements one by one takes seconds.
      expect(Buffer.from(stored?.bytes ?? []).equals(large.bytes)).toBe(true);
      expect(stored?.tags).toEqual(large.tags);
      const rows = await db
        .sql("SELECT n AS id FROM generate_series(1, 10000) n", z.object({ id: z.int() }))
        .exec();
      expect(rows.at(-1)).toEqual({ id: 10_000 });
    });
  });

  runs("errors", () => {
    test.each([
      ["UNIQUE_VIOLATION", { id: 1 }, "items_pkey", ["id"]],
      ["UNIQUE_VIOLATION", { id: 2, name: "x" }, "items_name_key", ["name"]],
      ["FOREIGN_KEY_VIOLATION", { id: 2, group: 7 }, "items_group_fkey", ["group"]],
      ["CHECK_VIOLATION", { id: 2, age: -1 }, "items_age_check", ["age"]],
    ])("%s of %j has its constraint and its fields", async (code, record, constraint, fields) => {
      await items()
        .insert()
        .exec({ ...none, id: 1, name: "x" });
      const error = await sqlErrorOf(
        items()
          .insert()
          .exec({ ...none, ...record }),
      );
      expect(error).toMatchObject({ code, constraint, fields, message: `constraint failed: ${constraint}` });
    });

    test("a missing value names its field", async () => {
      const error = await sqlErrorOf(db.sql("INSERT INTO items (age) VALUES (1)").exec());
      expect(error).toMatchObject({ code: "NOT_NULL_VIOLATION", fields: ["id"] });
    });

    test.each([
      ["SELECT 1; SELECT 2", "QUERY_FAILED"],
      ["SELECT 1 /* ; */; DELETE FROM items", "QUERY_FAILED"],
      ["SELECT missing FROM items", "QUERY_FAILED"],
      ["COPY items FROM /* here */ STDIN", "ABORTED"],
    ])("%j is %s, and the connection goes on", async (sql, code) => {
      expect(await sqlErrorOf(db.sql(sql).exec())).toMatchObject({ code });
      expect(await items().count().exec()).toBe(0);
    });
  });

  runs("transactions", () => {
    test("are stored as a whole, or not at all, with what savepoints kept", async () => {
      const failing = db.transaction(async (tx) => {
        await tx
          .repository(Item)
          .insert()
          .exec({ ...none, id: 1 });
        throw new Error("undone");
      });
      await expect(failing).rejects.toThrow("undone");
      await db.transaction(async (tx) => {
        const inside = tx.repository(Item);
        await inside.insert().exec({ ...none, id: 2 });
        const inner = tx.transaction(async (savepoint) => {
          await savepoint
            .repository(Item)
            .insert()
            .exec({ ...none, id: 3 });
          await savepoint
            .repository(Item)
            .insert()
            .exec({ ...none, id: 2 });
        });
        expect(await sqlErrorOf(inner)).toMatchObject({ code: "UNIQUE_VIOLATION" });
        await inside.insert().exec({ ...none, id: 4 });
      });
      expect((await items().query().orderBy("id", "asc").exec()).map(({ id }) => id)).toEqual([2, 4]);
    });

    test("have their isolation", async () => {
      for (const isolation of ["read committed", "repeatable read", "serializable"] as const) {
        const rows = await db.transaction(
          (tx) =>
            tx
              .sql(
                "SELECT current_setting('transaction_isolation') AS level",
                z.object({ level: z.string() }),
              )
              .exec(),
          { isolation },
        );
        expect(rows).toEqual([{ level: isolation }]);
      }
    });

    test("after a failed statement, a commit is an error, since the server rolls back", async () => {
      const work = db.transaction(async (tx) => {
        await tx
          .repository(Item)
          .insert()
          .exec({ ...none, id: 1 });
        await sqlErrorOf(tx.sql("SELECT 1 / 0").exec());
      });
      expect(await sqlErrorOf(work)).toMatchObject({ code: "QUERY_FAILED" });
      expect(await items().count().exec()).toBe(0);
    });

    test("take statements that are sent at once, in order", async () => {
      await db.transaction(async (tx) => {
        const ids = [1, 2, 3, 4, 5];
        await Promise.all(
          ids.map((id) =>
            tx
              .repository(Item)
              .insert()
              .exec({ ...none, id }),
          ),
        );
      });
      expect(await items().count().exec()).toBe(5);
    });

    test("a change that cannot be read is undone", async () => {
      await db.sql("INSERT INTO items (id, age) VALUES (1, 9007199254740993)").exec();
      const change = items().modify().set("name", "name").where("id", "=", "id").returning("age");
      expect(await sqlErrorOf(change.exec({ id: 1, name: "x" }))).toMatchObject({ code: "DECODE_FAILED" });
      expect(await items().query().fields("name").exec()).toEqual([{ name: null }]);
    });
  });

  runs("streams", () => {
    const fill = () => db.sql("INSERT INTO items (id) SELECT generate_series(1, 1000)").exec();

    test("give every row once, alone and in a transaction beside other statements", async () => {
      await fill();
      const stream = (tx?: object) =>
        items()
          .query()
          .orderBy("id", "asc")
          .stream(undefined, tx === undefined ? {} : { tx: tx as never });
      let sum = 0;
      for await (const { id } of stream()) sum += id;
      expect(sum).toBe(500_500);
      await db.transaction(async (tx) => {
        let count = 0;
        for await (const { id } of stream(tx)) {
          if (id % 250 === 0) count += await tx.repository(Item).count().exec();
        }
        expect(count).toBe(4_000);
      });
    });

    test("a reader that stops gives the connection back", async () => {
      await fill();
      for (let time = 0; time < 12; time++)
        for await (const { id } of items().query().stream()) if (id > 0) break;
      expect(await items().count().exec()).toBe(1_000);
    });
  });

  runs("signals", () => {
    test("that have fired stop a call before it is sent", async () => {
      const call = items()
        .insert()
        .exec({ ...none, id: 1 }, { signal: AbortSignal.abort() });
      expect(await sqlErrorOf(call)).toMatchObject({ code: "ABORTED" });
      expect(await items().count().exec()).toBe(0);
    });

    test("end the wait for a connection, which comes back", async () => {
      let end: () => void = () => undefined;
      const ending = new Promise<void>((resolve) => {
        end = resolve;
      });
      const holding = Array.from({ length: isAlone ? 1 : 4 }, () => db.transaction(() => ending));
      const waiting = sqlErrorOf(db.ping({ signal: AbortSignal.timeout(50) }));
      expect(await waiting).toMatchObject({ code: "ABORTED" });
      end();
      await Promise.all(holding);
      await Promise.all(Array.from({ length: 10 }, () => db.ping()));
    });

    test.skipIf(isAlone)("cancel a statement at the server, whose connection goes on", async () => {
      const begin = performance.now();
      const pids = await db.transaction(async (tx) => {
        const before = await pidOf(tx);
        const sleeping = tx.transaction((inner) =>
          inner.sql("SELECT pg_sleep(60)").exec(undefined, { signal: AbortSignal.timeout(50) }),
        );
        expect(await sqlErrorOf(sleeping)).toMatchObject({ code: "ABORTED" });
        return [before, await pidOf(tx)];
      });
      expect(pids[1]).toBe(pids[0]);
      expect(performance.now() - begin).toBeLessThan(30_000);
    });
  });

  runs("the rest", () => {
    test("native gives what the client gives, inside the transaction", async () => {
      const text = "SELECT $1::json AS a, $2::text AS b, true AS c";
      const expected = { rows: [{ a: { x: [1] }, b: null, c: true }], affected: 1 };
      expect(await db.native(text, [{ x: [1] }, undefined])).toEqual(expected);
      const undone = db.transaction(async (tx) => {
        expect(await tx.native(text, [{ x: [1] }, undefined])).toEqual(expected);
        await tx.native("INSERT INTO items (id, bytes) VALUES ($1, $2)", [1, new Uint8Array([1])]);
        expect(await tx.repository(Item).count().exec()).toBe(1);
        throw new Error("undone");
      });
      await expect(undone).rejects.toThrow("undone");
      expect(await items().count().exec()).toBe(0);
    });

    test("native refuses COPY … FROM STDIN in every disguise, and the connection serves the next call", async () => {
      for (const text of [
        "COPY items FROM STDIN",
        "copy items (id) /* a /* b */ c */ from -- d\rstdin",
        "COPY items FROM STDIN WITH (FORMAT csv)",
      ])
        for (const send of [
          () => db.native(text),
          () => db.native(text, [1]),
          () => db.transaction((tx) => tx.native(text)),
          async () => db.sql(text).exec(),
        ]) {
          expect(await sqlErrorOf(send()), text).toMatchObject({ code: "ABORTED" });
          expect((await db.native("SELECT $1::text AS a", ["b"])).rows).toMatchObject([{ a: "b" }]);
        }
      await db.native("COPY (SELECT 1 AS stdin) TO STDOUT");
    });

    test("texts that are kept are made anew when a table is changed", async () => {
      const query = db.repository(Item).query().fields("id", "name");
      for (let time = 0; time < 3; time++) await query.exec();
      await db.sql("ALTER TABLE items ALTER COLUMN name TYPE varchar(50)").exec();
      await items()
        .insert()
        .exec({ ...none, id: 1, name: "n" });
      for (let time = 0; time < 3; time++) expect(await query.exec()).toEqual([{ id: 1, name: "n" }]);
      await db.sql("ALTER TABLE items ALTER COLUMN name TYPE text").exec();
    });

    test("a text that fails at whichever of its executions is executed again", async () => {
      for (const id of [1, 2])
        await items()
          .insert()
          .exec({ ...none, id, name: `n${id}` });
      // Each of another text.
      const change = items().modify().set("name", "name").where("id", "=", "id");
      const texts = [
        change,
        change.where("id", "<", value(9)),
        change.where("id", ">", value(0)),
        change.where("id", "!=", value(0)),
      ];
      for (const [failing, text] of texts.entries())
        for (let time = 0; time < 5; time++) {
          const call = text.exec({ id: 1, name: time === failing ? "n2" : "n1" });
          if (time !== failing) await call;
          else expect(await sqlErrorOf(call)).toMatchObject({ code: "UNIQUE_VIOLATION" });
        }
    });

    test("more than 256 texts", async () => {
      for (let time = 0; time < 2; time++)
        for (let most = 1; most <= 300; most++) expect(await items().query().limit(most).exec()).toEqual([]);
      const rows = await db
        .sql(
          "SELECT count(*) AS c FROM pg_prepared_statements WHERE statement LIKE '%LIMIT%'",
          z.object({ c: z.int() }),
        )
        .exec();
      expect(rows[0]?.c).toBeLessThanOrEqual(256 + 64);
    });

    test("ping answers, and a handle that is ended is NO_CONNECTION", async () => {
      await db.ping();
      const other = await openPostgres(client, url);
      const ended = postgres(other.handle);
      await ended.ping();
      await other.close();
      expect(await sqlErrorOf(ended.ping())).toMatchObject({ code: "NO_CONNECTION" });
      expect(await sqlErrorOf(ended.transaction(async () => 1))).toMatchObject({ code: "NO_CONNECTION" });
    });

    test.runIf(isAlone)("one connection: nothing runs outside the transaction from inside", async () => {
      await db.transaction(async (tx) => {
        for (const options of [undefined, { tx: null }])
          expect(
            await sqlErrorOf(
              items()
                .count()
                .exec(undefined, options as never),
            ),
          ).toMatchObject({
            code: "TRANSACTION_REQUIRED",
          });
        expect(await tx.repository(Item).count().exec()).toBe(0);
      });
    });
  });
});

describe.skipIf(server?.available !== true)("postgres.js", () => {
  let url: string;
  let giveBack: () => Promise<void>;
  let admin: pg.Pool;
  beforeAll(async () => {
    ({ url, giveBack } = await lendDatabase());
    admin = new pg.Pool({ connectionString: url, max: 1 });
    await on({}, (db) => db.createTables(Group, Item));
  });
  afterAll(async () => {
    await admin.end();
    await giveBack();
  });
  const on = async (
    options: object,
    work: (db: Database<"postgres">, sql: postgresJs.Sql) => Promise<void>,
  ) => {
    const sql = postgresJs(url, { max: 2, onnotice: () => undefined, fetch_types: false, ...options });
    try {
      await work(postgres(sql), sql);
    } finally {
      await sql.end({ timeout: 1 });
    }
  };
  const fail = () => {
    throw new Error("it was called");
  };

  test("its types and transforms change no value of rowtype, and still those of the caller", () => {
    const transform = {
      column: { from: (name: string) => `c_${name}` },
      value: { from: () => "changed" },
      row: { from: () => ({ changed: true }) },
    };
    const of = (type: number) => ({ to: type, from: [type], serialize: fail, parse: fail });
    const types = { a: of(16), b: of(17), c: of(20), d: of(25), e: of(1184), f: of(3802), g: of(1009) };
    return on({ transform, types, fetch_types: false }, async (db, sql) => {
      const row = { id: 1, ...full, group: null };
      const items = db.repository(Item);
      expect(await items.insert().exec(row)).toEqual(row);
      for (let time = 0; time < 3; time++)
        expect(await items.query().where("id", "=", "id").exec({ id: 1 })).toEqual([row]);
      const named = z.object({ user_name: z.int() });
      expect(await db.sql("SELECT 5 AS user_name", named).exec()).toEqual([{ user_name: 5 }]);
      for await (const one of items.query().stream()) expect(one).toEqual(row);
      expect([...(await sql`SELECT 5 AS user_name`)]).toEqual([{ changed: true }]);
      await db.sql("DELETE FROM items").exec();
    });
  });

  // A pooler shows the prepared texts of any session.
  test.skipIf(behindPooler)("prepare: false is honoured, of the client and of the database", async () => {
    const kept = (sql: postgresJs.Sql) =>
      sql.unsafe("SELECT statement FROM pg_prepared_statements WHERE statement LIKE '%\"id\"%'").simple();
    const ask = async (db: Database<"postgres">) => {
      for (let time = 0; time < 4; time++)
        await db.repository(Item).query().where("id", "=", "id").exec({ id: 1 });
    };
    await on({ max: 1, prepare: false }, async (db, sql) => {
      await ask(db);
      expect(await kept(sql)).toHaveLength(0);
    });
    await on({ max: 1 }, async (_, sql) => {
      await ask(postgres(sql, { prepare: false }));
      expect(await kept(sql)).toHaveLength(0);
      await ask(postgres(sql, { prepare: true }));
      expect(await kept(sql)).toHaveLength(1);
    });
  });

  test("a statement of the caller's, of the same text, stays as it was", () =>
    on({ max: 1, transform: postgresJs.camel }, async (db, sql) => {
      const text = db.repository(Item).query().fields("isOn").render().native.sql;
      const own = () => sql.unsafe(text, [], { prepare: true });
      await db.sql("INSERT INTO items (id, is_on) VALUES (9, true)").exec();
      expect([...(await own())]).toEqual([{ isOn: true }]);
      for (let time = 0; time < 3; time++)
        expect(await db.repository(Item).query().fields("isOn").exec()).toEqual([{ isOn: true }]);
      expect([...(await own())]).toEqual([{ isOn: true }]);
      await db.sql("DELETE FROM items").exec();
    }));

  test("a session that is killed is CONNECTION_LOST, in a statement and between two, and the handle goes on and ends", () =>
    on({}, async (db) => {
      const pid = z.object({ pid: z.int() });
      const kill = async (tx: Pick<Database<"postgres">, "sql">) => {
        const rows = await tx.sql("SELECT pg_backend_pid() AS pid", pid).exec();
        return () => admin.query("SELECT pg_terminate_backend($1)", [rows[0]?.pid]);
      };
      const between = db.transaction(async (tx) => {
        await (await kill(tx))();
        await expect
          .poll(() => sqlErrorOf(tx.sql("SELECT 1").exec()).then(({ code }) => code))
          .toBe("CONNECTION_LOST");
        await tx.sql("SELECT 1").exec();
      });
      expect(await sqlErrorOf(between)).toMatchObject({ code: "CONNECTION_LOST" });
      const inside = db.transaction(async (tx) => {
        const ends = await kill(tx);
        const sleeping = sqlErrorOf(tx.sql("SELECT pg_sleep(60)").exec());
        await ends();
        expect(await sleeping).toMatchObject({ code: "CONNECTION_LOST" });
      });
      expect(await sqlErrorOf(inside)).toMatchObject({
        code: expect.stringMatching(/^(CONNECTION_LOST|UNKNOWN_OUTCOME)$/),
      });
      expect(await db.repository(Item).count().exec()).toBe(0);
    }));

  test("its errors about values are not those of a lost connection", () =>
    on({}, async (db) => {
      const call = db.native("SELECT $1::text", [Symbol("x")]);
      expect(await sqlErrorOf(call)).toMatchObject({ code: "QUERY_FAILED" });
      await db.ping();
    }));
});

test("what is no client of PostgreSQL is refused, with the clients that are", () => {
  for (const handle of [{}, () => undefined, { query: () => undefined }, 5, "postgres://", null])
    expect(() => postgres(handle as never)).toThrow(DeclarationError);
  expect(() => postgres({} as never)).toThrow(/Pool of pg, the sql of postgres\.js or a PGlite/);
});
