/** pg-boss and graphile-worker put their jobs into our transactions: after a rollback there is none, after a commit one. */
import { runMigrations } from "graphile-worker";
import PgBoss from "pg-boss";
import { column, table } from "rowtype";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { hasPool } from "../../kit/client-gaps.js";
import { type Lent, servers } from "../../servers.js";

const Order = table(
  "job_orders",
  z.object({ id: column(z.int(), { primaryKey: true, generated: true }), total: z.string() }),
);

const postgres = servers.find(({ name }) => name === "postgres");

describe.skipIf(!postgres?.available || !hasPool)("jobs in the same transaction", () => {
  let lent: Lent;
  let boss: PgBoss;
  // While it runs; its connections may be ended with the database.
  const errors: unknown[] = [];
  beforeAll(async () => {
    lent = (await postgres?.lend()) as Lent;
    await lent.db.createTables(Order);
    boss = new PgBoss({ connectionString: lent.url ?? "", supervise: false, schedule: false });
    boss.on("error", (error) => errors.push(error));
    await boss.start();
    await boss.createQueue("invoice");
    await runMigrations({ connectionString: lent.url ?? "" });
  });
  afterAll(async () => {
    expect(errors).toEqual([]);
    await boss.stop({ graceful: false, wait: true });
    await lent.close();
  });

  /** Stores an order with its job, and fails afterwards if asked to. */
  const order = (enqueue: (tx: Pick<Lent["db"], "native">, id: number) => Promise<unknown>, fails: boolean) =>
    lent.db.transaction(async (tx) => {
      const { id } = await tx.repository(Order).insert().exec({ total: "9.50" });
      await enqueue(tx, id);
      if (fails) throw new RangeError("no");
      return id;
    });

  const queues = {
    "pg-boss": {
      enqueue: (tx: Pick<Lent["db"], "native">, id: number) =>
        boss.send(
          "invoice",
          { order: id, at: new Date(0), none: undefined },
          { db: { executeSql: (text, values) => tx.native(text, values) } },
        ),
      jobs: async () => (await lent.db.native("SELECT data FROM pgboss.job WHERE name = 'invoice'")).rows,
    },
    "graphile-worker": {
      enqueue: (tx: Pick<Lent["db"], "native">, id: number) =>
        tx.native("SELECT graphile_worker.add_job($1, $2)", ["invoice", { order: id }]),
      jobs: async () =>
        (await lent.db.native("SELECT payload AS data FROM graphile_worker._private_jobs")).rows,
    },
  };

  test.each(Object.entries(queues))("%s", async (_, { enqueue, jobs }) => {
    await expect(order(enqueue, true)).rejects.toThrow(RangeError);
    expect(await jobs()).toEqual([]);
    const id = await order(enqueue, false);
    expect(await jobs()).toMatchObject([{ data: { order: id } }]);
    expect(await lent.db.repository(Order).count().where("id", "=", "id").exec({ id })).toBe(1);
  });

  test("a worker of pg-boss gets the job of a transaction", async () => {
    const id = await order(queues["pg-boss"].enqueue, false);
    const fetched = await boss.fetch<{ order: number }>("invoice", { batchSize: 10 });
    expect(fetched.map(({ data }) => data.order)).toContain(id);
  });
});
