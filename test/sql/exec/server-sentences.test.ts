/**
 * What a server says of a statement reaches the error where it cannot hold a value; everywhere else the sentence is
 * ours. The driver's own error is the cause in every case.
 */
import { type Database, QueryError, UnsupportedError } from "rowtype";
import { recording } from "rowtype/testing";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { z } from "zod";
import { sqlErrorOf } from "../../kit/thrown.js";
import { type Lent, type Server, servers } from "../../servers.js";

type Dialects = Partial<Record<Server["name"], string>>;
type Said = readonly [
  title: string,
  text: string | Dialects,
  sentence: Partial<Record<Server["name"], RegExp>>,
];

const said: readonly Said[] = [
  [
    "an unknown column",
    "SELECT agee FROM people_x",
    {
      postgres: /^column "agee" does not exist \(SQLSTATE 42703\)$/,
      mariadb: /^Unknown column 'agee' in '[^']+' \(error 1054, SQLSTATE 42S22\)$/,
      sqlite: /^no such column: agee \(SQLITE_ERROR\)$/,
    },
  ],
  [
    "an unknown column of a table by its name",
    "SELECT p.agee FROM people_x p WHERE p.id = :id",
    {
      postgres: /^column p\.agee does not exist/,
      mariadb: /^Unknown column 'p\.agee' in/,
      sqlite: /^no such column: p\.agee/,
    },
  ],
  [
    "an unknown table",
    "SELECT id FROM nowhere_9",
    {
      postgres: /^relation "nowhere_9" does not exist \(SQLSTATE 42P01\)$/,
      mariadb: /^Table '\w+\.nowhere_9' doesn't exist \(error 1146/,
      sqlite: /^no such table: nowhere_9 \(SQLITE_ERROR\)$/,
    },
  ],
  [
    "an unknown function",
    "SELECT frobnicate_2(id) FROM people_x",
    {
      postgres: /^function frobnicate_2\(integer\) does not exist/,
      mariadb: /^FUNCTION \w+\.frobnicate_2 does not exist/,
      sqlite: /^no such function: frobnicate_2/,
    },
  ],
  [
    "wrong syntax",
    "SELECT id FORM people_x WHERE",
    {
      postgres: /^syntax error at or near "people_x"/,
      mariadb: /^You have an error in your SQL syntax/,
      sqlite: /^near "people_x": syntax error/,
    },
  ],
  [
    "a text that ends too early",
    "SELECT id FROM",
    { postgres: /^syntax error at end of input/, sqlite: /^incomplete input/ },
  ],
  [
    "an ambiguous column",
    "SELECT id FROM people_x a JOIN people_x b ON a.id = b.id",
    {
      postgres: /^column reference "id" is ambiguous/,
      mariadb: /^Column 'id' in .* is ambiguous/,
      sqlite: /^ambiguous column name: id/,
    },
  ],
  [
    "a column beside groups",
    "SELECT name, count(*) FROM people_x GROUP BY id + 1",
    {
      postgres:
        /^column "people_x\.name" must appear in the GROUP BY clause or be used in an aggregate function/,
    },
  ],
  [
    "a table that is there",
    "CREATE TABLE people_x (id integer)",
    {
      postgres: /^relation "people_x" already exists/,
      mariadb: /^Table 'people_x' already exists/,
      sqlite: /^table people_x already exists/,
    },
  ],
  [
    "a column twice",
    "CREATE TABLE twice_x (a integer, a integer)",
    {
      postgres: /^column "a" specified more than once/,
      mariadb: /^Duplicate column name 'a'/,
      sqlite: /^duplicate column name: a/,
    },
  ],
  [
    "types that have no operator",
    "SELECT id FROM people_x WHERE id = name",
    { postgres: /^operator does not exist: integer = text/ },
  ],
  [
    "what the server does not do",
    "SELECT DISTINCT id FROM people_x FOR UPDATE",
    { postgres: /^FOR UPDATE is not allowed with DISTINCT clause/ },
  ],
  [
    "a number of columns that differs",
    "SELECT id FROM people_x UNION SELECT id, name FROM people_x",
    {
      postgres: /^each UNION query must have the same number of columns/,
      mariadb: /^The used SELECT statements have a different number of columns/,
      sqlite: /^SELECTs to the left and right of UNION do not have the same number of result columns/,
    },
  ],
];

