/** `native`: the client's own texts, values and rows, in our transactions. */
import { column, type Database, on, type SqlEvents, table, value } from "rowtype";
import { postgres } from "rowtype/postgres";
import { recording } from "rowtype/testing";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { mariadb } from "../../../src/sql/dialect/mariadb/grammar.js";
import { postgres as postgresGrammar } from "../../../src/sql/dialect/postgres/grammar.js";
import { sqlite } from "../../../src/sql/dialect/sqlite/grammar.js";
import { type Lent, servers } from "../../servers.js";

const [postgresServer, mariadbServer] = ["postgres", "mariadb"].map((one) =>
  servers.find(({ name }) => name === one),
);

const grammars = { postgres: postgresGrammar, mariadb, sqlite };

const Job = table(
  "native_jobs",
  z.object({ id: column(z.int(), { primaryKey: true }), name: column(z.string(), { unique: true }) }),
);

// Of Oracle's stand-ins none takes values by position: `oracle/driver.test.ts` says what the client is given.
for (const server of servers.filter(({ name }) => ["postgres", "mariadb", "sqlite"].includes(name)))
  describe.skipIf(!server.available)(`native on ${server.name}`, () => {
    let lent: Lent;
    const db = () => lent.db as unknown as Database<"sqlite">;
    const jobs = () => db().repository(Job);
    /** A text with the placeholders and quotes of the client. */
    const own = (text: string) => {
      let place = 0;
      const quoted = server.name === "mariadb" ? text.replaceAll('"', "`") : text;
      return server.name === "postgres" ? quoted.replace(/\?/g, () => `$${++place}`) : quoted;
    };
    const insert = own('INSERT INTO "native_jobs" ("id", "name") VALUES (?, ?)');
    const select = own('SELECT "id", "name" FROM "native_jobs" WHERE "id" >= ? ORDER BY "id"');

    beforeAll(async () => {
      lent = await server.lend();
      await lent.db.createTables(Job);
    });
    afterEach(() => jobs().remove().where("id", ">", value(0)).execMany());
    afterAll(() => lent.close());

    test("sends the client's text with its values, and gives its rows by name and the number of changed ones", async () => {
      expect(await db().native(insert, [1, "one"])).toEqual({ rows: [], affected: 1 });
      expect(await db().native(insert, [2, "two"])).toEqual({ rows: [], affected: 1 });
      const { rows, affected } = await db().native(select, [1]);
      // `pg` itself gives 64-bit integers as text, and so does mysql2 with the settings of the tests.
      const id = (number: number) => (server.name === "sqlite" ? number : String(number));
      expect(rows.map((row) => ({ ...row }))).toEqual([
        { id: id(1), name: "one" },
        { id: id(2), name: "two" },
      ]);
      expect(affected).toBe(2);
      expect(await db().native(own('UPDATE "native_jobs" SET "name" = "name" WHERE "id" > ?'), [0])).toEqual({
        rows: [],
        affected: 2,
      });
      expect((await db().native(own('SELECT "id" FROM "native_jobs" WHERE "id" < 0'))).rows).toEqual([]);
    });

    test("belongs to the transaction and to its savepoints, with the statements of builders before and behind", async () => {
      await expect(
        db().transaction(async (tx) => {
          await tx.native(insert, [1, "one"]);
          expect(await tx.repository(Job).count().exec()).toBe(1);
          throw new RangeError("no");
        }),
      ).rejects.toThrow(RangeError);
      expect(await jobs().count().exec()).toBe(0);
      await db().transaction(async (tx) => {
        await tx.repository(Job).insert().exec({ id: 1, name: "one" });
        await tx.native(insert, [2, "two"]);
        await tx
          .transaction(async (inner) => {
            await inner.native(insert, [3, "three"]);
            throw new RangeError("no");
          })
          .catch(() => undefined);
        await tx.transaction((inner) => inner.native(insert, [4, "four"]));
        // Side by side they stand in a row.
        await Promise.all([tx.native(insert, [5, "five"]), tx.repository(Job).count().exec()]);
      });
      expect(await jobs().query().fields("id").orderBy("id", "asc").exec()).toEqual(
        [1, 2, 4, 5].map((id) => ({ id })),
      );
    });

    test("an empty transaction that only sends one stores it", async () => {
      await db().transaction((tx) => tx.native(insert, [7, "seven"]));
      expect(await jobs().count().exec()).toBe(1);
    });

    test("is refused after the end, and on the database inside its own transaction", async () => {
      let kept: { native: Database["native"] } | undefined;
      await db().transaction(async (tx) => {
        kept = tx;
        await expect(db().native(insert, [1, "one"])).rejects.toMatchObject({ code: "TRANSACTION_REQUIRED" });
        await tx.transaction(async () => {
          await expect(tx.native(insert, [1, "one"])).rejects.toMatchObject({ code: "TRANSACTION_REQUIRED" });
        });
      });
      await expect(kept?.native(insert, [1, "one"])).rejects.toMatchObject({ code: "TRANSACTION_CLOSED" });
      expect(await jobs().count().exec()).toBe(0);
    });

    test("an error of the server is one of ours, and its transaction is rolled back", async () => {
      await db().native(insert, [1, "one"]);
      await expect(db().native(insert, [2, "one"])).rejects.toMatchObject({ code: "UNIQUE_VIOLATION" });
      await expect(
        db().transaction(async (tx) => {
          await tx.native(insert, [3, "three"]);
          await tx.native(insert, [4, "one"]);
        }),
      ).rejects.toMatchObject({ code: "UNIQUE_VIOLATION" });
      await expect(db().native("SELECTS 1")).rejects.toMatchObject({ code: "QUERY_FAILED" });
      // `node:sqlite` takes a value that is missing for null.
      const missing = process.env["ROWTYPE_SQLITE"] === "node" && server.name === "sqlite";
      await expect(db().native(insert, [9])).rejects.toMatchObject({
        code: missing ? "NOT_NULL_VIOLATION" : "QUERY_FAILED",
      });
      expect(await jobs().count().exec()).toBe(1);
    });

    test("a text that would begin or end a transaction is refused in every disguise, and nothing is sent", async () => {
      const heard: unknown[] = [];
      const off = on("db.query.started", (event) => heard.push(event));
      const { scan } = grammars[server.name as keyof typeof grammars];
      const disguises = [
        (word: string) => word,
        (word: string) => word.toUpperCase(),
        (word: string) => `  \n\t;; ${word} `,
        (word: string) => `-- a comment\n${word}`,
        (word: string) => `/* a comment */ ${word[0]?.toUpperCase()}${word.slice(1)} -- b`,
        (word: string) => `/**//**/${word}/* ; select 1 */`,
        ...(server.name === "postgres" ? [(word: string) => `/* a /* b */ select */ ${word}`] : []),
        ...(server.name === "mariadb"
          ? ["/*!", "/*!50100 ", "/*M!", "/*M!100100 "].map((opens) => (word: string) => `${opens}${word} */`)
          : []),
        ...(server.name === "mariadb" ? [(word: string) => `# a comment\n${word}`] : []),
      ];
      await db()
        .transaction(async (tx) => {
          for (const word of scan.transactionWords)
            for (const disguise of disguises) {
              const text = disguise(word);
              for (const call of [tx.native(text), tx.sql(text).exec()])
                await expect(call, text).rejects.toMatchObject({ code: "TRANSACTION_REQUIRED" });
            }
          expect(heard).toEqual([]);
          await tx.native(insert, [1, "one"]);
          throw new RangeError("no");
        })
        .catch((error: unknown) => expect(error).toBeInstanceOf(RangeError));
      off();
      expect(await jobs().count().exec()).toBe(0);
    });

    test("a second statement is refused, and the first one changes nothing", async () => {
      const first = 'INSERT INTO "native_jobs" ("id", "name") VALUES (1, \'one\')';
      // What looks like the end of a statement, or hides it.
      const hidden = [
        "SELECT ';' AS a",
        'SELECT 1 AS "a;b"',
        "SELECT 'it''s; ' AS a -- ;\n",
        "SELECT 1 /* ; */",
        "/* ; */ -- ;\n SELECT 1",
        ...(server.name === "postgres"
          ? ["SELECT $$;$$", "SELECT $a$ ; $$ $a$", "SELECT E'\\';'", "SELECT 1 /* /* ; */ ; */"]
          : []),
        ...(server.name === "mariadb" ? ["SELECT '\\';'", "SELECT 1 # ;\n", "/*! SELECT 1 */"] : []),
        ...(server.name === "sqlite" ? ["SELECT 1 AS [a;b]", "SELECT 1 AS `a;b`"] : []),
      ].map(own);
      for (const text of hidden) expect((await db().native(text)).rows, text).toHaveLength(1);
      const texts = [
        ...["SELECT 1", "COMMIT", "/* a */ COMMIT", first].map((second) => own(`${first}; ${second}`)),
        ...hidden.map((text) => `${text}; ${own(first)}`),
      ];
      for (const text of texts) {
        await expect(db().native(text), text).rejects.toMatchObject({ code: "QUERY_FAILED" });
        await expect(
          db().transaction((tx) => tx.native(text)),
          text,
        ).rejects.toMatchObject({
          code: "QUERY_FAILED",
        });
      }
      expect(await jobs().count().exec()).toBe(0);
      expect((await db().native(own(`${first} ; -- one`))).affected).toBe(1);
    });

    test("a text and values that are none are refused by name, and so is an option", async () => {
      const { native } = db();
      for (const text of [undefined, null, 1, {}, ["SELECT 1"]])
        await expect(native(text as never)).rejects.toMatchObject({ code: "PARAM_TYPE", param: "text" });
      for (const values of [null, {}, "a", 1, new Uint8Array(1), new Set([1])])
        await expect(native("SELECT 1", values as never)).rejects.toMatchObject({
          code: "PARAM_TYPE",
          param: "values",
        });
      await expect(native("SELECT 1", [], { tx: null } as never)).rejects.toMatchObject({
        code: "DECLARATION",
      });
      await expect(native("SELECT 1", [], { signal: {} as never })).rejects.toMatchObject({
        code: "PARAM_TYPE",
      });
      await expect(native("SELECT 1", [], { signal: AbortSignal.abort() })).rejects.toMatchObject({
        code: "ABORTED",
      });
    });

    test("the events are those of a text, without values", async () => {
      const heard: (SqlEvents["db.query.completed"] | SqlEvents["db.query.failed"])[] = [];
      const offs = [
        on("db.query.completed", (event) => heard.push(event)),
        on("db.query.failed", (event) => heard.push(event)),
      ];
      await db().native(insert, [1, "secret"]);
      await db()
        .native(insert, [1, "secret"])
        .catch(() => undefined);
      for (const off of offs) off();
      expect(heard).toMatchObject([
        { operation: "NATIVE", table: "", sql: insert, rowsReturned: 0, rowsAffected: 1 },
        { operation: "NATIVE", table: "", sql: insert, error: { code: expect.stringMatching(/VIOLATION/) } },
      ]);
      expect(JSON.stringify(heard)).not.toContain("secret");
    });

    test.skipIf(!["postgres", "mariadb"].includes(server.name))(
      "a signal ends a statement that runs, and the connection serves the next",
      async () => {
        const sleeping = server.name === "postgres" ? "SELECT pg_sleep(60)" : "SELECT SLEEP(60)";
        const started = performance.now();
        await expect(db().native(sleeping, [], { signal: AbortSignal.timeout(100) })).rejects.toMatchObject({
          code: "ABORTED",
        });
        expect(performance.now() - started).toBeLessThan(30_000);
        expect((await db().native("SELECT 1")).affected).toBe(1);
      },
    );
  });

