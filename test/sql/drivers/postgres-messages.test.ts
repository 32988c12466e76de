/**
 * What is sent to PostgreSQL: the messages are those of `pg`, byte by byte, and the commands of a transaction go with
 * its statements.
 */
import { createRequire } from "node:module";
import fc from "fast-check";
import pg from "pg";
import { column, type Transaction, table } from "rowtype";
import { postgres } from "rowtype/postgres";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { z } from "zod";
import { Messages, type MessageValue } from "../../../src/sql/drivers/postgres/messages.js";
import { hasPool } from "../../kit/client-gaps.js";
import { sqlErrorOf } from "../../kit/thrown.js";
import { type Lent, servers } from "../../servers.js";

const { serialize } = createRequire(createRequire(import.meta.url).resolve("pg"))("pg-protocol") as {
  readonly serialize: Readonly<Record<string, (message?: object) => Buffer>>;
};

const text = fc.oneof(
  fc.string({ unit: "binary", maxLength: 200 }),
  fc.string({ unit: "grapheme", maxLength: 200 }),
  fc.nat({ max: 20_000 }).map((length) => "€".repeat(length)),
);
// A text of the protocol ends with its first zero.
const sql = text.map((one) => one.replaceAll("\0", ""));
const name = fc.string({ unit: "grapheme", maxLength: 8 }).map((one) => one.replaceAll("\0", ""));
const value: fc.Arbitrary<MessageValue> = fc.oneof(
  fc.constant(null),
  text,
  fc.uint8Array({ maxLength: 5_000 }).map((bytes) => Buffer.from(bytes)),
);

test("messages are those of pg, one after the other", () => {
  const one = fc.oneof(
    fc
      .tuple(name, sql)
      .map(
        ([named, sql]) =>
          [
            (messages: Messages) => messages.parse(named, sql),
            serialize["parse"]?.({ name: named, text: sql, types: [] }),
          ] as const,
      ),
    fc
      .tuple(name, fc.array(value, { maxLength: 20 }))
      .map(
        ([statement, values]) =>
          [
            (messages: Messages) => messages.bind(statement, values),
            serialize["bind"]?.({ portal: "", statement, values, binary: false }),
          ] as const,
      ),
    name.map(
      (named) =>
        [
          (messages: Messages) => messages.close(named),
          serialize["close"]?.({ type: "S", name: named }),
        ] as const,
    ),
    fc.constantFrom(
      [(messages: Messages) => messages.execute(), serialize["execute"]?.({})] as const,
      [
        (messages: Messages) => messages.describe(),
        serialize["describe"]?.({ type: "P", name: "" }),
      ] as const,
      [(messages: Messages) => messages.sync(), serialize["sync"]?.()] as const,
      [(messages: Messages) => messages.flush(), serialize["flush"]?.()] as const,
    ),
  );
  fc.assert(
    fc.property(fc.array(one, { maxLength: 8 }), (list) => {
      const messages = new Messages();
      for (const [write] of list) write(messages);
      const theirs = Buffer.concat(list.map(([, bytes]) => bytes ?? Buffer.from("none")));
      expect(messages.take().equals(theirs)).toBe(true);
    }),
    { numRuns: Number(process.env["ROWTYPE_ROUNDS"] ?? 2_000) },
  );
});

const Account = table("accounts", z.object({ id: column(z.int(), { primaryKey: true }), amount: z.int() }));

