/**
 * Connections that break: the wire is cut, goes silent, or the server ends them, at any point of a statement or a
 * transaction. Numbers are those of the list of threats.
 */
import { setTimeout } from "node:timers/promises";
import { column, type Database, SqlError, table } from "rowtype";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { z } from "zod";
import { type Behind, behind, poolIsWhole, running, serverIsIdle, targets } from "../../kit/behind-wire.js";
import { sqlErrorOf } from "../../kit/thrown.js";
import { Wire } from "../../kit/wire.js";
import { type Lent, servers } from "../../servers.js";
import { HANG_MS } from "../../stopwatch.js";

const Account = table("accounts", z.object({ id: column(z.int(), { primaryKey: true }), amount: z.int() }));
const Pair = table(
  "pairs",
  z.object({ id: column(z.int(), { primaryKey: true }), round: column(z.int(), { index: true }) }),
);

const sleeping: { readonly [Name: string]: string } = {
  postgres: "SELECT pg_sleep(20)",
  mariadb: "SELECT SLEEP(20)",
};

for (const server of servers.filter(({ name }) => name in targets))
  describe.skipIf(!server.available)(`connections to ${server.name} that break`, () => {
    let lent: Lent;
    let wire: Wire;
    let there: Behind;
    const target = targets[server.name] as URL;
    const connected = (max?: number) => behind[server.name]?.(wire.port, lent, max) as Behind;
    beforeAll(async () => {
      lent = await server.lend();
      await lent.db.createTables(Account, Pair);
      wire = await Wire.before(target);
      there = connected();
    });
    beforeEach(async () => {
      await lent.run("DELETE FROM accounts");
      await lent.run("DELETE FROM pairs");
      await lent.run("INSERT INTO accounts VALUES (1, 500), (2, 500)");
    });
    afterAll(async () => {
      await there.end();
      await wire.close();
      await lent.close();
    });

    const accounts = () => there.db.repository(Account);
    const amounts = async () => {
      const rows = await lent.run("SELECT amount FROM accounts ORDER BY id");
      return rows.map((row) => Number((row as { amount: unknown }).amount));
    };
    const everythingIsBack = async () => {
      await poolIsWhole(there);
      await serverIsIdle(server.name, lent);
    };
    // A cut connection that the pool does not know of yet may be used once more.
    const served = async () => {
      for (let left = 4; ; left--) {
        try {
          return await accounts().count().exec();
        } catch (error) {
          if (left === 0 || !(error instanceof SqlError) || error.code !== "CONNECTION_LOST") throw error;
        }
      }
    };

    test("a connection cut during a statement is CONNECTION_LOST, and the next call succeeds", async () => {
      const sleep = there.db.sql(sleeping[server.name] ?? "");
      for (const call of [() => sleep.exec(), () => there.db.transaction((tx) => sleep.execTx(tx))]) {
        const error = sqlErrorOf(call());
        await setTimeout(100);
        wire.cut();
        expect(await error).toMatchObject({ code: "CONNECTION_LOST" });
        expect(await served()).toBe(2);
      }
      await everythingIsBack();
    });

    test("idle connections that are cut do not end the process", async () => {
      await Promise.all([1, 2, 3].map(() => accounts().count().exec()));
      wire.cut();
      expect(await served()).toBe(2);
      await everythingIsBack();
    });

    test("a connection closed by the server is CONNECTION_LOST, and its transaction is rolled back", async () => {
      const dying = there.db.transaction(async (tx) => {
        await accounts().modify().set("amount", "a").where("id", "=", "id").exec({ a: 1, id: 1 }, { tx });
        // MariaDB's own list of transactions is a tenth of a second old.
        await setTimeout(150);
        for (const row of await lent.run(running[server.name] ?? ""))
          await lent.run(
            server.name === "postgres"
              ? `SELECT pg_terminate_backend(${(row as { id: number }).id})`
              : `KILL ${(row as { id: number }).id}`,
          );
        await setTimeout(50);
        await accounts().modify().set("amount", "a").where("id", "=", "id").exec({ a: 1, id: 2 }, { tx });
      });
      expect(await sqlErrorOf(dying)).toMatchObject({ code: "CONNECTION_LOST" });
      await everythingIsBack();
      expect(await amounts()).toEqual([500, 500]);
    });

    test("a signal ends a call on a silent connection, and closes the connection", async () => {
      const update = accounts().modify().set("amount", "a").where("id", "=", "id");
      const calls: readonly ((signal: AbortSignal, goSilent: () => void) => Promise<unknown>)[] = [
        (signal, goSilent) => {
          goSilent();
          return accounts().count().exec(undefined, { signal });
        },
        (signal, goSilent) => {
          goSilent();
          return update.exec({ a: 1, id: 1 }, { signal });
        },
        (signal, goSilent) =>
          there.db.transaction(
            async (tx) => {
              await update.exec({ a: 500, id: 1 }, { tx });
              goSilent();
            },
            { signal },
          ),
        (signal, goSilent) =>
          there.db.transaction(
            async (tx) => {
              goSilent();
              await update.exec({ a: 1, id: 1 }, { tx });
            },
            { signal },
          ),
        (signal, goSilent) =>
          there.db.transaction(
            async (tx) => {
              goSilent();
              await tx.transaction((inner) => update.exec({ a: 1, id: 1 }, { tx: inner }));
            },
            { signal },
          ),
      ];
      for (const [i, call] of calls.entries()) {
        await served();
        const controller = new AbortController();
        const goSilent = () => {
          wire.goSilent();
          globalThis.setTimeout(() => controller.abort(), 100);
        };
        const begin = performance.now();
        const error = await sqlErrorOf(call(controller.signal, goSilent));
        // The outcome of a COMMIT is then unknown.
        expect(error.code).toBe(i === 2 ? "UNKNOWN_OUTCOME" : "ABORTED");
        expect(performance.now() - begin).toBeLessThan(HANG_MS);
        wire.speak();
        wire.cut();
        expect(await served()).toBe(2);
      }
      await everythingIsBack();
    });

    test("an aborted statement is cancelled at the server too, wherever it waits", async () => {
      const update = accounts().modify().set("amount", "a").where("id", "=", "id");
      await lent.db.transaction(async (holder) => {
        await (lent.db as unknown as Database<"mariadb">)
          .repository(Account)
          .modify()
          .set("amount", "a")
          .where("id", "=", "id")
          .exec({ a: 500, id: 1 }, { tx: holder });
        const waiting = [
          () => update.exec({ a: 1, id: 1 }, { signal: AbortSignal.timeout(100) }),
          () =>
            accounts()
              .remove()
              .where("id", "=", "id")
              .exec({ id: 1 }, { signal: AbortSignal.timeout(100) }),
          () =>
            there.db.transaction(async (tx) => {
              await update.exec({ a: 1, id: 2 }, { tx });
              await update.exec({ a: 1, id: 1 }, { tx, signal: AbortSignal.timeout(100) });
            }),
          () =>
            there.db.transaction((tx) => update.exec({ a: 1, id: 1 }, { tx }), {
              signal: AbortSignal.timeout(100),
            }),
        ];
        const begin = performance.now();
        for (const call of waiting) expect(await sqlErrorOf(call())).toMatchObject({ code: "ABORTED" });
        // MariaDB waits 50 s for a lock, and PostgreSQL for ever.
        expect(performance.now() - begin).toBeLessThan(HANG_MS);
        await poolIsWhole(there);
      });
      // What was aborted does not go on when the lock is gone.
      await everythingIsBack();
      expect(await amounts()).toEqual([500, 500]);
      expect(await accounts().count().exec()).toBe(2);
    });

    test("hundreds of aborted calls leave the pool unchanged, and the next call succeeds", async () => {
      for (let round = 0; round < 10; round++) {
        const calls = Array.from({ length: 30 }, (_, i) =>
          accounts()
            .count()
            .exec(undefined, { signal: AbortSignal.timeout(i % 7) }),
        );
        for (const outcome of await Promise.allSettled(calls))
          if (outcome.status === "fulfilled") expect(outcome.value).toBe(2);
          else expect(outcome.reason).toMatchObject({ code: "ABORTED" });
        expect(await accounts().count().exec()).toBe(2);
      }
      await everythingIsBack();
    });

    test("a signal that aborts the wait for a connection lets the next call have it", async () => {
      const one = connected(1);
      const single = one.db.repository(Account);
      await one.db.transaction(async () => {
        const signal = AbortSignal.timeout(30);
        const calls = [1, 2, 3].map(() => sqlErrorOf(single.count().exec({ signal, tx: null })));
        for (const { code } of await Promise.all(calls)) expect(code).toBe("ABORTED");
      });
      expect(await single.count().exec()).toBe(2);
      expect(one.lentOut()).toBe(0);
      await one.end();
    });

    test.each(["before", "after"] as const)(
      "a connection cut just %s the server receives COMMIT is an unknown outcome, all or nothing",
      async (when) => {
        for (let round = 0; round < 10; round++) {
          await served();
          wire.cutAt("COMMIT", when);
          const ending = there.db.transaction(async (tx) => {
            const add = tx.repository(Pair).insert();
            await add.exec({ id: 2 * round, round });
            await add.exec({ id: 2 * round + 1, round });
          });
          const error = await ending.then(
            () => undefined,
            (reason: unknown) => reason,
          );
          await serverIsIdle(server.name, lent);
          const stored = await lent.run(`SELECT id FROM pairs WHERE round = ${round}`);
          if (error === undefined) expect(stored).toHaveLength(2);
          else {
            expect(error).toMatchObject({ code: "UNKNOWN_OUTCOME" });
            expect([0, 2]).toContain(stored.length);
            if (when === "before") expect(stored).toHaveLength(0);
          }
        }
        await everythingIsBack();
      },
    );
  });
