/** What is kept for the next call is bounded, and what is in use outlives what comes by chance. */
import Sqlite from "better-sqlite3";
import { column, table } from "rowtype";
import { sqlite } from "rowtype/sqlite";
import { afterEach, beforeEach, expect, test } from "vitest";
import { z } from "zod";
import { heldMegabytes } from "../../kit/heap.js";
import { sqlErrorIn } from "../../kit/thrown.js";
import { expectBelow } from "../../stopwatch.js";

const User = table(
  "users",
  z.object({ id: column(z.int(), { primaryKey: true }), name: z.string().nullable() }),
);
let handle: Sqlite.Database;
/** The texts that the handle was asked to prepare. */
let prepared: string[];

beforeEach(() => {
  handle = new Sqlite(":memory:");
  prepared = [];
});
afterEach(() => handle.close());

const open = async () => {
  const db = sqlite({
    prepare: (sql) => {
      prepared.push(sql);
      return handle.prepare(sql);
    },
    exec: (sql) => handle.exec(sql),
    get inTransaction() {
      return handle.inTransaction;
    },
  });
  await db.createTables(User);
  return db;
};

test("a statement in use stays prepared, for any number of others", async () => {
  const users = (await open()).repository(User);
  const hot = users.query().where("id", "=", "id");
  const { sql } = hot.render().native;
  for (let i = 0; i < 2_000; i++) {
    await users.query().limit(i).exec();
    await hot.exec({ id: i });
  }
  expect(prepared.filter((one) => one === sql)).toHaveLength(1);
  expect(prepared.length).toBeGreaterThan(2_000);
});

test("a chain in use stays cached, for any number of others", async () => {
  const users = (await open()).repository(User);
  const chain = () => users.query().where("id", ">", "least").orderBy("id", "asc");
  chain().build();
  const first = chain().build();
  for (let i = 0; i < 12_000; i++) {
    for (let times = 0; times < 2; times++) users.query().limit(i).build();
    if (i % 100 === 0) expect(chain()).toBe(first);
  }
  expect(chain()).toBe(first);
});

test("of more chains in turn than there is room for, some stay cached", async () => {
  const users = (await open()).repository(User);
  const chains = 8_000;
  let before: unknown[] = [];
  let same = 0;
  for (let round = 0; round < 5; round++) {
    const built = Array.from({ length: chains }, (_, i) => users.query().limit(i).build());
    same = built.filter((one, i) => one === before[i]).length;
    before = built;
  }
  expect(same).toBeGreaterThan(chains / 3);
});

test("a chain that comes once leaves nothing behind", async () => {
  const users = sqlite().repository(User);
  const write = (i: number) => users.query().where("id", "=", `p${i}`).where("name", "=", `q${i}`).build();
  for (let i = 0; i < 500; i++) write(i);
  const before = await heldMegabytes();
  for (let i = 500; i < 20_000; i++) write(i);
  await expectBelow(1, async () => (await heldMegabytes()) - before);
});

test("a refused chain uses no memory, for any length", async () => {
  // biome-ignore lint/suspicious/noExplicitAny: these callers no compiler stops.
  const users: any = sqlite().repository(User);
  const before = await heldMegabytes();
  for (let i = 0; i < 300; i++)
    for (const wrong of [
      () => users.query().orderBy("x".repeat(100_000) + i, "asc"),
      () => users.query().where(`x${i}`, "=", "p"),
      () => users.query().where("id", "=", `p${i}`).where(`x${i}`, "=", "p"),
      () => users.query().fields(...Array.from({ length: 50 }, () => `x${i}`)),
    ])
      expect(sqlErrorIn(() => wrong().build()).code).toBe("INVALID_FIELD");
  await expectBelow(2, async () => (await heldMegabytes()) - before);
  expect(users.query().orderBy("id", "asc").render().sql).toContain("ORDER BY");
});

test("the cache does not keep an unreferenced table alive", async () => {
  const db = sqlite();
  const before = await heldMegabytes();
  for (let i = 0; i < 1_000; i++) {
    const made = table(`t${i}`, z.object({ id: column(z.int(), { primaryKey: true }), text: z.string() }));
    db.repository(made).query().where("id", "=", "id").build();
  }
  await expectBelow(5, async () => (await heldMegabytes()) - before);
  expect(db.repository(User).query().render().sql).toContain("users");
});