const server = servers.find(({ name }) => name === "postgres");
describe.skipIf(server?.available !== true || !hasPool)("transactions on PostgreSQL", () => {
  let lent: Lent;
  let pool: pg.Pool;
  /** The texts of each message to the server. */
  let sent: string[] = [];
  beforeAll(async () => {
    lent = (await server?.lend()) as Lent;
    await lent.db.createTables(Account);
    pool = new pg.Pool({ ...(lent.pool as pg.Pool).options, max: 1 });
    pool.on("connect", (client) => {
      const { stream } = (
        client as unknown as { connection: { stream: { write: (bytes: Buffer) => boolean } } }
      ).connection;
      const write = stream.write.bind(stream);
      stream.write = (bytes) => {
        const texts = bytes
          .toString("latin1")
          .match(/(BEGIN|COMMIT|ROLLBACK|SAVEPOINT|RELEASE|[a-z]+\?)[\w ]*/g);
        sent.push((texts ?? ["statement"]).join(", "));
        return write(bytes);
      };
    });
  });
  afterAll(async () => {
    await pool.end();
    await lent.close();
  });
  beforeEach(async () => {
    await lent.run("DELETE FROM accounts");
    await postgres(pool).sql("SELECT 1").exec();
    sent = [];
  });
  const add = (tx: Transaction<"postgres">, id: number) =>
    tx
      .repository(Account)
      .insert()
      .execBatch([{ id, amount: 1 }]);
  const read = (tx: Transaction<"postgres">) => tx.sql("SELECT 1").exec();
  const stored = async () => {
    const rows = await lent.run("SELECT id FROM accounts ORDER BY id");
    return rows.map((row) => Number(Object(row).id));
  };

  test("BEGIN goes with the first statement, and what has sent nothing sends no COMMIT", async () => {
    const db = postgres(pool);
    await db.transaction(async (tx) => {
      await read(tx);
      await read(tx);
    });
    expect(sent).toEqual(["BEGIN", "statement", "COMMIT"]);
    sent = [];
    await db.transaction(async () => 1);
    await db.transaction((tx) => tx.transaction(async () => 1));
    await expect(db.transaction(async () => Promise.reject(new Error("none")))).rejects.toThrow("none");
    expect(sent).toEqual([]);
    await db.transaction(read, { isolation: "serializable" });
    expect(sent).toEqual(["BEGIN ISOLATION LEVEL SERIALIZABLE", "COMMIT"]);
  });

  test("savepoints begin with their first statement, and end with the next one outside of them", async () => {
    await postgres(pool).transaction(async (tx) => {
      await tx.transaction(read);
      await tx.transaction((inner) => inner.transaction(read));
      await read(tx);
      await tx.transaction(async () => 1);
      await tx.transaction(read);
    });
    expect(sent).toEqual([
      "BEGIN, SAVEPOINT rowtype",
      "RELEASE SAVEPOINT rowtype, SAVEPOINT rowtype, SAVEPOINT rowtype",
      "RELEASE SAVEPOINT rowtype, RELEASE SAVEPOINT rowtype",
      "SAVEPOINT rowtype",
      "COMMIT",
    ]);
  });

  test("a first statement that fails leaves nothing open", async () => {
    const db = postgres(pool);
    for (const work of [
      (tx: Transaction<"postgres">) => tx.sql("SELECT 1 / 0").exec(),
      (tx: Transaction<"postgres">) => tx.sql("no statement").exec(),
      (tx: Transaction<"postgres">) => tx.transaction((inner) => inner.sql("SELECT 1 / 0").exec()),
    ]) {
      expect(await sqlErrorOf(db.transaction(work))).toMatchObject({ code: "QUERY_FAILED" });
      const state = await pool.query("SELECT now() = statement_timestamp() AS alone");
      expect(state.rows).toEqual([{ alone: true }]);
    }
  });

  test("an inner transaction is undone alone, wherever its first statement fails", async () => {
    await postgres(pool).transaction(async (tx) => {
      await add(tx, 1);
      await sqlErrorOf(
        tx.transaction(async (inner) => {
          await add(inner, 2);
          await inner.transaction((deep) => add(deep, 3));
          await add(inner, 1);
        }),
      );
      await tx.transaction(async (inner) => {
        await sqlErrorOf(inner.transaction((deep) => add(deep, 1)));
        await sqlErrorOf(inner.transaction((deep) => deep.transaction((deeper) => add(deeper, 1))));
        await add(inner, 4);
      });
      await sqlErrorOf(
        tx.transaction(async (inner) => {
          await add(inner, 5);
          await inner.transaction((deep) => add(deep, 1));
        }),
      );
      await add(tx, 6);
    });
    expect(await stored()).toEqual([1, 4, 6]);
  });

  test("after a failed statement the transaction refuses others, and is rolled back", async () => {
    const failing = postgres(pool).transaction(async (tx) => {
      await add(tx, 1);
      await sqlErrorOf(tx.sql("SELECT 1 / 0").exec());
      const inside = await sqlErrorOf(tx.transaction((inner) => add(inner, 2)));
      expect(inside).toMatchObject({ code: "QUERY_FAILED", cause: { code: "25P02" } });
    });
    expect(await sqlErrorOf(failing)).toMatchObject({ code: "QUERY_FAILED" });
    expect(await stored()).toEqual([]);
    // The connection is whole.
    await postgres(pool).transaction((tx) => add(tx, 7));
    expect(await stored()).toEqual([7]);
  });
});