describe.skipIf(!postgresServer?.available)("native on postgres, by pg", () => {
  let lent: Lent;
  beforeAll(async () => {
    lent = (await postgresServer?.lend()) as Lent;
  });
  afterAll(() => lent.close());

  test("values are the client's: objects, lists, dates, bytes and undefined; rows are read by its parsers", async () => {
    const at = new Date("2026-01-02T03:04:05.678Z");
    const values = [{ a: 1 }, at, undefined, [1, 2], Buffer.from([0, 255]), 7];
    const text = "SELECT $1::jsonb a, $2::timestamptz b, $3::text c, $4::int[] d, $5::bytea e, $6::int f";
    const expected = [{ a: { a: 1 }, b: at, c: null, d: [1, 2], e: Buffer.from([0, 255]), f: 7 }];
    expect((await lent.db.native(text, values)).rows).toEqual(expected);
    expect((await lent.db.transaction((tx) => tx.native(text, values))).rows).toEqual(expected);
  });

  test("is never repeated, though the database repeats what was rolled back", async () => {
    const db = postgres(lent.pool as never, { retries: 3 });
    await db.native("CREATE SEQUENCE tries");
    const fails = "DO $$ BEGIN PERFORM nextval('tries'); RAISE EXCEPTION USING ERRCODE = '40001'; END $$";
    await expect(db.native(fails)).rejects.toMatchObject({ code: "SERIALIZATION_FAILURE" });
    expect((await db.native("SELECT last_value::int AS tries FROM tries")).rows).toEqual([{ tries: 1 }]);
  });

  test("after a failed statement the transaction cannot be committed", async () => {
    const failing = lent.db.transaction(async (tx) => {
      await tx.native("SELECT 1/0").catch(() => undefined);
    });
    await expect(failing).rejects.toMatchObject({ code: "QUERY_FAILED" });
  });
});

