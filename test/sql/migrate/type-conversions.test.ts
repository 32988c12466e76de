/**
 * Edits of a column's type on PostgreSQL and MariaDB: what the server would make something else of is refused by name or
 * fails with the rows as they were, and the zone and the modes of the session change no value.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import mysql from "mysql2/promise";
import pg from "pg";
import { type AnyTable, column, type Database, table } from "rowtype";
import { mariadb } from "rowtype/mariadb";
import { diff, generate, migrate } from "rowtype/migrate";
import { postgres } from "rowtype/postgres";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { z } from "zod";
import { type Lent, servers } from "../../servers.js";
import { edit, type Outcome, tableOf } from "./type-edits.js";

type Case = readonly [from: string, to: string, values: readonly unknown[], wanted: unknown];
const refused = "refused";
const failed = "failed";
const text = (value: string) => [value];

const onPostgres: readonly Case[] = [
  ["boolean", "int", [true, false, null], [1, 0, null]],
  ["boolean", "bigint", [true], [1n]],
  ["boolean", "number", [true, false], [1, 0]],
  ["boolean", "decimal2", [true, false], ["1.00", "0.00"]],
  ["boolean", "text", [true], ["true"]],
  ["int", "boolean", [5, 0, 1, null], [true, false, true, null]],
  ["int", "boolean", [2 ** 40], failed],
  ["bigint", "decimal2", [15n], ["15.00"]],
  ["number", "boolean", [1], refused],
  ["decimal2", "boolean", ["1.00"], refused],
  ["int", "date", [0], refused],
  ["date", "int", [new Date(0)], refused],
  ["boolean", "date", [true], refused],
  ["list", "json", [["x"]], refused],
  ["json", "bytes", [1], refused],
  ["bytes", "int", [new Uint8Array([1])], refused],
  ["text", "int", text("hello"), failed],
];

const onMariadb: readonly Case[] = [
  ["boolean", "int", [true, false, null], [1, 0, null]],
  ["boolean", "decimal2", [true, false], ["1.00", "0.00"]],
  ["boolean", "text", [true], refused],
  ["boolean", "date", [false], refused],
  ["int", "boolean", [1, 0, null], [true, false, null]],
  ["int", "boolean", [5], failed],
  ["text", "boolean", ["1", "0"], [true, false]],
  ["text", "boolean", text("5"), failed],
  ["text", "boolean", text("01"), failed],
  ["number", "boolean", [1], refused],
  ["int", "date", [0], refused],
  ["date", "int", [new Date(0)], refused],
  ["date", "number", [new Date(0)], refused],
  ["int", "json", [5], refused],
  ["int", "bytes", [5], refused],
  ["text", "bytes", text("a\\b"), refused],
  ["bytes", "text", [new Uint8Array([104])], refused],
  ["text", "date", text("2024-05-01 10:00:00.9996"), [new Date("2024-05-01T10:00:01Z")]],
  ["text", "date", text("0000-00-00 00:00:00"), failed],
  ["text", "date", text("2024-00-01"), failed],
  ["text", "int", text("1.5"), failed],
];

for (const [name, cases] of [
  ["postgres", onPostgres],
  ["mariadb", onMariadb],
] as const) {
  const server = servers.find((one) => one.name === name);
  describe.skipIf(server?.available !== true)(`an edit of a type on ${name}`, () => {
    let lent: Lent;
    let db: Database;
    let end: () => Promise<void>;
    let folder = "";
    beforeEach(async () => {
      lent = await (server as (typeof servers)[number]).lend();
      ({ db, end } = await inAnotherZone(lent.url ?? ""));
      folder = mkdtempSync(join(tmpdir(), "rowtype-conversions-"));
    });
    afterEach(async () => {
      rmSync(folder, { recursive: true });
      await end();
      await lent.close();
    });

    for (const [from, to, values, wanted] of cases)
      test(`${from} to ${to}: ${wanted === refused || wanted === failed ? wanted : "converted"}`, async () => {
        const outcome = await edit({ db, run: lent.run }, folder, [tableOf(from), tableOf(to)], values);
        expect(outcome).toMatchObject(expected(wanted, values));
        if (outcome.is === "refused")
          expect(outcome.message).toMatch(/^the step change type edited\.a is refused: /);
      });

    test("instants, days and times without a zone are in UTC, whatever the zone of the session is", async () => {
      const types =
        name === "postgres" ? ["timestamptz(3)", "timestamp(3)", "date"] : ["timestamp(3)", "datetime(3)"];
      for (const from of types)
        for (const to of types.filter((type) => type !== from)) {
          // A statement that is kept prepared has the types of its table: each pair has one of its own.
          const name = `${from} to ${to}`.replace(/\W+/g, "_");
          const [before, after] = [from, to].map((type) => {
            const a = column(z.date().nullable(), { type });
            return table(name, z.object({ id: column(z.int(), { primaryKey: true }), a }));
          }) as unknown as [AnyTable, AnyTable];
          const day = new Date("2024-05-01T00:00:00Z");
          const outcome = await edit({ db, run: lent.run }, folder, [before, after], [day, null]);
          expect(outcome, `${from} to ${to}`).toMatchObject(expected([day, null], []));
        }
    });

    test.runIf(name === "postgres")(
      "text without a zone is in UTC, and an instant becomes text in UTC",
      async () => {
        const at = new Date("2024-05-01T10:00:00.500Z");
        const texts = ["2024-05-01 10:00:00.5", "2024-05-01T12:00:00.5+02:00", "2024-05-01 10:00:00.5 UTC"];
        const between = (from: string, to: string, values: readonly unknown[]) =>
          edit({ db, run: lent.run }, folder, [tableOf(from), tableOf(to)], values);
        expect(await between("text", "date", texts)).toMatchObject(expected([at, at, at], []));
        expect(await between("date", "text", [at])).toMatchObject(expected(["2024-05-01 10:00:00.5+00"], []));
      },
    );

    test.runIf(name === "mariadb")("text of digits is no member of an enum by its number", async () => {
      const moods = (a: z.ZodType) =>
        table("edited", z.object({ id: column(z.int(), { primaryKey: true }), a })) as AnyTable;
      const mood = column(z.enum(["low", "high"]).nullable(), { type: "enum('low','high')" });
      const both = [moods(z.string().nullable()), moods(mood)] as const;
      expect(await edit({ db, run: lent.run }, folder, both, ["2"])).toMatchObject(expected(failed, ["2"]));
      expect(await edit({ db, run: lent.run }, folder, both, ["high", null])).toMatchObject(
        expected(["high", null], []),
      );
    });

    test.runIf(name === "mariadb")("a check of the moment is gone when the type is another", async () => {
      const [from, to] = [tableOf("int"), tableOf("boolean")];
      await db.createTables(from);
      const allow = (await diff([to], db)).steps.map(({ kind, table, name }) => `${kind} ${table}.${name}`);
      expect(allow).toEqual(["add check edited.edited_a_convertible", "change type edited.a"]);
      await generate([to], db, { folder, name: "edit", allow });
      await migrate(db, { folder });
      expect((await diff([to], db)).isEmpty).toBe(true);
    });
  });
}

function expected(wanted: unknown, values: readonly unknown[]): Partial<Outcome> {
  if (wanted === refused) return { is: "refused" };
  const rows = (of: readonly unknown[]) => of.map((value) => ({ value }));
  // The list of the case.
  return wanted === failed
    ? { is: "failed", rows: rows(values) }
    : { is: "done", rows: rows(wanted as readonly unknown[]), left: 0 };
}

/** A database whose sessions are in another zone, on MariaDB in a mode that lets pass what does not fit. */
async function inAnotherZone(
  url: string,
): Promise<{ readonly db: Database; readonly end: () => Promise<void> }> {
  if (url.startsWith("postgres")) {
    const pool = new pg.Pool({ connectionString: url, max: 4, options: "-c TimeZone=Asia/Tokyo" });
    return { db: postgres(pool) as unknown as Database, end: () => pool.end() };
  }
  const pool = mysql.createPool({ uri: url, connectionLimit: 4 });
  pool.on("connection", (connection) => {
    connection.query("SET time_zone = '+09:00', sql_mode = ''");
  });
  return { db: mariadb(pool) as unknown as Database, end: () => pool.end() };
}
