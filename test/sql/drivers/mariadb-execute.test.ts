/**
 * Prepared statements of MariaDB that rowtype executes by a command of its own: the packet is mysql2's, byte by byte,
 * and where the application or its tools look on, mysql2 executes.
 */
import { channel } from "node:diagnostics_channel";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import fc from "fast-check";
import mysql from "mysql2/promise";
import { column, table } from "rowtype";
import { mariadb } from "rowtype/mariadb";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { executePacket } from "../../../src/sql/drivers/mariadb/packet.js";
import { sqlErrorOf } from "../../kit/thrown.js";
import { type Lent, servers } from "../../servers.js";

const require = createRequire(import.meta.url);
// The class is not exported, but it is there.
const Packet: new (...args: readonly unknown[]) => { toPacket(): Outgoing } = require(
  join(dirname(require.resolve("mysql2")), "lib/packets/execute.js"),
);
interface Outgoing {
  readonly buffer: Buffer;
}

const UTF8MB4 = 224;

/** The bytes behind the header, which is written when the packet is. */
function bytesOf(packet: Outgoing | undefined): Buffer | undefined {
  return packet?.buffer.subarray(4);
}

function theirs(id: number, values: readonly unknown[]): Buffer | undefined {
  return bytesOf(new Packet(id, values, UTF8MB4, "local", undefined, 0, true, []).toPacket());
}

const text = fc.oneof(
  fc.string({ unit: "binary", maxLength: 300 }),
  fc.string({ unit: "grapheme", maxLength: 300 }),
  fc.nat({ max: 70_000 }).map((length) => "ä".repeat(length)),
);
const value = fc.oneof(
  fc.constant(null),
  fc.double(),
  fc.integer(),
  fc.boolean(),
  text,
  fc.uint8Array({ maxLength: 400 }).map((bytes) => Buffer.from(bytes)),
);

describe("the packet of an execution", () => {
  test("is mysql2's for all values", () => {
    const list = fc.array(value, { maxLength: 40 });
    fc.assert(
      fc.property(fc.nat({ max: 2 ** 32 - 1 }), list, (id, values) => {
        expect(bytesOf(executePacket(id, values))?.equals(theirs(id, values) ?? Buffer.alloc(0))).toBe(true);
      }),
      { numRuns: Number(process.env["ROWTYPE_ROUNDS"] ?? 2_000) },
    );
  });

  test.each([83, 84, 250, 251, 252, 21_845, 65_535, 65_536, 5_592_405, 16_777_215, 16_777_216])(
    "is mysql2's for texts and bytes of %i",
    (length) => {
      for (const one of ["a".repeat(length), "€".repeat(Math.floor(length / 3)), Buffer.alloc(length, 1)])
        expect(
          bytesOf(executePacket(1, [null, one, 1.5, one]))?.equals(
            theirs(1, [null, one, 1.5, one]) as Buffer,
          ),
        ).toBe(true);
    },
  );

  test("is left to mysql2 for other values", () => {
    for (const other of [undefined, 1n, new Date(), {}, [], new Uint8Array(2), Symbol("s"), () => 1])
      expect(executePacket(1, ["text", other])).toBeUndefined();
  });
});

const Thing = table(
  "things",
  z.object({
    id: column(z.int(), { primaryKey: true }),
    text: z.string(),
    note: z.string().nullable(),
    bytes: z.instanceof(Uint8Array).nullable(),
  }),
);
const thing = { id: 1, text: "ä€😀", note: null, bytes: new Uint8Array([0, 255, 254]) };

