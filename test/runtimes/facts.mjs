/**
 * What the clients of SQLite do by themselves, on the runtime that has them, and what rowtype makes of it. Each fact is a
 * line, as in `program.mjs`. A fact that a later version no longer shows fails, and so says what could be left out.
 */
import assert from "node:assert/strict";
import { column, table } from "rowtype";
import { sqlite } from "rowtype/sqlite";
import { z } from "zod";

const WIDE = 9007199254740993n;
const { Bun: bun, Deno: deno } = globalThis;
const runtime = bun
  ? `Bun ${bun.version}`
  : deno
    ? `Deno ${deno.version.deno}`
    : `Node ${process.versions.node}`;

const codeOf = (work) =>
  Promise.resolve()
    .then(work)
    .then(
      () => "no error",
      ({ code }) => code,
    );
const thrownBy = (work) => {
  try {
    work();
  } catch (error) {
    return error;
  }
  throw new Error("nothing was thrown");
};
const rowsOf = (db, text, params = {}) => db.sql(text, z.looseObject({})).exec(params);
const Item = table(
  "items",
  z.object({
    id: column(z.int(), { primaryKey: true }),
    wide: z.bigint().nullable(),
    name: column(z.string().nullable(), { unique: true }),
  }),
);
/** On every client: what rowtype gives. `open` opens an empty database in memory. */
const everywhere = {
  "64 bits are exact, both ways": async (open) => {
    const db = sqlite(open());
    await db.createTables(Item);
    const items = db.repository(Item);
    for (const [id, wide] of [WIDE, 2n ** 63n - 1n, -(2n ** 63n)].entries()) {
      assert.equal((await items.insert().exec({ id, wide, name: null })).wide, wide);
      const found = await items.query().where("wide", "=", "wide").exec({ wide });
      assert.deepEqual(found, [{ id, wide, name: null }]);
    }
    assert.equal(
      await codeOf(() => items.insert().exec({ id: 9, wide: 2n ** 63n, name: null })),
      "PARAM_TYPE",
    );
    const int = db.sql("SELECT 9007199254740993 AS wide", z.object({ wide: z.int() }));
    assert.equal(await codeOf(() => int.exec()), "DECODE_FAILED");
  },
  "a whole number is bound as REAL, and a bigint as INTEGER": async (open) => {
    const db = sqlite(open());
    const text = "SELECT typeof(:n) AS type, :n / 2 AS half, json_array(:n) AS list";
    assert.deepEqual(await rowsOf(db, text, { n: 5 }), [{ type: "real", half: 2.5, list: "[5.0]" }]);
    assert.deepEqual(await rowsOf(db, text, { n: 5n }), [{ type: "integer", half: 2, list: "[5]" }]);
  },
  "a second statement is QUERY_FAILED, and nothing is executed": async (open) => {
    const db = sqlite(open());
    await db.createTables(Item);
    for (const text of [
      "INSERT INTO items (id) VALUES (1); SELECT 1",
      "INSERT INTO items (id) VALUES (1) /* ; */; /* a */ SELECT ';'",
      "SELECT ';' AS a -- b\n; INSERT INTO items (id) VALUES (1)",
    ]) {
      assert.equal(await codeOf(() => db.sql(text).exec()), "QUERY_FAILED");
      assert.equal(await codeOf(() => db.native(text)), "QUERY_FAILED");
    }
    assert.equal(await db.repository(Item).count().exec(), 0);
    assert.deepEqual(await rowsOf(db, "SELECT 1 AS a; -- b"), [{ a: 1 }]);
  },
  "a violated constraint has its code and its fields": async (open) => {
    const db = sqlite(open());
    await db.createTables(Item);
    const items = db.repository(Item);
    await items.insert().exec({ id: 1, wide: null, name: "a" });
    const twice = await items
      .insert()
      .exec({ id: 2, wide: null, name: "a" })
      .catch((error) => error);
    assert.deepEqual([twice.code, twice.fields], ["UNIQUE_VIOLATION", ["name"]]);
    const absent = await rowsOf(db, "SELECT absent").catch((error) => error);
    assert.deepEqual(
      [absent.code, absent.message],
      ["QUERY_FAILED", "no such column: absent (SQLITE_ERROR)"],
    );
  },
  "a closed handle is NO_CONNECTION": async (open) => {
    const handle = open();
    const db = sqlite(handle);
    await db.createTables(Item);
    const query = db.repository(Item).query();
    await query.exec();
    handle.close();
    for (const call of [() => query.exec(), () => db.native("SELECT 1"), () => db.transaction(async () => 1)])
      assert.equal(await codeOf(call), "NO_CONNECTION");
  },
  "ceil, floor, sqrt and power are there": async (open) => {
    const text = "SELECT ceil(1.2) AS a, floor(1.8) AS b, sqrt(9) AS c, power(2, 3) AS d";
    assert.deepEqual(await rowsOf(sqlite(open()), text), [{ a: 2, b: 1, c: 3, d: 8 }]);
  },
  "a Date, undefined and an object are no values of a parameter by accident": async (open) => {
    const db = sqlite(open());
    assert.deepEqual(await rowsOf(db, "SELECT :at AS at", { at: new Date(0) }), [
      { at: "1970-01-01 00:00:00.000" },
    ]);
    for (const bad of [undefined, { n: 1 }, Symbol("n"), () => 1]) {
      const code = await codeOf(() => rowsOf(db, "SELECT :n AS n", { n: bad }));
      assert.ok(["PARAM_TYPE", "MISSING_PARAM"].includes(code), `${typeof bad}: ${code}`);
    }
  },
};

