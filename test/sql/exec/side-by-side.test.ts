/** Statements of one transaction that are sent at the same time: each waits for those before it. */
import { column, table } from "rowtype";
import { type PostgresPool, postgres } from "rowtype/postgres";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { z } from "zod";
import { sqlErrorOf } from "../../kit/thrown.js";
import { type Lent, servers } from "../../servers.js";

const Step = table(
  "steps_side",
  z.object({ id: column(z.int(), { primaryKey: true, generated: true }), name: z.string() }),
);
const names = Array.from({ length: 20 }, (_, i) => `n${i}`);

for (const server of servers)
  describe.skipIf(!server.available)(`side by side on ${server.name}`, () => {
    let lent: Lent;
    beforeAll(async () => {
      lent = await server.lend();
    });
    beforeEach(async () => {
      await lent.db.dropTables(Step);
      await lent.db.createTables(Step);
    });
    afterAll(() => lent.close());

    test("all are answered in order, without a warning", async () => {
      const warnings: Error[] = [];
      const listen = (warning: Error) => warnings.push(warning);
      process.on("warning", listen);
      const rows = await lent.db.transaction(async (tx) => {
        const steps = tx.repository(Step);
        return Promise.all(names.map((name) => steps.insert().exec({ name })));
      });
      await new Promise((resolve) => setImmediate(resolve));
      process.off("warning", listen);
      expect(rows.map(({ id, name }) => [id, name])).toEqual(names.map((name, i) => [i + 1, name]));
      expect(warnings).toEqual([]);
    });

    test("savepoints, streams and statements beside each other lose nothing", async () => {
      await lent.db.transaction(async (tx) => {
        const steps = tx.repository(Step);
        await Promise.all([
          steps.insert().exec({ name: "a" }),
          tx.transaction(async (inner) => void (await inner.repository(Step).insert().exec({ name: "b" }))),
          steps.insert().exec({ name: "c" }),
          steps.count().exec(),
        ]);
      });
      const stored = await lent.db.repository(Step).query().orderBy("name", "asc").exec();
      expect(stored.map(({ name }) => name)).toEqual(["a", "b", "c"]);
    });

    test("a failure does not affect the others, and a throwing callback stores nothing", async () => {
      await lent.db
        .transaction(async (tx) => {
          const steps = tx.repository(Step);
          const all = await Promise.allSettled([
            steps.insert().exec({ name: "a" }),
            tx.sql("SELECT nonsense FROM nowhere").exec(),
            steps.insert().exec({ name: "b" }),
          ]);
          // Where the server then refuses the rest of the transaction, those behind it are refused.
          expect(all[1]?.status).toBe("rejected");
          throw new Error("undone");
        })
        .catch((error: Error) => expect(error.message).toBe("undone"));
      expect(await lent.db.repository(Step).count().exec()).toBe(0);
    });
  });

const postgresServer = servers.find(({ name }) => name === "postgres");

describe.skipIf(postgresServer?.available !== true)(
  "a PostgreSQL client that accepts one query at a time",
  () => {
    let lent: Lent;
    beforeAll(async () => {
      lent = await (postgresServer as NonNullable<typeof postgresServer>).lend();
      await lent.db.createTables(Step);
    });
    afterAll(() => lent.close());

    // What pg 9 will do.
    function strict(pool: PostgresPool): PostgresPool {
      return {
        query: (config) => pool.query(config),
        connect: async () => {
          const client = await pool.connect();
          let running = 0;
          return Object.assign(Object.create(client) as typeof client, {
            query: async (config: never) => {
              if (running > 0) throw new Error("the client is already executing a query");
              running++;
              return (client.query(config) as Promise<never>).finally(() => running--);
            },
            release: client.release.bind(client),
            on: client.on.bind(client),
            off: client.off.bind(client),
          });
        },
      };
    }

    test("never receives two, for any use of the transaction", async () => {
      const db = postgres(strict(lent.pool as unknown as PostgresPool));
      await db.transaction(async (tx) => {
        const steps = tx.repository(Step);
        await Promise.all(names.map((name) => steps.insert().exec({ name })));
        await Promise.all([
          steps.count().exec(),
          (async () => {
            for await (const _ of steps.query().stream());
          })(),
          tx.transaction(async (inner) => void (await inner.repository(Step).count().exec())),
        ]);
      });
      expect(await lent.db.repository(Step).count().exec()).toBe(names.length);
    });

    test("a statement that is aborted while it waits is never sent, and the running one continues", async () => {
      await lent.db.transaction(async (tx) => {
        const control = new AbortController();
        const slow = tx.sql("SELECT 1 AS one FROM pg_sleep(0.3)", z.object({ one: z.int() })).exec();
        const waiting = tx.repository(Step).insert().exec({ name: "never" }, { signal: control.signal });
        setTimeout(() => control.abort(), 50);
        expect(await sqlErrorOf(waiting)).toMatchObject({ code: "ABORTED" });
        expect(await slow).toEqual([{ one: 1 }]);
      });
      expect((await lent.db.repository(Step).query().exec()).some(({ name }) => name === "never")).toBe(
        false,
      );
    });
  },
);