const secret = "Hunter2_top Secret";
// A value where a server looks for a name, a pattern or a path, and repeats what it found.
const hostile: Partial<Record<Server["name"], readonly string[]>> = {
  postgres: [
    "SELECT nextval(:v) AS x",
    "SELECT :v::regclass AS x",
    "SELECT :v::regoper AS x",
    "SELECT :v::regtype AS x",
    "SELECT :v::regprocedure AS x",
    "SELECT to_tsquery(:v || ' & &')::text AS x",
    "SELECT jsonb_path_query('{}'::jsonb, :v::jsonpath)::text AS x",
    "SELECT current_setting(:v) AS x",
    "SELECT :v::int AS x",
    "SELECT :v::timestamptz AS x",
    "SELECT date_trunc(:v, now()) AS x",
    "SELECT has_table_privilege(:v, 'people_x', 'SELECT') AS x",
    "SELECT raised(:v) AS x",
    "SELECT lo_get(length(:v)::oid)::text AS x",
    "SELECT query_to_xml(:v, true, true, '')::text AS x",
  ],
  mariadb: [
    "SET @@session.sql_mode = :v",
    "SET @@session.collation_connection = :v",
    "SET default_storage_engine = :v",
    "SET character_set_client = :v",
    "EXECUTE IMMEDIATE :v",
    "SELECT 'a' REGEXP CONCAT('(', :v) AS x",
    "INSERT INTO signals_x (v) VALUES (:v)",
  ],
  sqlite: [
    "SELECT json_extract('{}', :v) AS x",
    "SELECT v FROM words_x WHERE words_x MATCH :v || ':a'",
    "SELECT v FROM words_x WHERE words_x MATCH '\"' || :v",
    "SELECT load_extension(:v) AS x",
    "INSERT INTO signals_x (v) VALUES (:v)",
  ],
};

const setUp: Partial<Record<Server["name"], readonly string[]>> = {
  postgres: [
    `CREATE FUNCTION raised(v text) RETURNS text LANGUAGE plpgsql AS
      $$ BEGIN RAISE EXCEPTION 'denied to %', v USING ERRCODE = '42501'; END $$`,
  ],
  mariadb: [
    "CREATE TABLE signals_x (v varchar(100))",
    `CREATE TRIGGER signals_t BEFORE INSERT ON signals_x FOR EACH ROW
      BEGIN
        DECLARE said varchar(200) DEFAULT CONCAT('denied to ', NEW.v);
        SIGNAL SQLSTATE '42000' SET MESSAGE_TEXT = said;
      END`,
  ],
  sqlite: [
    "CREATE VIRTUAL TABLE words_x USING fts5(v)",
    "CREATE TABLE signals_x (v text)",
    "CREATE TRIGGER signals_t BEFORE INSERT ON signals_x BEGIN SELECT RAISE(ABORT, 'denied'); END",
  ],
};

for (const server of servers.filter(({ name }) => name !== "h2" && name !== "oracle"))
  describe.skipIf(!server.available)(`the messages of ${server.name}`, () => {
    let lent: Lent;
    let db: Database<"sqlite">;
    beforeAll(async () => {
      lent = await server.lend();
      db = lent.db as unknown as Database<"sqlite">;
      await lent.run("CREATE TABLE people_x (id integer primary key, name text)");
      for (const statement of setUp[server.name] ?? [])
        await (lent.mysqlPool?.query(statement) ?? lent.run(statement));
    });
    afterAll(() => lent.close());

    for (const [title, text, sentences] of said) {
      const sql = typeof text === "string" ? text : text[server.name];
      const sentence = sentences[server.name];
      if (sql === undefined || sentence === undefined) continue;
      test(`${title}: the server's own words`, async () => {
        const params = sql.includes(":id") ? { id: 1 } : {};
        const error = await sqlErrorOf(db.sql(sql, z.looseObject({})).exec(params as never));
        expect(error).toMatchObject({ code: "QUERY_FAILED", cause: expect.any(Error) });
        expect(error.message).toMatch(sentence);
      });
    }

    for (const sql of hostile[server.name] ?? [])
      test(`no word of a value: ${sql}`, async () => {
        const error = await sqlErrorOf(db.sql(sql, z.looseObject({})).exec({ v: secret } as never));
        for (const word of secret.split(/[_ ]/))
          expect(error.message.toLowerCase()).not.toContain(word.toLowerCase());
        expect(error.cause).toBeInstanceOf(Error);
      });

    test("a quoted value that is in the server's vocabulary is not repeated", async () => {
      if (server.name !== "postgres") return;
      const error = await sqlErrorOf(
        db.sql("SELECT :v::regclass AS x", z.looseObject({})).exec({ v: "column" }),
      );
      expect(error.message).toBe("the statement failed (SQLSTATE 42P01)");
    });
  });

