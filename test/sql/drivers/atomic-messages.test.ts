/** What `atomic` sends to PostgreSQL: its messages, its round trips, and what is stored when one of its statements fails. */
import { once } from "node:events";
import { type AddressInfo, connect, createServer } from "node:net";
import pg from "pg";
import { column, type Database, on, type SqlErrorCode, table } from "rowtype";
import { postgres } from "rowtype/postgres";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { z } from "zod";
import { behindPooler, postgresUrl } from "../../availability.js";
import { hasPool } from "../../kit/client-gaps.js";
import { sqlErrorOf } from "../../kit/thrown.js";
import { type Lent, servers } from "../../servers.js";

const items = table(
  "am_items",
  z.object({
    id: column(z.int(), { primaryKey: true, generated: true }),
    code: column(z.string(), { unique: true }),
    n: z.int(),
  }),
);

/** A wire that counts what the client says at once, and how often it says something after an answer. */
async function countingWire() {
  let [messages, trips] = [0, 0];
  let hasAnswered = true;
  const server = createServer((client) => {
    const upstream = connect({ host: postgresUrl.hostname, port: Number(postgresUrl.port) });
    client.on("data", (data) => {
      messages++;
      if (hasAnswered) trips++;
      hasAnswered = false;
      upstream.write(data);
    });
    upstream.on("data", (data) => {
      hasAnswered = true;
      client.write(data);
    });
    for (const [one, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      one.on("error", () => other.destroy());
      one.on("close", () => other.destroy());
    }
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    port: (server.address() as AddressInfo).port,
    /** Counts what is said during work. */
    during: async (work: () => Promise<unknown>) => {
      [messages, trips, hasAnswered] = [0, 0, true];
      await work();
      return { messages, trips };
    },
    close: () => void server.close(),
  };
}

const server = servers.find(({ name }) => name === "postgres");
// A client of its own, not the one that the tests of SQL run on; and a pooler would answer for the server.
const isThere = server?.available === true && !behindPooler;

describe.skipIf(!isThere || !hasPool)("atomic on pg", () => {
  let lent: Lent;
  let pool: pg.Pool;
  let db: Database<"postgres">;
  let wire: Awaited<ReturnType<typeof countingWire>>;
  const own = () => db.repository(items);
  const codes = async () =>
    (await own().query().fields("code").orderBy("code", "asc").exec()).map(({ code }) => code);
  const insert = (code: string, n = 1) => own().insert().bind({ code, n });
  beforeAll(async () => {
    lent = await (server as NonNullable<typeof server>).lend();
    const url = new URL((lent.pool as pg.Pool).options.connectionString ?? postgresUrl.href);
    wire = await countingWire();
    const { username, password, pathname } = url;
    const place = { host: "127.0.0.1", port: wire.port, user: username, database: pathname.slice(1) };
    pool = new pg.Pool({ ...place, ...(password === "" ? {} : { password }), max: 1 });
    pool.on("error", () => undefined);
    db = postgres(pool);
  });
  beforeEach(async () => {
    await db.dropTables(items);
    await db.createTables(items);
    // The settings of the session are asked for once.
    await own().count().exec();
  });
  afterAll(async () => {
    await pool?.end();
    wire?.close();
    await lent?.close();
  });

  const byCode = () => own().query().fields("n").where("code", "=", "code");
  const reads = () => ["a", "b", "c", "d", "e"].map((code) => byCode().bind({ code }));

  test("statements whose results need no check, and their commit, are one message and one round trip", async () => {
    const remove = own().remove().where("code", "=", "code");
    const rename = db.sql("UPDATE am_items SET n = n + :by");
    const calls = () => [
      ...reads(),
      remove.bind({ code: "a" }),
      rename.bind({ by: 1 }),
      own().count().bind(),
      own().query().orderBy("id", "asc").page(2).bind(),
    ];
    await db.atomic(calls());
    expect(await wire.during(() => db.atomic(calls()))).toEqual({ messages: 1, trips: 1 });
    const strict = () => db.atomic(calls(), { isolation: "serializable" });
    expect(await wire.during(strict)).toEqual({ messages: 1, trips: 1 });
  });

  test("what must be there is checked before the commit: two round trips, however many statements", async () => {
    await db.atomic([insert("w"), insert("x")]);
    const many = Array.from({ length: 50 }, (_, i) => insert(`m${i}`));
    expect(await wire.during(() => db.atomic(many))).toEqual({ messages: 2, trips: 2 });
    expect(await own().count().exec()).toBe(52);
    // With a signal the commit waits, so that ABORTED means that nothing is stored.
    const { signal } = new AbortController();
    expect(await wire.during(() => db.atomic(reads(), { signal }))).toEqual({ messages: 2, trips: 2 });
  });

  test("a call that needs an answer in between splits the list in as few messages as it needs", async () => {
    const graph = [
      insert("a"),
      own()
        .insert()
        .bindMany([{ code: "b", n: 1 }]),
      insert("c"),
      insert("d"),
    ];
    await db.atomic(graph);
    await own().remove().whereNotNull("id").execBatch([{}]);
    const { trips } = await wire.during(() => db.atomic(graph));
    expect(trips).toBe(4);
    expect(await codes()).toEqual(["a", "b", "c", "d"]);
  });

  test("texts are prepared once and kept, also where one message has them several times", async () => {
    for (let round = 0; round < 4; round++)
      await db.atomic(Array.from({ length: 6 }, (_, i) => insert(`p${round}.${i}`)));
    const prepared = db.sql(
      "SELECT count(*) AS n FROM pg_prepared_statements WHERE statement LIKE 'INSERT INTO \"am_items\"%'",
      z.object({ n: z.bigint() }),
    );
    const [before] = await prepared.exec();
    for (let round = 4; round < 6; round++)
      await db.atomic(Array.from({ length: 6 }, (_, i) => insert(`p${round}.${i}`)));
    expect(await prepared.exec()).toEqual([before]);
    expect(await own().count().exec()).toBe(36);
    await db.sql("ALTER TABLE am_items ALTER COLUMN n TYPE bigint").exec();
    await db.atomic([insert("q", 7), insert("r", 8)]);
    expect(await own().count().exec()).toBe(38);
  });

  test("the statement that fails has its place, and those behind it are not executed", async () => {
    await own()
      .insert()
      .execBatch(["other", "taken"].map((code) => ({ code, n: 1 })));
    const failures: [unknown, SqlErrorCode][] = [
      [insert("taken"), "UNIQUE_VIOLATION"],
      [own().modify().set("n", "n").where("code", "=", "code").bind({ n: 1, code: "none" }), "NO_ROWS"],
      [own().select().where("code", "=", "code").bind({ code: "none" }), "NO_ROWS"],
      [own().modify().set("n", "n").whereNotNull("id").bind({ n: 1 }), "MULTIPLE_ROWS"],
      [db.sql("SELECT 1 / :n AS x", z.object({ x: z.int() })).bind({ n: 0 }), "QUERY_FAILED"],
      [db.sql("SELECT 'x' AS x", z.object({ x: z.int() })).bind(), "DECODE_FAILED"],
      [db.sql("UPDATE am_items SET n = n / 0").bind(), "QUERY_FAILED"],
    ];
    for (const [call, code] of failures)
      for (const at of [0, 1, 3]) {
        const calls = [insert("x"), insert("y"), insert("z")] as unknown[];
        calls.splice(at, 0, call);
        const started: string[] = [];
        const offs = [
          on("db.query.started", ({ sql }) => void started.push(sql)),
          on("db.query.completed", () => void started.pop()),
          on("db.query.failed", () => void started.pop()),
        ];
        const error: unknown = await db.atomic(calls as []).catch((thrown: unknown) => thrown);
        for (const off of offs) off();
        expect(error).toMatchObject({ code, index: at });
        expect(error).not.toHaveProperty("stored");
        expect(started).toEqual([]);
        expect(await codes()).toEqual(["other", "taken"]);
      }
  });

  test("a constraint that waits for the commit undoes all", async () => {
    await db
      .sql("ALTER TABLE am_items DROP CONSTRAINT am_items_code_key")
      .exec()
      .catch(() => undefined);
    await db
      .sql("ALTER TABLE am_items ADD CONSTRAINT later UNIQUE (code) DEFERRABLE INITIALLY DEFERRED")
      .exec();
    const same = db.sql("INSERT INTO am_items (code, n) VALUES ('same', 1)").bind();
    expect(await sqlErrorOf(db.atomic([same, same]))).toMatchObject({ code: "UNIQUE_VIOLATION" });
    expect(await sqlErrorOf(db.atomic([insert("same"), same]))).toMatchObject({ code: "UNIQUE_VIOLATION" });
    expect(await codes()).toEqual([]);
    await db.atomic([same]);
    expect(await codes()).toEqual(["same"]);
  });

  test("a signal cancels what runs, and nothing is stored", async () => {
    const slow = db.sql("UPDATE am_items SET n = n + 1 WHERE pg_sleep(5)::text = ''");
    await own().insert().exec({ code: "a", n: 1 });
    const signal = AbortSignal.timeout(50);
    const began = performance.now();
    const call = db.atomic([insert("b"), slow.bind(), insert("c")], { signal });
    expect(await sqlErrorOf(call)).toMatchObject({ code: "ABORTED" });
    expect(performance.now() - began).toBeLessThan(4_000);
    expect(await codes()).toEqual(["a"]);
  });

  test("a text that is no plain statement goes alone, and one that ends the transaction is refused", async () => {
    const copied = db.atomic([insert("a"), db.sql("COPY am_items FROM STDIN").bind(), insert("b")]);
    expect(await sqlErrorOf(copied)).toMatchObject({ index: 1 });
    expect(await codes()).toEqual([]);
    expect(() => db.sql("/* x */ COMMIT").bind()).toThrow(
      expect.objectContaining({ code: "TRANSACTION_REQUIRED" }),
    );
    await db.atomic([
      insert("a"),
      db.sql("DO $$ BEGIN INSERT INTO am_items (code, n) VALUES ('b', 1); END $$").bind(),
    ]);
    expect(await codes()).toEqual(["a", "b"]);
  });
});
