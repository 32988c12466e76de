/** Transactions: all or nothing, savepoints, and what may not be done in one. */
import { setTimeout } from "node:timers/promises";
import Sqlite from "better-sqlite3";
import { sqlite } from "rowtype/sqlite";
import { expect, test } from "vitest";
import { z } from "zod";
import { onEachServer } from "../../kit/each-server.js";
import { Team } from "../../kit/people.js";
import { sqlErrorOf } from "../../kit/thrown.js";

onEachServer("transactions", (world) => {
  test("commits the callback's changes, and returns its result", async () => {
    const { db, teams } = world();
    const result = await db.transaction(async (tx) => {
      await tx.repository(Team).insert().exec({ id: 3, title: "Three" });
      expect(await teams.count().exec(undefined, { tx })).toBe(3);
      return "done";
    });
    expect(result).toBe("done");
    expect(await teams.count().exec()).toBe(3);
  });

  test("rolls back when the callback rejects, and rejects with its error", async () => {
    const { db, teams } = world();
    const failure = new Error("no");
    const running = db.transaction(async (tx) => {
      await teams.insert().exec({ id: 3, title: "Three" }, undefined, { tx });
      throw failure;
    });
    await expect(running).rejects.toBe(failure);
    expect(await teams.count().exec()).toBe(2);
  });

  test("execTx is short for the option tx", async () => {
    const { db, teams } = world();
    await db.transaction(async (tx) => {
      await teams.insert().execTx(tx, { id: 3, title: "Three" });
      expect(await teams.select().where("id", "=", "id").execTx(tx, { id: 3 })).toEqual({
        id: 3,
        title: "Three",
      });
      expect(await teams.query().execTx(tx)).toHaveLength(3);
      expect(await teams.remove().where("id", "=", "id").execTx(tx, { id: 3 })).toBe(1);
    });
  });

  test("an inner transaction rolls back by itself", async () => {
    const { db, teams } = world();
    await db.transaction(async (tx) => {
      await teams.insert().exec({ id: 3, title: "Three" }, undefined, { tx });
      const inner = tx.transaction(async (nested) => {
        await nested.repository(Team).insert().exec({ id: 4, title: "Four" });
        await nested.repository(Team).insert().exec({ id: 4, title: "again" });
      });
      expect(await sqlErrorOf(inner)).toMatchObject({ code: "UNIQUE_VIOLATION", fields: ["id"] });
      await tx.transaction((nested) => nested.repository(Team).insert().exec({ id: 5, title: "Five" }));
    });
    const rows = await teams.query().fields("id").orderBy("id", "asc").exec();
    expect(rows.map(({ id }) => id)).toEqual([1, 2, 3, 5]);
  });

  test("concurrent inner transactions do not mix", async () => {
    const { db, teams } = world();
    await db.transaction(async (tx) => {
      const add = (id: number) =>
        tx.transaction(async (nested) => {
          await nested
            .repository(Team)
            .insert()
            .exec({ id, title: `t${id}` });
          await setTimeout(1);
          if (id % 2 === 0) throw new Error("even");
        });
      await Promise.allSettled([3, 4, 5, 6].map(add));
    });
    const rows = await teams.query().fields("id").orderBy("id", "asc").exec();
    expect(rows.map(({ id }) => id)).toEqual([1, 2, 3, 5]);
  });

  test("using the outer transaction from inside the inner one fails at once", async () => {
    const { db } = world();
    await db.transaction(async (tx) => {
      const inner = tx.transaction(async () => tx.transaction(async () => undefined));
      expect(await sqlErrorOf(inner)).toMatchObject({ code: "TRANSACTION_REQUIRED" });
    });
  });

  test("a statement after the end is TRANSACTION_CLOSED and never runs", async () => {
    const { db, teams } = world();
    const tx = await db.transaction(async (running) => running);
    expect(await sqlErrorOf(teams.insert().exec({ id: 3, title: "late" }, undefined, { tx }))).toMatchObject({
      code: "TRANSACTION_CLOSED",
    });
    expect(await sqlErrorOf(tx.transaction(async () => undefined))).toMatchObject({
      code: "TRANSACTION_CLOSED",
    });
    expect(await teams.count().exec()).toBe(2);
  });

  test("an inner transaction's tx is closed when it has ended", async () => {
    const { db, teams } = world();
    await db.transaction(async (tx) => {
      const inner = await tx.transaction(async (nested) => nested);
      expect(await sqlErrorOf(teams.count().exec(undefined, { tx: inner }))).toMatchObject({
        code: "TRANSACTION_CLOSED",
      });
    });
  });

  test("a statement of the outer transaction waits for an open inner one, and is not rolled back with it", async () => {
    const { db, teams } = world();
    await db.transaction(async (tx) => {
      const inner = tx
        .transaction(async () => {
          await setTimeout(20);
          throw new Error("inner");
        })
        .catch(() => "undone");
      await setTimeout(5);
      await teams.insert().exec({ id: 50, title: "outer" }, undefined, { tx });
      expect(await inner).toBe("undone");
    });
    expect(await teams.count().where("id", "=", "id").exec({ id: 50 })).toBe(1);
  });

  test("a statement that outlives its failed inner transaction never runs", async () => {
    const { db, teams } = world();
    let late: Promise<unknown> | undefined;
    await db.transaction(async (tx) => {
      const inner = tx.transaction(async (nested) => {
        setImmediate(() => {
          late = sqlErrorOf(teams.insert().exec({ id: 80, title: "late" }, undefined, { tx: nested }));
        });
        throw new Error("inner");
      });
      await expect(inner).rejects.toThrow("inner");
      await setTimeout(10);
    });
    expect(await late).toMatchObject({ code: "TRANSACTION_CLOSED" });
    expect(await teams.count().where("id", "=", "id").exec({ id: 80 })).toBe(0);
  });

  test("an inner transaction that is not awaited ends before the commit", async () => {
    const { db, teams } = world();
    await db.transaction(async (tx) => {
      void tx.transaction(async (nested) => {
        await nested.repository(Team).insert().exec({ id: 60, title: "a" });
        await setTimeout(10);
        await nested.repository(Team).insert().exec({ id: 61, title: "b" });
      });
      await setTimeout(2);
    });
    expect(await teams.count().where("id", ">=", "id").exec({ id: 60 })).toBe(2);
  });

  test("work that began in an inner transaction may use the outer one after the inner has ended", async () => {
    const { db, teams } = world();
    await db.transaction(async (tx) => {
      let later: (() => Promise<unknown>) | undefined;
      await tx.transaction(async () => {
        const { AsyncResource } = await import("node:async_hooks");
        later = AsyncResource.bind(() =>
          tx.transaction(async () =>
            teams
              .count()
              .exec(undefined, { tx })
              .catch((e) => e.code),
          ),
        );
      });
      expect(await later?.()).toBe("TRANSACTION_REQUIRED");
    });
  });

  test("a batch inside a transaction rolls back by itself", async () => {
    const { db, teams } = world();
    await db.transaction(async (tx) => {
      await teams.insert().exec({ id: 3, title: "Three" }, undefined, { tx });
      const batch = teams.insert().execBatch(
        [
          { id: 4, title: "Four" },
          { id: 1, title: "again" },
        ],
        undefined,
        { tx },
      );
      expect(await sqlErrorOf(batch)).toMatchObject({ code: "UNIQUE_VIOLATION" });
    });
    expect(await teams.count().exec()).toBe(3);
  });

  test("concurrent transactions are each atomic", async () => {
    const { db, teams } = world();
    const runs = Array.from({ length: 20 }, (_, i) =>
      db.transaction(async (tx) => {
        await teams.insert().exec({ id: 100 + 2 * i, title: "a" }, undefined, { tx });
        await setTimeout(i % 3);
        await teams.insert().exec({ id: 101 + 2 * i, title: "b" }, undefined, { tx });
        if (i % 4 === 0) throw new Error("back");
      }),
    );
    await Promise.allSettled(runs);
    expect(await teams.count().exec()).toBe(2 + 30);
  });

  test("an aborted call and an aborted transaction change nothing", async () => {
    const { db, teams } = world();
    const signal = AbortSignal.abort();
    expect(await sqlErrorOf(teams.remove().where("id", ">", "id").exec({ id: 0 }, { signal }))).toMatchObject(
      { code: "ABORTED" },
    );
    const controller = new AbortController();
    const running = db.transaction(
      async (tx) => {
        await teams.insert().exec({ id: 3, title: "Three" }, undefined, { tx });
        controller.abort();
      },
      { signal: controller.signal },
    );
    expect(await sqlErrorOf(running)).toMatchObject({ code: "ABORTED" });
    expect(await teams.count().exec()).toBe(2);
  });

  test("a tx that was kept is refused in every later transaction, and disturbs none", async () => {
    const { db, teams } = world();
    let innermost: Parameters<Parameters<typeof db.transaction>[0]>[0] | undefined;
    const outer = await db.transaction(async (tx) => {
      await tx.transaction(async (inner) => {
        innermost = inner;
      });
      return tx;
    });
    const failed = innermost;
    if (failed === undefined) throw new Error("there was no inner transaction");
    const late = async () => {
      for (const kept of [outer, failed])
        for (const call of [
          () => kept.repository(Team).insert().exec({ id: 90, title: "late" }),
          () => teams.insert().exec({ id: 91, title: "late" }, undefined, { tx: kept }),
          () => kept.repository(Team).query().stream()[Symbol.asyncIterator]().next(),
          () => teams.insert().execBatch([{ id: 92, title: "late" }], undefined, { tx: kept }),
          () => kept.sql("DELETE FROM teams").exec(),
          () => kept.transaction(async () => undefined),
        ])
          expect(await sqlErrorOf(call())).toMatchObject({ code: "TRANSACTION_CLOSED" });
    };
    // On every connection of the pool, the first one's too, in its savepoints, and after a failure in it.
    const again = (id: number) =>
      db.transaction(async (tx) => {
        await teams.insert().execTx(tx, { id, title: "mine" });
        await late();
        const inner = tx.transaction(async (nested) => {
          await teams.insert().execTx(nested, { id: id + 1, title: "undone" });
          await late();
          throw new RangeError("inner");
        });
        await expect(inner).rejects.toThrow(RangeError);
        await late();
      });
    await Promise.all([100, 200, 300, 400].map(again));
    const rows = await teams.query().fields("id").orderBy("id", "asc").exec();
    expect(rows.map(({ id }) => id)).toEqual([1, 2, 100, 200, 300, 400]);
  });

  test("a stream goes on while savepoints begin, are released and are undone, and leaves nothing", async () => {
    const { db } = world();
    const teams = db.repository(Team);
    // More than two pages.
    await teams.insert().execBatch(Array.from({ length: 600 }, (_, i) => ({ id: 1_000 + i, title: "t" })));
    const seen: number[] = [];
    const running = db.transaction(async (tx) => {
      const rows = teams.query().where("id", ">=", "id").where("id", "<", "to").orderBy("id", "asc");
      for await (const { id } of rows.stream({ id: 1_000, to: 1_600 }, { tx })) {
        seen.push(id);
        if (id % 50 !== 0) continue;
        const inner = tx.transaction(async (nested) => {
          await teams.insert().execTx(nested, { id: id + 5_000, title: "inner" });
          // One of the inner transaction's own ends with it.
          const own = rows.stream({ id: 1_000, to: 1_600 }, { tx: nested })[Symbol.asyncIterator]();
          expect((await own.next()).value?.id).toBe(1_000);
          if (id % 100 === 0) throw new RangeError("undone");
        });
        await inner.catch((error) => {
          if (!(error instanceof RangeError)) throw error;
        });
      }
    });
    if ((db.dialect as string) === "mariadb") {
      expect(await sqlErrorOf(running)).toMatchObject({ code: "UNSUPPORTED" });
      return;
    }
    await running;
    expect(seen).toEqual(Array.from({ length: 600 }, (_, i) => 1_000 + i));
    const stored = await teams
      .query()
      .fields("id")
      .where("id", ">=", "id")
      .orderBy("id", "asc")
      .exec({ id: 6_000 });
    expect(stored.map(({ id }) => id)).toEqual([1, 3, 5, 7, 9, 11].map((n) => 6_000 + n * 50));
  });

  test.each(["undone", "released"] as const)(
    "a stream that is left while a savepoint is open ends, and the savepoint is %s",
    async (end) => {
      const { db } = world();
      const teams = db.repository(Team);
      await teams.insert().execBatch(Array.from({ length: 600 }, (_, i) => ({ id: 1_000 + i, title: "t" })));
      if ((db.dialect as string) === "mariadb") return;
      await db.transaction(async (tx) => {
        const rows = teams.query().orderBy("id", "asc").stream(undefined, { tx })[Symbol.asyncIterator]();
        await rows.next();
        const inner = tx.transaction(async (nested) => {
          await teams.insert().execTx(nested, { id: 9_000, title: "inner" });
          await rows.return?.();
          if (end === "undone") throw new RangeError("undone");
        });
        await inner.catch(() => undefined);
        expect(await rows.next()).toEqual({ done: true, value: undefined });
        const left: Readonly<Record<string, string>> = {
          postgres: "SELECT count(*) AS n FROM pg_cursors WHERE name LIKE 'rowtype%'",
          sqlite: "SELECT count(*) AS n FROM temp.sqlite_master",
        };
        const text = left[db.dialect as string];
        if (text !== undefined) {
          const [row] = await tx.sql(text, z.object({ n: z.coerce.number() })).exec();
          expect(row).toEqual({ n: 0 });
        }
      });
      expect(await teams.count().where("id", "=", "id").exec({ id: 9_000 })).toBe(end === "undone" ? 0 : 1);
    },
  );

  test("a tx that is not a transaction is refused", async () => {
    const { teams } = world();
    expect(await sqlErrorOf(teams.count().exec(undefined, { tx: {} as never }))).toMatchObject({
      code: "TRANSACTION_REQUIRED",
    });
  });
});

