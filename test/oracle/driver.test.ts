/**
 * The driver under the classes of `oracledb` themselves, which check what they are given; what would go to a server is
 * kept, and every statement of it is judged.
 */
import type oracledbTypes from "oracledb";
import { column, json, table } from "rowtype";
import { type OraclePool, oracle } from "rowtype/oracle";
import { beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { createPeople, Person, people, Team } from "../kit/people.js";
import { sqlErrorOf } from "../kit/thrown.js";
import { driverName, OUT } from "./internals.js";
import { judgeOracle, ORACLE_WARM_UP_MS, warmUpOracle } from "./judge.js";
import { Empty, type Recording, recording, serverError } from "./recording.js";

// What the application would import.
const { default: oracledb }: { readonly default: typeof oracledbTypes } = await import(driverName);

const Value = table(
  "edge values",
  z.object({
    id: column(z.int(), { primaryKey: true, generated: "byDefault" }),
    text: z.string().nullable(),
    float: z.number().nullable(),
    big: z.bigint().nullable(),
    flag: z.boolean().nullable(),
    date: z.date().nullable(),
    bytes: z.instanceof(Uint8Array).nullable(),
    hash: column(z.instanceof(Uint8Array).nullable(), { index: true }),
    list: z.array(z.string()).nullable(),
    doc: json(z.object({ a: z.string() })).nullable(),
    amount: column(z.string().nullable(), { type: "decimal(20,4)" }),
    code: column(z.string().nullable(), { type: { oracle: "VARCHAR2(5000 CHAR)" } }),
    essay: column(z.string().nullable(), { type: { oracle: "CLOB" } }),
  }),
);

test("a pool of the driver's own types fits", () => {
  // A check of the compiler: it is never called.
  const open = (pool: oracledbTypes.Pool): OraclePool => pool;
  expect(open).toBeTypeOf("function");
  expect([oracledb.BIND_OUT, oracledb.OUT_FORMAT_ARRAY]).toEqual([OUT, 4001]);
});

test("without a pool nothing is executed", async () => {
  expect(oracle().repository(Team).count().render().native.sql).toBe('SELECT COUNT(*) FROM "teams"');
  expect(await sqlErrorOf(oracle().repository(Team).count().exec())).toMatchObject({ code: "NO_CONNECTION" });
});

/** The descriptions of a call's variables that the driver received. */
const variables = ({ sent }: Recording, at = 0) =>
  sent[at]?.binds.map(({ name, dir, type, maxSize, values }) =>
    dir === OUT
      ? [name, type.name, ...(maxSize === undefined ? [] : [maxSize])]
      : [name, type.name, values[0] ?? null],
  );

describe("values", () => {
  const date = new Date("2024-03-10T02:30:00.123Z");
  const bytes = new Uint8Array([1, 2]);

  test("are bound with a lossless type", async () => {
    const record = recording();
    const values = oracle(record.pool).repository(Value);
    const full = {
      id: 7,
      text: "x",
      float: 0.1,
      big: 2n ** 62n,
      flag: true,
      date,
      bytes,
      hash: bytes,
      list: ["a"],
      doc: { a: "b" },
      amount: "12.5000",
    };
    await sqlErrorOf(values.insert().exec(full));
    expect(variables(record)?.slice(0, 11)).toEqual([
      ["p0", "DB_TYPE_NUMBER", 7],
      ["p1", "DB_TYPE_VARCHAR", "x"],
      ["p2", "DB_TYPE_BINARY_DOUBLE", 0.1],
      ["p3", "DB_TYPE_NUMBER", 2n ** 62n],
      ["p4", "DB_TYPE_NUMBER", 1],
      ["p5", "DB_TYPE_TIMESTAMP_TZ", date],
      ["p6", "DB_TYPE_RAW", Buffer.from(bytes)],
      ["p7", "DB_TYPE_RAW", Buffer.from(bytes)],
      ["p8", "DB_TYPE_VARCHAR", '["a"]'],
      ["p9", "DB_TYPE_VARCHAR", '{"a":"b"}'],
      ["p10", "DB_TYPE_VARCHAR", "12.5000"],
    ]);
  });

  test("are returned through variables without loss", async () => {
    const record = recording();
    await sqlErrorOf(oracle(record.pool).repository(Value).insert().exec({ id: 1 }));
    expect(variables(record)?.slice(1)).toEqual([
      ["o0", "DB_TYPE_VARCHAR", 64],
      ["o1", "DB_TYPE_VARCHAR", 4000],
      ["o2", "DB_TYPE_BINARY_DOUBLE", 200],
      ["o3", "DB_TYPE_VARCHAR", 64],
      ["o4", "DB_TYPE_VARCHAR", 64],
      ["o5", "DB_TYPE_TIMESTAMP_TZ", 200],
      ["o6", "DB_TYPE_BLOB", 200],
      ["o7", "DB_TYPE_RAW", 2000],
      ["o8", "DB_TYPE_CLOB", 200],
      ["o9", "DB_TYPE_CLOB", 200],
      ["o10", "DB_TYPE_VARCHAR", 64],
      ["o11", "DB_TYPE_VARCHAR", 20_000],
      ["o12", "DB_TYPE_CLOB", 200],
    ]);
  });

  test("become large objects if they are too long for SQL, as do empty bytes", async () => {
    const record = recording();
    const values = oracle(record.pool).repository(Value);
    const long = { text: "é".repeat(2_001), bytes: new Uint8Array(2_001), hash: new Uint8Array() };
    await sqlErrorOf(values.insert().exec({ id: 1, ...long }));
    const found = variables(record)?.slice(1, 4);
    expect(found?.map(([, type]) => type)).toEqual(["DB_TYPE_CLOB", "DB_TYPE_BLOB", "DB_TYPE_BLOB"]);
    expect(found?.[2]?.[2]).toBeInstanceOf(Empty);
  });

  test("of many records are bound in one call, a column with one type", async () => {
    const record = recording(({ times }) => (times === undefined ? undefined : { rowsAffected: times }));
    const values = oracle(record.pool).repository(Value);
    const records = [
      { id: 1, text: "é", float: 1, bytes: new Uint8Array(3), list: [], date: null },
      { id: 2, text: "abc", float: 0.5, bytes: new Uint8Array(), list: ["x".repeat(5_000)], date: null },
    ];
    expect(await values.insert().execBatch(records)).toBe(2);
    const [call] = record.sent;
    expect(call).toMatchObject({
      sql: 'INSERT INTO "edge values" ("id", "text", "float", "date", "bytes", "list") VALUES (:p0, :p1, :p2, :p3, :p4, :p5)',
      times: 2,
    });
    expect(call?.binds.map(({ type, maxSize }) => [type.name, maxSize])).toEqual([
      ["DB_TYPE_NUMBER", undefined],
      ["DB_TYPE_VARCHAR", 3],
      ["DB_TYPE_BINARY_DOUBLE", undefined],
      ["DB_TYPE_VARCHAR", 1],
      ["DB_TYPE_BLOB", undefined],
      ["DB_TYPE_CLOB", undefined],
    ]);
  });

  test("of an upsert of many records are sent in two calls, and one by one after a conflict with a concurrent writer", async () => {
    const Mark = table("marks", z.object({ id: column(z.int(), { primaryKey: true }), note: z.string() }));
    const records = [1, 2, 3].map((id) => ({ id, note: "x" }));
    const upsertWith = async (refused: boolean) => {
      const record = recording(({ sql, times }) => {
        if (times === undefined)
          return sql.startsWith("UPDATE") ? { rowsAffected: 1 } : { outBinds: { o0: ["1"], o1: ["x"] } };
        if (sql.startsWith("UPDATE")) return { rowsAffected: 1, dmlRowCounts: [0, 1, 0] };
        if (refused) throw serverError(1, "unique constraint (SCOTT.marks_pkey) violated");
        return { rowsAffected: times, dmlRowCounts: Array(times).fill(1) };
      });
      const marks = oracle(record.pool).repository(Mark);
      expect(await marks.insert().onConflict("id").doUpdate().execBatch(records)).toBeGreaterThan(0);
      return record.sent.map(({ sql, times }) => [times, sql.replace(/ .*/s, "")]);
    };
    const together = [
      [3, "UPDATE"],
      [undefined, "SAVEPOINT"],
      [2, "INSERT"],
    ];
    expect(await upsertWith(false)).toEqual(together);
    const afterwards = await upsertWith(true);
    expect(afterwards.slice(0, 6)).toEqual([
      ...together,
      [undefined, "ROLLBACK"],
      [undefined, "UPDATE"],
      [undefined, "SELECT"],
    ]);
  });

  test("an object in the place of a value never reaches the driver", async () => {
    const record = recording();
    // biome-ignore lint/suspicious/noExplicitAny: an untyped caller.
    const values: any = oracle(record.pool).repository(Value);
    const descriptor = { dir: OUT, type: "SYS.X", val: 1 };
    for (const field of ["text", "float", "date", "bytes"])
      expect(await sqlErrorOf(values.count().where(field, "=", "x").exec({ x: descriptor }))).toMatchObject({
        code: "PARAM_TYPE",
      });
    expect(record.sent).toEqual([]);
  });

  test.each([
    ["a comparison", (of: Values) => of.count().where("text", "=", "x").exec({ x: "" })],
    [
      "a list",
      (of: Values) =>
        of
          .count()
          .where("text", "NOT IN", "x")
          .exec({ x: ["a", ""] }),
    ],
    ["a pattern", (of: Values) => of.count().where("text", "NOT LIKE", "x").exec({ x: "" })],
    ["a range", (of: Values) => of.count().whereBetween("text", "x", "y").exec({ x: "", y: "z" })],
  ])("empty text, which is NULL here, is refused in %s", async (_, call) => {
    const record = recording();
    expect(await sqlErrorOf(call(oracle(record.pool).repository(Value)))).toMatchObject({
      code: "PARAM_TYPE",
      param: "x",
    });
    expect(record.sent).toEqual([]);
  });

  test("empty text is refused in a non-nullable column, and NULL in a nullable one", async () => {
    const record = recording();
    const db = oracle(record.pool);
    expect(await sqlErrorOf(db.repository(Team).insert().exec({ id: 1, title: "" }))).toMatchObject({
      code: "PARAM_TYPE",
      param: "title",
    });
    const rename = db.repository(Team).modify().set("title", "t").where("id", "=", "id");
    expect(await sqlErrorOf(rename.exec({ t: "", id: 1 }))).toMatchObject({ code: "PARAM_TYPE", param: "t" });
    expect(record.sent).toEqual([]);
    await sqlErrorOf(db.repository(Value).insert().exec({ id: 1, text: "" }));
    expect(variables(record)?.[1]).toEqual(["p1", "DB_TYPE_VARCHAR", null]);
  });
});
type Values = ReturnType<typeof valuesOf>;
const valuesOf = (db: ReturnType<typeof oracle>) => db.repository(Value);

describe("transactions", () => {
  const texts = ({ sent }: Recording) => sent.map(({ sql }) => sql);

  test("a single statement commits with its own call and returns its connection", async () => {
    const record = recording();
    await oracle(record.pool).repository(Team).remove().where("id", "=", "id").exec({ id: 1 });
    expect(record.sent).toMatchObject([{ autoCommit: true }]);
    expect(record.told).toEqual(["close"]);
  });

  test("a native text gets its values by position, and commits with its own call outside a transaction alone", async () => {
    const record = recording();
    const db = oracle(record.pool);
    const text = "UPDATE jobs SET name = :0 WHERE id = :1";
    expect(await db.native(text, ["one", 1])).toEqual({ rows: [], affected: 1 });
    expect(await db.transaction((tx) => tx.native(text, ["two", 2]))).toEqual({ rows: [], affected: 1 });
    expect(record.sent.map(({ sql, autoCommit }) => [sql, autoCommit])).toEqual([
      [text, true],
      [text, false],
    ]);
    expect(record.sent.map(({ binds }) => binds.map(({ values }) => values[0]))).toEqual([
      ["one", 1],
      ["two", 2],
    ]);
    expect(record.told).toEqual(["close", "commit", "close"]);
  });

  test("begin with their level, hold savepoints by depth, and end once", async () => {
    const record = recording();
    const db = oracle(record.pool);
    const gone = db.repository(Team).remove().where("id", "=", "id");
    await db.transaction(
      async (tx) => {
        await gone.exec({ id: 1 }, { tx });
        await tx.transaction(async (inner) => {
          await inner.transaction((innermost) => gone.exec({ id: 3 }, { tx: innermost }));
          const undone = inner.transaction(() => Promise.reject(new Error("undone")));
          await expect(undone).rejects.toThrow("undone");
        });
        await tx.transaction((inner) => gone.exec({ id: 4 }, { tx: inner }));
      },
      { isolation: "repeatable read" },
    );
    expect(texts(record)).toEqual([
      "SET TRANSACTION ISOLATION LEVEL SERIALIZABLE",
      'DELETE FROM "teams" WHERE "id" = :p0',
      "SAVEPOINT rowtype_1",
      "SAVEPOINT rowtype_2",
      'DELETE FROM "teams" WHERE "id" = :p0',
      "SAVEPOINT rowtype_2",
      "ROLLBACK TO SAVEPOINT rowtype_2",
      "SAVEPOINT rowtype_1",
      'DELETE FROM "teams" WHERE "id" = :p0',
    ]);
    expect(record.sent.some(({ autoCommit }) => autoCommit)).toBe(false);
    expect(record.told).toEqual(["commit", "close"]);
  });

  test("a lost connection is dropped, and a loss during COMMIT leaves the outcome unknown", async () => {
    const lost = (word: string) =>
      recording(({ sql }) => {
        if (sql.startsWith(word)) throw serverError(3113, "end-of-file on communication channel");
        return undefined;
      });
    const inStatement = lost("DELETE");
    const run = (db: ReturnType<typeof oracle>) =>
      sqlErrorOf(db.transaction((tx) => tx.repository(Team).remove().where("id", "=", "id").exec({ id: 1 })));
    expect(await run(oracle(inStatement.pool))).toMatchObject({ code: "CONNECTION_LOST" });
    expect(inStatement.told).toEqual(["drop"]);
    const atCommit = lost("commit");
    expect(await run(oracle(atCommit.pool))).toMatchObject({ code: "UNKNOWN_OUTCOME" });
    expect(atCommit.told.at(-1)).toBe("drop");
  });

  test("an abort cancels the running call", async () => {
    const controller = new AbortController();
    const record = recording(async ({ sql }) => {
      if (!sql.startsWith("DELETE")) return undefined;
      controller.abort();
      throw serverError(1013, "user requested cancel of current operation");
    });
    const call = oracle(record.pool)
      .repository(Team)
      .remove()
      .where("id", "=", "id")
      .exec({ id: 1 }, { signal: controller.signal });
    expect(await sqlErrorOf(call)).toMatchObject({ code: "ABORTED" });
    expect(record.told).toEqual(["break", "close"]);
  });

  test("types that could not be found are looked for again", async () => {
    let tries = 0;
    const record = recording(({ sql }) => {
      if (/EMPTY_CLOB/.test(sql) && tries++ === 0) throw serverError(12_541, "no listener");
      return undefined;
    });
    const gone = oracle(record.pool).repository(Team).remove().where("id", "=", "id");
    expect(await sqlErrorOf(gone.exec({ id: 1 }))).toMatchObject({ code: "CONNECTION_LOST" });
    expect(await gone.exec({ id: 1 })).toBe(1);
    await gone.exec({ id: 1 });
    expect(tries).toBe(2);
  });
});

describe("errors", () => {
  const Taken = table(
    "stock",
    z.object({ id: column(z.int(), { name: "the_id" }), code: z.string(), other: z.string() }),
    { primaryKey: ["id"], unique: [["code", "other"]] },
  );
  const failing = (error: Error) => {
    const record = recording(({ sql }) => {
      if (sql.startsWith("DELETE")) throw error;
      return undefined;
    });
    return sqlErrorOf(oracle(record.pool).repository(Taken).remove().where("id", "=", "id").exec({ id: 1 }));
  };

  test.each<[number, string, object]>([
    [
      1,
      "unique constraint (SCOTT.stock_pkey) violated",
      { code: "UNIQUE_VIOLATION", constraint: "stock_pkey", fields: ["id"] },
    ],
    [1, "unique constraint (SCOTT.stock_code_other_key) violated", { fields: ["code", "other"] }],
    [
      1,
      "restriccion unica (SCOTT.SYS_C1) violada en la tabla SCOTT.stock columnas (the_id, code)",
      { constraint: "SYS_C1", fields: ["id", "code"] },
    ],
    [1, "unique constraint (SCOTT.SYS_C1) violated", { fields: [] }],
    [
      1400,
      'cannot insert NULL into ("SCOTT"."stock"."the_id")',
      { code: "NOT_NULL_VIOLATION", fields: ["id"] },
    ],
    [
      1407,
      'cannot update ("SCOTT"."stock"."code") to NULL',
      { code: "NOT_NULL_VIOLATION", fields: ["code"] },
    ],
    [2290, "check constraint (SCOTT.SYS_C2) violated", { code: "CHECK_VIOLATION", constraint: "SYS_C2" }],
    [
      2291,
      "integrity constraint (SCOTT.FK) violated - parent key not found",
      { code: "FOREIGN_KEY_VIOLATION" },
    ],
    [
      2292,
      "integrity constraint (SCOTT.FK) violated - child record found",
      { code: "FOREIGN_KEY_VIOLATION" },
    ],
    [60, "deadlock detected while waiting for resource", { code: "DEADLOCK" }],
    [8177, "can't serialize access for this transaction", { code: "SERIALIZATION_FAILURE" }],
    [54, "resource busy and acquire with NOWAIT specified", { code: "LOCK_TIMEOUT" }],
    [30_006, "resource busy; acquire with WAIT timeout expired", { code: "LOCK_TIMEOUT" }],
    [1013, "user requested cancel of current operation", { code: "ABORTED" }],
    [3113, "end-of-file on communication channel", { code: "CONNECTION_LOST" }],
    [28, "your session has been killed", { code: "CONNECTION_LOST" }],
    [12_170, "TNS:Connect timeout occurred", { code: "CONNECTION_LOST" }],
    [942, "table or view does not exist", { code: "QUERY_FAILED" }],
  ])("ORA-%d: %s", async (number, text, facts) => {
    const error = await failing(serverError(number, text));
    expect(error).toMatchObject(facts);
    expect(error.cause).toMatchObject({ errorNum: number });
  });

  // By the numbers that Oracle documents: no server has said them.
  test.each<[number, string, string]>([
    [12_899, 'value too large for column "SCOTT"."stock"."code" (actual: 20, maximum: 10)', "code"],
    [12_899, 'valor demasiado grande para la columna "SCOTT"."stock"."code" (real: 20, maximo: 10)', "code"],
    [1461, "can bind a LONG value only for insert into a LONG column", "other"],
    [1438, "value larger than specified precision allowed for this column", "id"],
    [1722, "invalid number", "day"],
    [1861, "literal does not match format string", "day"],
    [1843, "not a valid month", "day"],
  ])("ORA-%d: %s is about a parameter", async (number, text, param) => {
    const Dated = table(
      "stock",
      z.object({
        id: column(z.int(), { name: "the_id" }),
        code: z.string(),
        other: z.string(),
        day: column(z.string(), { type: { oracle: "DATE" } }),
      }),
    );
    const record = recording(({ sql }) => {
      if (sql.startsWith("INSERT")) throw serverError(number, text);
      return undefined;
    });
    const given = { id: 1, code: "s3cret", other: "x".repeat(2_000), day: "s3cret" };
    const error = await sqlErrorOf(oracle(record.pool).repository(Dated).insert().exec(given));
    expect(error).toMatchObject({ code: "PARAM_TYPE", param });
    expect(error.message).not.toContain("s3cret");
  });

  test.each([
    ["NJS-003", "CONNECTION_LOST"],
    ["NJS-040", "CONNECTION_LOST"],
    ["NJS-500", "CONNECTION_LOST"],
    ["NJS-510", "CONNECTION_LOST"],
    ["NJS-065", "NO_CONNECTION"],
    ["NJS-123", "ABORTED"],
    ["NJS-016", "QUERY_FAILED"],
  ])("%s of the driver is %s", async (code, ours) => {
    expect(await failing(Object.assign(new Error(`${code}: some words`), { code }))).toMatchObject({
      code: ours,
    });
  });

  test("contain no text that the server quotes", async () => {
    const text = "unique constraint (SCOTT.K) violated on table SCOTT.stock columns (code)";
    const quoting = `${text}\nORA-03301: row with column values (code:'secret') already exists`;
    const error = await failing(serverError(1, quoting));
    expect(error).toMatchObject({ fields: ["code"] });
    expect(error.message).not.toContain("secret");
  });

  test("of an unreachable server are those of the driver", async () => {
    const pool = await oracledb.createPool({
      user: "u",
      password: "p",
      connectString: "127.0.0.1:1/none",
      poolMin: 0,
    });
    expect(await sqlErrorOf(oracle(pool).repository(Team).count().exec())).toMatchObject({
      code: "CONNECTION_LOST",
      message: expect.stringContaining("NJS-"),
    });
    await pool.close(0);
    expect(await sqlErrorOf(oracle(pool).repository(Team).count().exec())).toMatchObject({
      code: "NO_CONNECTION",
    });
  });
});

describe("every statement that is sent", () => {
  beforeAll(warmUpOracle, ORACLE_WARM_UP_MS);

  const Stock = table(
    "stock",
    z.object({
      shop: z.int(),
      item: z.string(),
      code: column(z.string(), { unique: true }),
      count: column(z.int(), { default: "0", check: "count >= 0", index: true }),
      note: z.string().nullable(),
    }),
    { primaryKey: ["shop", "item"] },
  );

  const work: readonly [string, (db: ReturnType<typeof oracle>) => Promise<unknown>][] = [
    ["tables are created", (db) => createPeople(db)],
    ["tables with composite keys and checks are created", (db) => db.createTables(Stock, Value)],
    ["tables are dropped", (db) => db.dropTables(Person, Team, Stock)],
    [
      "a record is inserted",
      (db) =>
        db
          .repository(Person)
          .insert()
          .exec(people[0] as (typeof people)[0]),
    ],
    ["a record of nothing but defaults is inserted", (db) => db.repository(Value).insert().exec({})],
    [
      "records are inserted together",
      (db) =>
        db
          .repository(Value)
          .insert()
          .execBatch([{ id: 1 }, { id: 2 }]),
    ],
    ["decimals come back", (db) => db.repository(Value).insert().exec({ amount: "1.5" })],
    [
      "rows are updated",
      (db) =>
        db
          .repository(Value)
          .modify()
          .set("text", "t")
          .setExpr("float", "/", "n")
          .where("list", "=", "list")
          .execMany({
            t: "x",
            n: 3,
            list: ["a"],
          }),
    ],
    [
      "rows are removed",
      (db) =>
        db
          .repository(Value)
          .remove()
          .where("bytes", "!=", "b")
          .execMany({ b: new Uint8Array([1]) }),
    ],
    [
      "lists of more than a thousand",
      (db) =>
        db
          .repository(Value)
          .query()
          .where("id", "NOT IN", "ids")
          .exec({ ids: Array.from({ length: 2_500 }, (_, i) => i) }),
    ],
    [
      "an upsert",
      (db) =>
        db
          .repository(Stock)
          .insert()
          .onConflict("code")
          .doUpdate()
          .set("note", "mark")
          .exec({ shop: 1, item: "a", code: "c" }, { mark: "m" }),
    ],
    [
      "an insert that leaves a row alone",
      (db) =>
        db
          .repository(Stock)
          .insert()
          .onConflict("shop", "item")
          .doNothing()
          .exec({ shop: 1, item: "a", code: "c" }),
    ],
    [
      "an aggregate",
      (db) =>
        db
          .repository(Person)
          .sum("balance")
          .where("photo", "=", "p")
          .exec({ p: new Uint8Array([1]) }),
    ],
    [
      "levels",
      (db) =>
        db.transaction(
          async (tx) => tx.transaction(() => Promise.reject(new Error("undo")).catch(() => undefined)),
          { isolation: "read committed" },
        ),
    ],
  ];

  test.each(work)("is Oracle's: %s", async (_, run) => {
    // The first attempt of each insert conflicts with a concurrent writer, if one could have inserted its row.
    const rivals = new Set<string>();
    const record = recording(({ sql, times }) => {
      if (/^UPDATE "stock"/.test(sql)) return { rowsAffected: rivals.size > 0 ? 1 : 0 };
      if (/^INSERT INTO "stock"/.test(sql) && !rivals.has(sql)) {
        rivals.add(sql);
        throw serverError(1, "unique constraint (SCOTT.K) violated");
      }
      return times === undefined ? undefined : { rowsAffected: times };
    });
    await run(oracle(record.pool)).catch((error: unknown) => {
      // No row comes back from a record of calls.
      expect(error).toMatchObject({ code: "NO_ROWS" });
    });
    expect(record.sent).not.toEqual([]);
    for (const { sql, binds } of record.sent)
      await judgeOracle(
        sql,
        binds.filter(({ dir }) => dir !== OUT).map(({ name }) => name),
      );
  });
});
