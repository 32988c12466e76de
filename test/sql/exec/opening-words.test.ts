/**
 * No text ends a transaction behind our back. Pieces that a server may skip are put before COMMIT in every pair, and
 * around it; the server is the judge: after a callback that rejects, nothing is stored, whatever the text was.
 */
import { column, type Database, table } from "rowtype";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { oracle } from "../../../src/sql/dialect/oracle/grammar.js";
import { checkOpening } from "../../../src/sql/exec/opening-words.js";
import { type Lent, reportServers, servers } from "../../servers.js";

reportServers();

const Kept = table("opening_kept", z.object({ id: column(z.int(), { primaryKey: true }) }));

// Blanks and control characters, then comments, of which a server skips some to the end and executes others.
const BLANKS = [..."\t\n\r\v\f;", "\u0001", "\u00a0", "\u0085", "\u2028", "\u3000", "\ufeff", "\u200b"];
const COMMENTS = [
  "-- x\n",
  "-- x\r",
  "--\u0001 x\n",
  "--\tx\n",
  "# x\n",
  "/* x */",
  "/* /* x */ */",
  "/* /* x */",
  "/*! x */",
  "/*!999999 x */",
  "/*!999999 /* x */ y */",
  "/*M!999999 'x*/'*/",
  "/*!",
  "/*!40000 ",
  "/*M!100000 ",
];
const PIECES = ["", ...BLANKS, ...COMMENTS];

// Statements that hold others.
const HOLDING = [
  "IF 1 THEN COMMIT; END IF",
  "IF 0 THEN SELECT 1; ELSE COMMIT; END IF",
  "CASE WHEN 1 THEN COMMIT; END CASE",
  "REPEAT COMMIT; UNTIL 1 END REPEAT",
  "FOR i IN 1..1 DO COMMIT; END FOR",
  "one: LOOP COMMIT; LEAVE one; END LOOP",
  "one:LOOP COMMIT; LEAVE one; END LOOP",
  "one /* a */ : WHILE 1 DO COMMIT; LEAVE one; END WHILE",
  "one: BEGIN NOT ATOMIC COMMIT; END",
  "BEGIN NOT ATOMIC COMMIT; END",
  "SET STATEMENT max_statement_time=5 FOR COMMIT",
  "SET /*!999999 x */ STATEMENT max_statement_time=5 FOR COMMIT",
  "IF 1 THEN START TRANSACTION; END IF",
  "DO $$ BEGIN COMMIT; END $$",
  "EXECUTE IMMEDIATE 'COMMIT'",
  "EXPLAIN COMMIT",
  "(COMMIT)",
  "WITH x AS (SELECT 1) COMMIT",
];

const TEXTS = [...PIECES.flatMap((one) => PIECES.map((two) => `${one}${two}COMMIT`)), ...HOLDING];

describe.each(servers.filter(({ name }) => ["postgres", "mariadb", "sqlite"].includes(name)))(
  "on $name",
  (server) => {
    const lent = async (work: (db: Database<"sqlite">) => Promise<void>) => {
      const lent: Lent = await server.lend();
      try {
        await lent.db.createTables(Kept);
        await work(lent.db as unknown as Database<"sqlite">);
      } finally {
        await lent.close();
      }
    };
    const undone = new RangeError("undone");

    test.skipIf(!server.available)(
      "nothing before COMMIT and nothing around it hides it",
      () =>
        lent(async (db) => {
          for (const text of TEXTS) {
            const codes: unknown[] = [];
            const ends = await db
              .transaction(async (tx) => {
                await tx.repository(Kept).insert().exec({ id: 1 });
                // In a savepoint, because a refused text makes PostgreSQL refuse the next.
                await tx.transaction((inner) => inner.native(text)).catch((error) => codes.push(error.code));
                await tx
                  .transaction(async (inner) => inner.sql(text).exec())
                  .catch((error) => codes.push(error.code));
                throw undone;
              })
              .catch((error: unknown) => error);
            expect({ text, ends, rows: await db.repository(Kept).count().exec() }).toEqual({
              text,
              ends: undone,
              rows: 0,
            });
            for (const code of codes)
              expect(
                ["TRANSACTION_REQUIRED", "QUERY_FAILED", "INVALID_PARAM", "MISSING_PARAM"],
                text,
              ).toContain(code);
          }
        }),
      120_000,
    );

    test.skipIf(!server.available)("a NUL is refused wherever it stands, and nothing is sent", () =>
      lent(async (db) => {
        const insert = "INSERT INTO opening_kept (id) VALUES (1)";
        for (const text of [
          `${insert}\0`,
          `${insert};\0${insert}`,
          `\0${insert}`,
          `-- \0\n${insert}`,
          `${insert} -- \0`,
        ])
          for (const send of [() => db.native(text), async () => db.sql(text).exec()])
            await expect(send(), text).rejects.toMatchObject({ code: "QUERY_FAILED", message: /NUL/ });
        expect(await db.repository(Kept).count().exec()).toBe(0);
      }),
    );
  },
);

describe("what is no end of a transaction is taken", () => {
  test.each(
    servers.filter(({ name, available }) => available && ["postgres", "mariadb", "sqlite"].includes(name)),
  )("on $name", async (server) => {
    const lent = await server.lend();
    try {
      const db = lent.db as unknown as Database<"sqlite">;
      const one = z.looseObject({});
      for (const text of [
        "SELECT 'commit' AS a",
        "-- commit\nSELECT 1 AS a",
        "/* commit */ SELECT 1 AS a",
        "SELECT 1 AS a /* ; */ -- rollback",
        "SELECT 1 AS rollback_count",
        ...(server.name === "mariadb"
          ? [
              "SELECT /*!999999 x */ 1 AS a",
              "/*!40000 SELECT 1 AS a */",
              "SET @a = 'commit'",
              "# commit\nSELECT 1 AS a",
            ]
          : []),
        ...(server.name === "sqlite" ? ["\ufeffSELECT 1 AS a"] : []),
        ...(server.name === "postgres"
          ? ["-- commit\rSELECT 1 AS a", "/* /* commit */ */ SELECT 1 AS a"]
          : []),
      ]) {
        await db.native(text);
        await (text.startsWith("SET") ? db.sql(text).exec() : db.sql(text, one).exec());
      }
      if (server.name !== "postgres") return;
      const ended: string = "-- x\rSELECT :a AS a";
      expect(await db.sql(ended, z.object({ a: z.string() })).exec({ a: "b" })).toEqual([{ a: "b" }]);
    } finally {
      await lent.close();
    }
  });

  test("a block of PL/SQL is the caller's own", () => {
    expect(() => checkOpening("BEGIN p(1); END;", oracle.scan)).not.toThrow();
    for (const text of ["COMMIT", "/* a */ rollback", "-- a\nSAVEPOINT b"])
      expect(() => checkOpening(text, oracle.scan)).toThrow(
        expect.objectContaining({ code: "TRANSACTION_REQUIRED" }),
      );
  });
});
