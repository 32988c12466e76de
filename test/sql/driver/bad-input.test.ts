/**
 * Handles and drivers that are wrong, each with a coded error: clients of another database, handles that are ended,
 * drivers that answer late, twice or never, and bound calls whose table has changed. `over.test.ts` has answers of another
 * form, `exec/atomic.test.ts` what is no bound call, `exec/read-only.test.ts` and `drivers/sqlite-busy.test.ts` files.
 */
import Sqlite from "better-sqlite3";
import mysqlCallbacks from "mysql2";
import mysql from "mysql2/promise";
import oracledb from "oracledb";
import pg from "pg";
import postgresJs from "postgres";
import { column, DeclarationError, SqlError, table } from "rowtype";
import { type Connection, type Driver, databaseOver } from "rowtype/driver";
import { mariadb } from "rowtype/mariadb";
import { oracle } from "rowtype/oracle";
import { postgres } from "rowtype/postgres";
import { sqlite } from "rowtype/sqlite";
import { afterAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { openPglite } from "../../kit/postgres-clients.js";
import { sqliteDriver } from "../../kit/small-drivers.js";
import { sqlErrorOf } from "../../kit/thrown.js";

// None of them is connected.
const pool = new pg.Pool({ host: "127.0.0.1", port: 1 });
const sql = postgresJs("postgres://nobody@127.0.0.1:1/none", { onnotice: () => undefined });
const mysqlPool = mysql.createPool("mysql://nobody@127.0.0.1:1/none");
const nobody = { user: "nobody", password: "none" };
const callbacks = mysqlCallbacks.createPool("mysql://nobody@127.0.0.1:1/none");
const oraclePool = await oracledb.createPool({ ...nobody, connectString: "127.0.0.1:1/none", poolMin: 0 });
const lite = await openPglite();
const file = new Sqlite(":memory:");
afterAll(async () => {
  await Promise.all([pool.end(), sql.end(), mysqlPool.end(), oraclePool.close(0), lite.close()]);
  callbacks.end(() => undefined);
  file.close();
});

const functions = { sqlite, postgres, mariadb, oracle };
const handles: readonly (readonly [
  name: string,
  handle: unknown,
  takenBy: keyof typeof functions | undefined,
])[] = [
  ["better-sqlite3", file, "sqlite"],
  ["a pool of pg", pool, "postgres"],
  ["postgres.js", sql, "postgres"],
  ["PGlite", lite, "postgres"],
  ["a pool of mysql2", mysqlPool, "mariadb"],
  ["a pool of mysql2 with callbacks", callbacks, undefined],
  ["a pool of oracledb", oraclePool, "oracle"],
];
const pairs = handles.flatMap(([name, handle, takenBy]) =>
  Object.entries(functions).map(([dialect, over]) => ({
    name,
    handle,
    dialect,
    over,
    isTaken: dialect === takenBy,
  })),
);

describe("each client is taken by the function of its database alone", () => {
  test.each(pairs)("$name by $dialect()", ({ handle, over, isTaken }) => {
    const make = () => over(handle as never);
    if (isTaken) expect(make).not.toThrow();
    else expect(make).toThrow(DeclarationError);
  });
});

describe("a handle that was ended is NO_CONNECTION", () => {
  const ended = {
    "better-sqlite3": () => {
      const handle = new Sqlite(":memory:");
      handle.close();
      return sqlite(handle);
    },
    "a pool of pg": async () => {
      const own = new pg.Pool({ host: "127.0.0.1", port: 1 });
      await own.end();
      return postgres(own);
    },
    "postgres.js": async () => {
      const own = postgresJs("postgres://nobody@127.0.0.1:1/none");
      await own.end();
      return postgres(own);
    },
    PGlite: async () => {
      const own = await openPglite();
      await own.close();
      return postgres(own);
    },
    "a pool of mysql2": async () => {
      const own = mysql.createPool("mysql://nobody@127.0.0.1:1/none");
      await own.end();
      return mariadb(own);
    },
  };
  const T = table("t", z.object({ id: column(z.int(), { primaryKey: true }) }));
  test.each(Object.entries(ended))("%s", async (_, open) => {
    const db = (await open()) as ReturnType<typeof sqlite>;
    const rows = db.repository(T);
    const calls = {
      ping: () => db.ping(),
      query: () => rows.query().exec(),
      insert: () => rows.insert().exec({ id: 1 }),
      "a list": () => rows.insert().execBatch([{ id: 1 }, { id: 2 }]),
      transaction: () => db.transaction(async () => 1),
      atomic: () => db.atomic([rows.query().bind()]),
      native: () => db.native("SELECT 1"),
      "a text": () => db.sql("SELECT 1").exec(),
      stream: async () => {
        for await (const _ of rows.query().stream()) expect.unreachable();
      },
    };
    const codes: Record<string, string> = {};
    for (const [name, call] of Object.entries(calls)) codes[name] = (await sqlErrorOf(call())).code;
    expect(codes).toEqual(Object.fromEntries(Object.keys(calls).map((name) => [name, "NO_CONNECTION"])));
  });
});

describe("a driver that answers at another time", () => {
  const Item = table(
    "items",
    z.object({ id: column(z.int(), { primaryKey: true }), name: column(z.string(), { unique: true }) }),
  );
  async function over(change: (connection: Connection) => Partial<Connection>) {
    const handle = new Sqlite(":memory:");
    const driver = sqliteDriver(handle);
    await databaseOver("sqlite", driver).createTables(Item);
    const changed: Driver & Required<Pick<Driver, "connect">> = {
      ...driver,
      connect: async (signal) => {
        const connection = await driver.connect(signal);
        return { ...connection, ...change(connection) };
      },
    };
    return { db: databaseOver("sqlite", changed), handle };
  }
  const twice = <T>(first: T, then: unknown) => ({
    // biome-ignore lint/suspicious/noThenProperty: an answer that comes twice
    then(resolve: (value: T) => void, reject: (error: unknown) => void) {
      resolve(first);
      if (then instanceof Error) reject(then);
      else resolve(then as T);
      queueMicrotask(() => reject(new Error("a third time")));
    },
  });

  test.each([
    ["with another result", { rows: [["9"]], affected: 7 }],
    ["with an error", new Error("later")],
  ])("twice, %s: the first counts", async (_, second) => {
    const { db, handle } = await over((connection) => ({
      run: (statement) => twice(connection.run(statement), second) as never,
    }));
    const stored = await db.transaction(async (tx) => {
      const row = await tx.repository(Item).insert().exec({ id: 1, name: "a" });
      return [row, await tx.repository(Item).query().exec()];
    });
    expect(stored).toEqual([{ id: 1, name: "a" }, [{ id: 1, name: "a" }]]);
    expect(handle.prepare("SELECT count(*) AS c FROM items").get()).toEqual({ c: 1 });
    handle.close();
  });

  test("releases late: the call is answered when it did, once, and the next one waits for nothing", async () => {
    let released = 0;
    const { db, handle } = await over((connection) => ({
      release: async (inDoubt) => {
        await new Promise((resolve) => setTimeout(resolve, 20));
        released++;
        await connection.release(inDoubt);
      },
    }));
    for (let id = 1; id <= 3; id++)
      await db.transaction((tx) =>
        tx
          .repository(Item)
          .insert()
          .exec({ id, name: `n${id}` }),
      );
    expect(await db.repository(Item).count().exec()).toBe(3);
    await expect.poll(() => released).toBe(3);
    handle.close();
  });

  test.each([
    ["throws", () => expect.fail("in release")],
    ["rejects", () => Promise.reject(new Error("in release"))],
  ])("release %s: what was stored is stored, and nobody is told otherwise", async (_, fail) => {
    const { db, handle } = await over((connection) => ({
      release: (inDoubt) => {
        void connection.release(inDoubt);
        return fail() as never;
      },
    }));
    const outcome = await db
      .transaction((tx) => tx.repository(Item).insert().exec({ id: 1, name: "a" }))
      .then(
        () => "stored",
        (error: unknown) => error,
      );
    expect(outcome === "stored" || outcome instanceof SqlError).toBe(true);
    expect(handle.prepare("SELECT count(*) AS c FROM items").get()).toEqual({ c: 1 });
    expect(outcome).toBe("stored");
    handle.close();
  });

  test.each([
    ["a text", "no"],
    ["nothing", undefined],
    ["null", null],
    ["a symbol", Symbol("no")],
    ["an error that cannot be read", new Proxy(new Error("no"), { get: () => expect.fail("read") })],
  ])("throws %s: QUERY_FAILED, and nothing is stored", async (_, thrown) => {
    const { db, handle } = await over(() => ({
      run: () => {
        throw thrown;
      },
    }));
    const call = db.transaction((tx) => tx.repository(Item).insert().exec({ id: 1, name: "a" }));
    expect(await sqlErrorOf(call)).toMatchObject({ code: "QUERY_FAILED" });
    expect(handle.prepare("SELECT count(*) AS c FROM items").get()).toEqual({ c: 0 });
    handle.close();
  });

  test.each([[undefined], [null], ["connection"], [{}], [{ run: () => undefined }]])(
    "connect gives %j: QUERY_FAILED, which says so",
    async (connection) => {
      const connect = async () => connection as never;
      const db = databaseOver("sqlite", { ...sqliteDriver(file), connect });
      expect(await sqlErrorOf(db.transaction(async () => 1))).toMatchObject({
        code: "QUERY_FAILED",
        message: expect.stringMatching(/^the driver made a mistake: connect gives a connection with/),
      });
    },
  );

  test.each([
    ["begin", "QUERY_FAILED", 0],
    ["commit", "QUERY_FAILED", 0],
    ["rollback", "CALLBACK_FAILED", 0],
  ])("a failing %s is %s", async (failing, code, stored) => {
    const fails = () => Promise.reject(new Error("no"));
    const { db, handle } = await over((connection) => ({
      begin: (isolation) => (failing === "begin" ? fails() : connection.begin(isolation)),
      control: (command) => (command === failing ? fails() : connection.control(command)),
    }));
    const rows = db.repository(Item);
    if (failing === "rollback")
      rows.onScan(() => {
        throw new Error("no");
      });
    const call = db.transaction((tx) => rows.insert().execTx(tx, { id: 1, name: "a" }));
    expect(await sqlErrorOf(call)).toMatchObject({ code });
    expect(handle.prepare("SELECT count(*) AS c FROM items").get()).toEqual({ c: stored });
    handle.close();
  });
});

test("a Bound whose table has changed or gone since is an error with its place, and all is undone", async () => {
  const before = table("things", z.object({ id: column(z.int(), { primaryKey: true }), a: z.int() }));
  const handle = new Sqlite(":memory:");
  const db = sqlite(handle);
  await db.createTables(before);
  const things = db.repository(before);
  const [insert, query] = [things.insert().bind({ id: 1, a: 1 }), things.query().bind()];
  expect(await db.atomic([insert, query])).toEqual([{ id: 1, a: 1 }, [{ id: 1, a: 1 }]]);
  await db.sql("DELETE FROM things").exec();
  handle.exec("ALTER TABLE things RENAME COLUMN a TO b");
  const other = db.sql("INSERT INTO things (id, b) VALUES (5, 5)").bind();
  expect(await sqlErrorOf(db.atomic([other, query]))).toMatchObject({ code: "QUERY_FAILED", index: 1 });
  handle.exec("DROP TABLE things");
  expect(await sqlErrorOf(db.atomic([query]))).toMatchObject({ code: "QUERY_FAILED", index: 0 });
  handle.exec("CREATE TABLE things (id INTEGER PRIMARY KEY, a TEXT NOT NULL)");
  handle.exec("INSERT INTO things VALUES (1, 'no number')");
  expect(await sqlErrorOf(db.atomic([query]))).toMatchObject({ code: "DECODE_FAILED", index: 0 });
  handle.close();
});
