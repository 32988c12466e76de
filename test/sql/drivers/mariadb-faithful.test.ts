/**
 * Sessions of MariaDB whose settings make the server store or return something else than it was given or asked for,
 * without an error: each statement says otherwise, or the session is refused by the name of the setting.
 */
import mysql from "mysql2/promise";
import { column, type Database, decimal, table } from "rowtype";
import { mariadb } from "rowtype/mariadb";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { sqlErrorOf } from "../../kit/thrown.js";
import { type Lent, servers } from "../../servers.js";

const typed = <S extends z.ZodType>(schema: S, type: string) => column(schema.nullable(), { type });
const Narrow = table(
  "narrow_things",
  z.object({
    id: column(z.int(), { primaryKey: true, generated: true }),
    code: column(z.string(), { unique: true, type: "varchar(40)" }),
    short: typed(z.string(), "varchar(5)"),
    kind: typed(z.string(), "enum('a', 'b')"),
    tiny: typed(z.int(), "tinyint"),
    natural: typed(z.int(), "int unsigned"),
    amount: decimal(5, 2).nullable(),
    float: typed(z.number(), "float"),
    bytes: typed(z.instanceof(Uint8Array), "binary(4)"),
    day: typed(z.string(), "date"),
  }),
);
/** Values that the types of the columns do not have. */
const beyond = {
  short: "longer than five",
  kind: "c",
  tiny: 300,
  natural: -1,
  float: 1e300,
  bytes: new Uint8Array(6),
  day: "2026-02-30",
} as const;
type Beyond = keyof typeof beyond;
const fields = Object.keys(beyond) as Beyond[];

const server = servers.find(({ name }) => name === "mariadb");
describe.skipIf(server?.available !== true)("a session of MariaDB with", () => {
  let lent: Lent;
  beforeAll(async () => {
    lent = (await server?.lend()) as Lent;
    await lent.db.createTables(Narrow);
  });
  afterAll(() => lent.close());

  /** Works over sessions with settings, beside a usual one that looks. */
  async function withSessions(set: string, work: (db: Database<"mariadb">) => Promise<void>): Promise<void> {
    const pool = mysql.createPool({ uri: lent.url ?? "", connectionLimit: 2 });
    pool.on("connection", (connection) => void connection.query(`SET ${set}`));
    await lent.run("DELETE FROM narrow_things");
    try {
      await work(mariadb(pool));
    } finally {
      await pool.end();
    }
  }
  const stored = () => lent.run("SELECT * FROM narrow_things");

  const modes = ["", "ANSI", "ORACLE", "ANSI_QUOTES", "NO_BACKSLASH_ESCAPES", "SIMULTANEOUS_ASSIGNMENT"];
  for (const mode of modes)
    test(`sql_mode = '${mode}' stores no other value than it was given`, () =>
      withSessions(`sql_mode = '${mode}'`, async (db) => {
        const things = db.repository(Narrow);
        const { id } = await things.insert().exec({ code: "x", tiny: 100, amount: "999.00" });
        const before = await stored();
        const setting = (field: Beyond) => things.modify().set(field, "value").where("id", "=", "id");
        for (const field of fields) {
          const value = beyond[field];
          // Each field has a value of its own kind.
          const record = { code: "y", [field]: value } as never;
          const params = { id, value } as never;
          const calls: readonly (() => Promise<unknown>)[] = [
            () => things.insert().exec(record),
            () => things.insert().execBatch([{ code: "z" }, record]),
            () => things.insert().execMany([record]),
            () =>
              things
                .insert()
                .onConflict("code")
                .doUpdate()
                .exec({ code: "x", [field]: value } as never),
            () => setting(field).exec(params),
            () => setting(field).execMany(params),
            () => setting(field).execBatch([params]),
            () => db.transaction((tx) => tx.repository(Narrow).insert().exec(record)),
            () => db.sql(`UPDATE narrow_things SET ${field} = :value`).exec({ value } as never),
          ];
          for (const [i, call] of calls.entries()) {
            const error = await sqlErrorOf(call());
            expect([field, i, error?.code === undefined]).toEqual([field, i, false]);
            expect(await stored()).toEqual(before);
          }
        }
        const more = things.modify().setExpr("tiny", "+", "n").where("id", "=", "id");
        expect(await sqlErrorOf(more.exec({ n: 100, id }))).toBeDefined();
        const two = things.modify().setExpr("amount", "+", "n").set("code", "code").where("id", "=", "id");
        expect(await sqlErrorOf(two.exec({ n: "1.00", code: "w", id }))).toBeDefined();
        expect(await stored()).toEqual(before);
      }));

  for (const set of ["sql_select_limit = 1", "sql_select_limit = 0", "sql_auto_is_null = 1"])
    test(`${set} returns the rows that there are`, () =>
      withSessions(set, async (db) => {
        const things = db.repository(Narrow);
        const codes = ["a", "b", "c"];
        await things.insert().execMany(codes.map((code) => ({ code })));
        const { id } = await things.insert().exec({ code: "d" });
        const ordered = things.query().fields("code").orderBy("id", "asc");
        const all = [...codes, "d"].map((code) => ({ code }));
        expect(await ordered.exec()).toEqual(all);
        expect(await things.query().fields("code").whereNull("id").exec()).toEqual([]);
        expect(await db.transaction((tx) => tx.repository(Narrow).query().exec())).toHaveLength(4);
        const streamed: unknown[] = [];
        for await (const row of ordered.stream()) streamed.push(row);
        expect(streamed).toEqual(all);
        expect((await ordered.page(3).exec()).rows).toHaveLength(3);
        expect(await db.sql("SELECT code FROM narrow_things", z.object({ code: z.string() })).exec()).toEqual(
          expect.arrayContaining(all),
        );
        const changed = things.modify().set("short", "short").where("id", "<=", "id");
        expect(await changed.execMany({ short: "x", id })).toHaveLength(4);
        expect(await things.count().exec()).toBe(4);
        expect(await things.remove().where("id", "<=", "id").execMany({ id })).toHaveLength(4);
      }));

  for (const set of ["autocommit = 0", "completion_type = 1", "completion_type = 2"])
    test(`${set} is refused by its name: changes would be lost with the session`, () =>
      withSessions(set, async (db) => {
        const things = db.repository(Narrow);
        const calls: readonly (() => Promise<unknown>)[] = [
          () => things.query().exec(),
          () => things.insert().exec({ code: "x" }),
          () => things.insert().execBatch([{ code: "x" }, { code: "y" }]),
          () => db.transaction((tx) => tx.repository(Narrow).insert().exec({ code: "x" })),
          async () => {
            for await (const _ of things.query().stream());
          },
        ];
        const errors: unknown[] = [];
        for (const call of calls) errors.push(await sqlErrorOf(call()));
        expect(String(errors[0])).toContain(`the session has ${set.split(" ")[0]} = `);
        // With 2 the server ends the connection at a ROLLBACK.
        const codes = set.endsWith("2") ? /^(QUERY_FAILED|CONNECTION_LOST)$/ : /^QUERY_FAILED$/;
        for (const error of errors) expect(Object(error).code).toMatch(codes);
        expect(await stored()).toEqual([]);
      }));
});