/** `node:sqlite` alone, in Node and in Deno. */
const ofNode = {
  "throws ERR_OUT_OF_RANGE for an integer beyond 2^53, unless it reads bigints": (open) => {
    const statement = open().prepare(`SELECT ${WIDE} AS wide`);
    assert.equal(thrownBy(() => statement.all()).code, "ERR_OUT_OF_RANGE");
    statement.setReadBigInts(true);
    assert.equal(statement.all()[0].wide, WIDE);
  },
  "executes the first of two statements and leaves the second out": (open) => {
    const handle = open();
    handle.exec("CREATE TABLE t (a)");
    handle.prepare("INSERT INTO t VALUES (1); INSERT INTO t VALUES (2)").run();
    assert.equal(handle.prepare("SELECT count(*) AS n FROM t").get().n, 1);
  },
  "binds a number as REAL": (open) => {
    assert.equal(open().prepare("SELECT typeof(?) AS t").get(5).t, "real");
  },
  "takes an object as the first value for named parameters": (open) => {
    assert.equal(open().prepare("SELECT :a AS a").get({ a: "b" }).a, "b");
  },
  "binds a Date as NULL, because it takes the first object for named parameters": (open) => {
    assert.equal(open().prepare("SELECT ? AS a").get(new Date(0)).a, null);
  },
  "gives the extended number of an error, and the code ERR_SQLITE_ERROR": (open) => {
    const handle = open();
    handle.exec("CREATE TABLE t (a UNIQUE); INSERT INTO t VALUES (1)");
    const { code, errcode } = thrownBy(() => handle.prepare("INSERT INTO t VALUES (1)").run());
    assert.deepEqual([code, errcode], ["ERR_SQLITE_ERROR", 2067]);
  },
  "gives functions bigints where it is told to": (open) => {
    const handle = open();
    const types = [];
    const note = (value) => types.push(typeof value);
    handle.function("note", { useBigIntArguments: true }, note);
    handle.prepare("SELECT note(5)").get();
    assert.deepEqual(types, ["bigint"]);
  },
  "has isTransaction, columns() and setReturnArrays": (open) => {
    const handle = open();
    assert.equal(handle.isTransaction, false);
    const statement = handle.prepare("SELECT 1 AS a, 2 AS a");
    assert.deepEqual(
      statement.columns().map(({ name }) => name),
      ["a", "a"],
    );
    statement.setReturnArrays(true);
    assert.deepEqual(statement.all(), [[1, 2]]);
  },
};