const server = servers.find(({ name }) => name === "mariadb");
describe.skipIf(server?.available !== true)("prepared statements of MariaDB", () => {
  let lent: Lent;
  beforeAll(async () => {
    lent = (await server?.lend()) as Lent;
    await lent.db.createTables(Thing);
    await mariadb(lent.mysqlPool).repository(Thing).insert().exec(thing);
  });
  afterAll(() => lent.close());
  const poolOf = (options: mysql.PoolOptions = {}) =>
    mysql.createPool({ uri: lent.url ?? "", connectionLimit: 1, ...options });
  /** The connection beneath those of the pool. */
  const coreOf = async (pool: mysql.Pool) => {
    const connection = await pool.getConnection();
    connection.release();
    return connection.connection as unknown as { execute: (...args: unknown[]) => unknown };
  };

  test("mysql2 executes a statement the first time only", async () => {
    const pool = poolOf();
    const core = await coreOf(pool);
    const byId = mariadb(pool).repository(Thing).select().where("id", "=", "id");
    const Connection = Object.getPrototypeOf(Object.getPrototypeOf(core));
    expect(await byId.exec({ id: 1 })).toEqual(thing);
    const names: string[] = [];
    Object.assign(core, {
      addCommand(command: object) {
        names.push(command.constructor.name);
        return Reflect.apply(Connection.addCommand, core, [command]);
      },
    });
    for (let i = 0; i < 3; i++) expect(await byId.exec({ id: 1 })).toEqual(thing);
    expect(names).toHaveLength(3);
    expect(names).not.toContain("Execute");
    await pool.end();
  });

  test("an `execute` that the application has put there sees every statement", async () => {
    const pool = poolOf();
    const core = await coreOf(pool);
    const byId = mariadb(pool).repository(Thing).select().where("id", "=", "id");
    for (let i = 0; i < 3; i++) await byId.exec({ id: 1 });
    const original = core.execute;
    let seen = 0;
    core.execute = function (this: unknown, ...args: unknown[]) {
      seen++;
      return Reflect.apply(original, core, args);
    };
    for (let i = 0; i < 3; i++) expect(await byId.exec({ id: 1 })).toEqual(thing);
    expect(seen).toBe(3);
    await pool.end();
  });

  test("who listens to mysql2's channels hears of every statement", async () => {
    const pool = poolOf();
    const byId = mariadb(pool).repository(Thing).select().where("id", "=", "id");
    for (let i = 0; i < 3; i++) await byId.exec({ id: 1 });
    const heard: unknown[] = [];
    const listen = (message: unknown) => heard.push(Object(message).query);
    const start = channel("tracing:mysql2:execute:start");
    start.subscribe(listen);
    try {
      for (let i = 0; i < 3; i++) expect(await byId.exec({ id: 1 })).toEqual(thing);
    } finally {
      start.unsubscribe(listen);
    }
    expect(heard).toEqual(Array(3).fill(byId.render().sql.replace(":id", "?")));
    await pool.end();
  });

  test("statements that mysql2 has closed are prepared again", async () => {
    const pool = poolOf({ maxPreparedStatements: 2 });
    const things = mariadb(pool).repository(Thing);
    for (let round = 0; round < 3; round++)
      for (let i = 1; i < 6; i++) expect(await things.query().limit(i).exec()).toEqual([thing]);
    await pool.end();
    const again = poolOf();
    const own = mariadb(again).repository(Thing).query();
    for (let i = 0; i < 3; i++) {
      expect(await own.exec()).toEqual([thing]);
      const connection = await again.getConnection();
      await connection.changeUser({});
      connection.release();
    }
    await again.end();
  });

  test("a session in another character set is refused by its name", async () => {
    const pool = poolOf({ charset: "latin1_swedish_ci" });
    const things = mariadb(pool).repository(Thing);
    for (const call of [
      () => things.query().exec(),
      () => things.insert().exec({ ...thing, id: 10, text: "漢" }),
    ])
      expect(await sqlErrorOf(call())).toMatchObject({
        code: "QUERY_FAILED",
        message: expect.stringMatching(/character_set_\w+ = latin1.*utf8mb4/),
      });
    await pool.end();
  });

  test("columns that are more, fewer or others than before", async () => {
    const pool = poolOf();
    const db = mariadb(pool);
    await lent.run("CREATE TABLE shapes (a int, b varchar(10))");
    await lent.run("INSERT INTO shapes VALUES (1, 'x')");
    const all = db.sql("SELECT * FROM shapes", z.looseObject({}));
    const expected = async (row: object) => {
      for (let i = 0; i < 3; i++) expect(await all.exec()).toEqual([row]);
    };
    await expected({ a: 1, b: "x" });
    await lent.run("ALTER TABLE shapes ADD c double DEFAULT 1.5");
    await expected({ a: 1, b: "x", c: 1.5 });
    await lent.run("ALTER TABLE shapes MODIFY a varchar(5)");
    await expected({ a: "1", b: "x", c: 1.5 });
    await lent.run("ALTER TABLE shapes DROP c");
    await expected({ a: "1", b: "x" });
    await lent.run("ALTER TABLE shapes DROP a, ADD a tinyint DEFAULT 7");
    await expected({ b: "x", a: 7 });
    await pool.end();
  });

  test("a procedure with several results gives what it gives the first time", async () => {
    const pool = poolOf();
    await lent.run("CREATE PROCEDURE two() BEGIN SELECT 1 AS a; SELECT 'x' AS b, 2 AS c; END");
    const call = mariadb(pool).sql("CALL two()", z.looseObject({}));
    const first = await call.exec().then(JSON.stringify, String);
    for (let i = 0; i < 3; i++) expect(await call.exec().then(JSON.stringify, String)).toBe(first);
    await pool.end();
  });

  test("a refused statement leaves the connection usable, and many at once come back in order", async () => {
    const pool = poolOf();
    const db = mariadb(pool);
    const things = db.repository(Thing);
    for (let i = 0; i < 3; i++)
      await expect(things.insert().exec(thing)).rejects.toMatchObject({ code: "UNIQUE_VIOLATION" });
    const texts = await Promise.all(
      Array.from({ length: 200 }, (_, i) =>
        db
          .sql("SELECT :n AS n, REPEAT('x', :n) AS t", z.object({ n: z.number(), t: z.string() }))
          .exec({ n: i }),
      ),
    );
    expect(texts.map(([row]) => row?.t.length)).toEqual(texts.map((_, i) => i));
    await pool.end();
  });

  test("a packet above 16 MB is refused or stored whole", async () => {
    const pool = poolOf();
    const things = mariadb(pool).repository(Thing);
    const note = "n".repeat(17_000_000);
    for (let id = 20; id < 23; id++) {
      const result = await things
        .insert()
        .exec({ ...thing, id, note })
        .then(
          (row) => row?.note?.length,
          (error) => error.code,
        );
      // By the server's own limit.
      expect([17_000_000, "QUERY_FAILED", "CONNECTION_LOST", "CONSTRAINT_VIOLATION"]).toContain(result);
    }
    await pool.end();
  });
});