test("on SQLite the database inside its own transaction fails at once, and other calls wait", async () => {
  const handle = new Sqlite(":memory:");
  const db = sqlite(handle);
  const teams = db.repository(Team);
  await db.createTables(Team);
  await db.transaction(async (tx) => {
    await teams.insert().exec({ id: 3, title: "Three" }, undefined, { tx });
    expect(await sqlErrorOf(teams.count().exec())).toMatchObject({ code: "TRANSACTION_REQUIRED" });
    expect(await sqlErrorOf(db.transaction(async () => undefined))).toMatchObject({
      code: "TRANSACTION_REQUIRED",
    });
    // Another database over the same handle is the same connection.
    const other = sqlite(handle).repository(Team);
    expect(await sqlErrorOf(other.count().exec())).toMatchObject({ code: "TRANSACTION_REQUIRED" });
  });
  const running = db.transaction(async (tx) => {
    await setTimeout(5);
    await teams.insert().exec({ id: 4, title: "Four" }, undefined, { tx });
  });
  expect(await teams.count().exec()).toBe(2);
  await running;
  handle.close();
});

test("a database without a handle renders and never executes", async () => {
  const db = sqlite();
  const teams = db.repository(Team);
  expect(teams.count().render().sql).toBe('SELECT COUNT(*) FROM "teams"');
  expect(await sqlErrorOf(teams.count().exec())).toMatchObject({ code: "NO_CONNECTION" });
  expect(await sqlErrorOf(db.transaction(async () => undefined))).toMatchObject({ code: "NO_CONNECTION" });
  expect(await sqlErrorOf(db.createTables(Team))).toMatchObject({ code: "NO_CONNECTION" });
});