const ofDeno = {
  "has no math functions": (open) => {
    for (const call of ["ceil(1.5)", "floor(1.5)", "sqrt(9)", "power(2, 3)"])
      assert.match(thrownBy(() => open().prepare(`SELECT ${call}`)).message, /no such function/);
  },
};

const ofBun = {
  "rounds bigints on the way in and out, unless the statement says safeIntegers": (open) => {
    const handle = open();
    assert.equal(handle.prepare(`SELECT ${WIDE} AS wide`).get().wide, 9007199254740992);
    const statement = handle.prepare("SELECT ? AS wide");
    assert.notEqual(BigInt(statement.get(WIDE).wide), WIDE);
    statement.safeIntegers(true);
    assert.equal(statement.get(WIDE).wide, WIDE);
  },
  "binds 5 as INTEGER": (open) => {
    assert.equal(open().prepare("SELECT typeof(?) AS t").get(5).t, "integer");
  },
  "wraps 2^63, unless the statement says safeIntegers": (open) => {
    const statement = open().prepare("SELECT CAST(? AS TEXT) AS wide");
    assert.equal(statement.get(2n ** 63n).wide, "-9223372036854775808");
    statement.safeIntegers(true);
    assert.throws(() => statement.get(2n ** 63n), RangeError);
  },
  "leaves the second statement out": (open) => {
    const handle = open();
    handle.exec("CREATE TABLE t (a)");
    handle.prepare("INSERT INTO t VALUES (1); INSERT INTO t VALUES (2)").run();
    assert.equal(handle.prepare("SELECT count(*) AS n FROM t").get().n, 1);
  },
  "has columnNames and values()": (open) => {
    const statement = open().prepare("SELECT 1 AS a, 2 AS b");
    assert.deepEqual(statement.columnNames, ["a", "b"]);
    assert.deepEqual(statement.values(), [[1, 2]]);
  },
  "gives errors as better-sqlite3": (open) => {
    const handle = open();
    handle.exec("CREATE TABLE t (a UNIQUE)");
    handle.exec("INSERT INTO t VALUES (1)");
    assert.equal(
      thrownBy(() => handle.prepare("INSERT INTO t VALUES (1)").run()).code,
      "SQLITE_CONSTRAINT_UNIQUE",
    );
  },
  "throws a RangeError for a closed handle": (open) => {
    const handle = open();
    handle.close();
    assert.ok(thrownBy(() => handle.prepare("SELECT 1")) instanceof RangeError);
  },
};

/** What opens a database in memory here, and what is known of its client. */
async function clientHere() {
  if (bun) {
    const { Database } = await import("bun:sqlite");
    return { client: "bun:sqlite", open: () => new Database(":memory:"), facts: ofBun };
  }
  const [major, minor] = process.versions.node.split(".").map(Number);
  if (deno || major > 22 || (major === 22 && minor >= 16)) {
    const { DatabaseSync } = await import("node:sqlite");
    const facts = deno ? { ...ofNode, ...ofDeno } : ofNode;
    return { client: "node:sqlite", open: () => new DatabaseSync(":memory:"), facts };
  }
  const { default: Sqlite } = await import("better-sqlite3");
  return { client: "better-sqlite3", open: () => new Sqlite(":memory:"), facts: {} };
}

const { client, open, facts } = await clientHere();
let failed = false;
const lists = { [`${client} alone`]: facts, [`rowtype over ${client}`]: everywhere };
for (const [title, list] of Object.entries(lists))
  for (const [name, check] of Object.entries(list)) {
    try {
      await check(open);
      console.log(`${runtime} · ${title} ${name}: ok`);
    } catch (error) {
      failed = true;
      console.log(`${runtime} · ${title} ${name}: failed\n${error.stack}`);
    }
  }
process.exit(failed ? 1 : 0);