describe("the messages of Oracle, as its driver throws them", () => {
  const failing = async (errorNum: number, message: string) => {
    const db = recording("oracle", () => {
      throw Object.assign(new Error(message), { errorNum, code: `ORA-${String(errorNum).padStart(5, "0")}` });
    });
    return sqlErrorOf(db.sql("SELECT 1 AS x FROM dual", z.looseObject({})).exec());
  };

  test("parser errors are repeated", async () => {
    const { message } = await failing(
      904,
      'ORA-00904: "AGEE": invalid identifier\nHelp: https://docs.oracle.com/x',
    );
    expect(message).toBe('"AGEE": invalid identifier (ORA-904)');
    expect((await failing(942, "ORA-00942: table or view does not exist")).message).toBe(
      "table or view does not exist (ORA-942)",
    );
  });

  test("errors of PL/SQL, and messages with values, are not repeated", async () => {
    for (const [errorNum, message] of [
      [904, `ORA-00904: "HUNTER2": invalid identifier\nORA-06512: at "APP.F", line 3`],
      [20001, "ORA-20001: denied to hunter2"],
      [1722, "ORA-01722: unable to convert string value containing 'hunter2' to a number"],
    ] as const)
      expect((await failing(errorNum, message)).message).toBe(`the statement failed (ORA-${errorNum})`);
  });
});

describe("an error that a recorded answer throws", () => {
  const thrown: Readonly<Record<string, readonly [facts: object, code: string]>> = {
    "postgres 23505": [
      { code: "23505", constraint: "users_email_key", detail: "Key (email)=(x) already exists." },
      "UNIQUE_VIOLATION",
    ],
    "postgres 40P01": [{ code: "40P01" }, "DEADLOCK"],
    "postgres ECONNRESET": [{ code: "ECONNRESET" }, "CONNECTION_LOST"],
    "mariadb 1062": [
      { errno: 1062, sqlState: "23000", sqlMessage: "Duplicate entry 'x' for key 'email'" },
      "UNIQUE_VIOLATION",
    ],
    "mariadb 1213": [{ errno: 1213, sqlState: "40001", sqlMessage: "Deadlock found" }, "DEADLOCK"],
    "sqlite unique": [{ code: "SQLITE_CONSTRAINT_UNIQUE" }, "UNIQUE_VIOLATION"],
    "sqlite busy": [{ code: "SQLITE_BUSY" }, "LOCK_TIMEOUT"],
    "oracle 1": [{ errorNum: 1, code: "ORA-00001" }, "UNIQUE_VIOLATION"],
    "oracle 60": [{ errorNum: 60, code: "ORA-00060" }, "DEADLOCK"],
  };

  for (const [title, [facts, code]] of Object.entries(thrown))
    test(`is mapped like the driver's: ${title}`, async () => {
      const dialect = title.split(" ")[0] as Server["dialect"];
      const cause = Object.assign(new Error("UNIQUE constraint failed: users.email"), facts);
      const db = recording(dialect, () => {
        throw cause;
      });
      const error = await sqlErrorOf(db.sql("SELECT 1 AS x", z.looseObject({})).exec());
      expect(error).toMatchObject({ code, cause });
    });

  test("is retried if its code allows it", async () => {
    let asked = 0;
    const db = recording("postgres", () => {
      if (++asked < 3) throw Object.assign(new Error("deadlock detected"), { code: "40P01" });
      return [{ x: 1 }];
    });
    const query = db.sql("SELECT 1 AS x", z.object({ x: z.int() }));
    expect(await db.transaction((tx) => query.exec({}, { tx }), { retries: 2 })).toEqual([{ x: 1 }]);
    expect(db.transactions.map(({ outcome }) => outcome)).toEqual([
      "rolled back",
      "rolled back",
      "committed",
    ]);
  });

  test("is passed on unchanged if it is ours, also of another copy of the package", async () => {
    vi.resetModules();
    const other = await import("../../../src/index.js");
    const theirs = new other.QueryError("DEADLOCK", "chosen");
    expect(theirs).not.toBeInstanceOf(QueryError);
    const answering = recording("postgres", () => {
      throw theirs;
    });
    const asked = answering.sql("SELECT 1 AS x", z.looseObject({})).exec();
    await expect(asked).rejects.toBe(theirs);
    const ours = new UnsupportedError("postgres", "this", "do that");
    const db = recording("postgres", () => {
      throw ours;
    });
    expect(await sqlErrorOf(db.sql("SELECT 1 AS x", z.looseObject({})).exec())).toBe(ours);
  });
});