describe.skipIf(!mariadbServer?.available)("native on mariadb, by mysql2", () => {
  let lent: Lent;
  beforeAll(async () => {
    lent = (await mariadbServer?.lend()) as Lent;
  });
  afterAll(() => lent.close());

  test("a text is not kept prepared, and a procedure gives the rows of its first result", async () => {
    const prepared = async () => {
      const { rows } = await lent.db.native("SHOW SESSION STATUS LIKE 'Com_stmt_%'");
      const counts = new Map(rows.map((row) => [row["Variable_name"], Number(row["Value"])]));
      return (counts.get("Com_stmt_prepare") ?? 0) - (counts.get("Com_stmt_close") ?? 0);
    };
    await lent.db.transaction(async (tx) => {
      for (let i = 0; i < 50; i++)
        expect((await tx.native(`SELECT ? + ${i} AS n`, [1])).rows).toHaveLength(1);
    });
    expect(await prepared()).toBeLessThan(10);
    await lent.db.native("CREATE PROCEDURE two() BEGIN SELECT 'a' AS one; SELECT 2 AS two; END");
    expect((await lent.db.native("CALL two()")).rows).toEqual([{ one: "a" }]);
  });

  test("a statement with which the server ends the transaction closes it", async () => {
    const ending = lent.db.transaction(async (tx) => {
      await tx.native("CREATE TABLE native_ended (id INT)");
      await tx.native("INSERT INTO native_ended VALUES (1)");
    });
    await expect(ending).rejects.toMatchObject({ code: "TRANSACTION_CLOSED" });
    expect((await lent.db.native("SELECT * FROM native_ended")).rows).toEqual([]);
  });
});

describe("native without a server", () => {
  test("a database without a handle has no connection", async () => {
    await expect(postgres().native("SELECT 1")).rejects.toMatchObject({ code: "NO_CONNECTION" });
  });

  test("a recording answers with the given rows unchanged, and records text and values as they are", async () => {
    const date = new Date(0);
    const answer = [{ id: "7", at: date, none: undefined }];
    const db = recording("postgres", [answer]);
    const values = [{ a: 1 }, date, undefined];
    const { rows, affected } = await db.native("SELECT send($1, $2, $3)", values);
    expect(rows[0]).toBe(answer[0]);
    expect(affected).toBe(1);
    expect(db.statements).toEqual([{ sql: "SELECT send($1, $2, $3)", params: values }]);
    await db.transaction((tx) => tx.native("SELECT 1"));
    expect(db.transactions).toEqual([
      { outcome: "committed", statements: [{ sql: "SELECT 1", params: [] }] },
    ]);
  });
});
