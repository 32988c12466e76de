/** Connections as such: what is released, signals, locks, leaks. The tests speak to the driver itself and to builders. */
import { errorOf, failsWith, holds, inTime, same } from "./checks.js";
import { needsConnections } from "./transactions.js";
import { statement, type TestGroup, type World } from "./world.js";

export const connectionTests: TestGroup = {
  needs: needsConnections,
  tests: [
    [
      "release in doubt: nothing of an open transaction is stored",
      async (world) => {
        await world.table();
        const connection = await world.connect();
        await connection.begin();
        await world.insert(1, connection);
        await connection.release(true);
        same(
          await inTime(world.ids(), "a call after a release in doubt", 5_000),
          [],
          "the rows after a release in doubt",
        );
        await inTime(world.insert(1), "a write after a release in doubt", 5_000);
        same(await world.ids(), [1], "the rows after a write");
      },
    ],
    [
      "release: fifty connections, one after the other",
      async (world) => {
        for (let time = 0; time < 50; time++) {
          const connection = await inTime(world.connect(), `connection ${time + 1}`, 5_000);
          await connection.begin();
          await connection.control("commit");
          await connection.release(false);
        }
      },
    ],
    [
      "release in doubt: thirty connections, one after the other",
      async (world) => {
        for (let time = 0; time < 30; time++) {
          const connection = await inTime(world.connect(), `connection ${time + 1}`, 5_000);
          await connection.begin();
          await connection.release(true);
        }
        same(await world.rows("SELECT 'x' AS v"), [["x"]], "the rows");
      },
    ],
    [
      "a signal that has fired: no connection is lent",
      async (world) => {
        await failsWith(
          () => world.db.transaction(async () => 1, { signal: AbortSignal.abort() }),
          "ABORTED",
          "a transaction whose signal had fired",
        );
        for (let time = 0; time < 20; time++) {
          const late = await Promise.resolve(world.driver.connect?.(AbortSignal.abort())).catch(
            () => undefined,
          );
          await late?.release(false);
        }
        await inTime(
          world.db.transaction(async () => 1),
          "a transaction after it",
          5_000,
        );
      },
    ],
    [
      "a signal ends the wait for a connection, which is not lost",
      async (world) => {
        const held = await holdAll(world);
        const call = world.db.transaction(async () => 1, { signal: AbortSignal.timeout(50) });
        const failing = failsWith(() => call, "ABORTED", "the wait for a connection");
        await inTime(failing, "the wait for a connection", 5_000).finally(async () => {
          for (const one of held) await one.release(false);
        });
        for (let time = 0; time < 20; time++)
          same(
            await inTime(
              world.db.transaction(async () => time),
              "a transaction after it",
              5_000,
            ),
            time,
            "what a transaction gives",
          );
      },
    ],
    [
      "a signal that has fired: nothing is sent on a connection",
      async (world) => {
        await world.table();
        await world.inside(async (connection) => {
          await errorOf(
            () =>
              connection.run(
                statement("INSERT INTO t (id) VALUES (1)", [], { rows: false }),
                AbortSignal.abort(),
              ),
            "a signal that had fired",
          );
          await connection.control("rollback");
        });
        same(await world.ids(), [], "the rows");
      },
    ],
    [
      "builders: statements that are sent at once in a transaction",
      async (world) => {
        await world.table();
        await world.db.transaction(async (tx) => {
          const inserts = [1, 2, 3, 4, 5].map((id) => tx.sql(`INSERT INTO t (id) VALUES (${id})`).exec());
          same(await Promise.all(inserts), [1, 1, 1, 1, 1], "the numbers of rows");
        });
        same(await world.ids(), [1, 2, 3, 4, 5], "the rows");
      },
    ],
    [
      "builders: an error undoes the transaction, and an inner one its savepoint",
      async (world) => {
        await world.table([1]);
        await world.db.transaction(async (tx) => {
          await tx.sql("INSERT INTO t (id) VALUES (2)").exec();
          const inner = tx.transaction(async (inside) => {
            await inside.sql("INSERT INTO t (id) VALUES (3)").exec();
            await inside.sql("INSERT INTO t (id) VALUES (1)").exec();
          });
          await failsWith(() => inner, "UNIQUE_VIOLATION", "an inner transaction");
        });
        const failing = world.db.transaction(async (tx) => {
          await tx.sql("INSERT INTO t (id) VALUES (4)").exec();
          throw new Error("undone");
        });
        await errorOf(() => failing, "a transaction that fails");
        same(await world.ids(), [1, 2], "the rows");
      },
    ],
    [
      "native inside a transaction belongs to it",
      async (world) => {
        await world.table();
        const connection = await world.connect();
        await connection.begin();
        if (connection.native !== undefined) await connection.native("INSERT INTO t (id) VALUES (1)", []);
        await connection.control("rollback");
        await connection.release(false);
        same(await world.ids(), [], "the rows after a rollback");
      },
    ],
    [
      "a read-only transaction is READ_ONLY",
      async (world) => {
        if (world.dialect === "mariadb") return;
        await world.table();
        if (world.dialect === "postgres")
          return failsWith(
            () =>
              world.db.transaction(async (tx) => {
                await tx.sql("SET TRANSACTION READ ONLY").exec();
                await tx.sql("INSERT INTO t (id) VALUES (1)").exec();
              }),
            "READ_ONLY",
            "a write in a read-only transaction",
          );
        await world.db.sql("PRAGMA query_only = ON").exec();
        await failsWith(
          () => world.db.sql("INSERT INTO t (id) VALUES (1)").exec(),
          "READ_ONLY",
          "a write to a read-only database",
        );
      },
    ],
    [
      "two transactions that wait for each other: a DEADLOCK of one",
      async (world) => {
        if (world.driver.oneConnection === true || world.dialect === "sqlite") return;
        await world.table([1, 2]);
        const other: { go?: () => void } = {};
        const both = new Promise<void>((resolve) => {
          other.go = resolve;
        });
        let ready = 0;
        const lock = (first: number, second: number) =>
          world.db.transaction(async (tx) => {
            await tx.sql(`UPDATE t SET name = 'x' WHERE id = ${first}`).exec();
            if (++ready === 2) other.go?.();
            await both;
            await tx.sql(`UPDATE t SET name = 'x' WHERE id = ${second}`).exec();
          });
        const ended = await Promise.allSettled([lock(1, 2), lock(2, 1)]);
        const codes = ended.map((one) => (one.status === "rejected" ? Object(one.reason).code : "stored"));
        same(codes.sort(), ["DEADLOCK", "stored"], "the ends of two transactions that wait for each other");
      },
    ],
    [
      "a row that is locked: LOCK_TIMEOUT",
      async (world) => {
        if (world.driver.oneConnection === true || world.dialect === "sqlite") return;
        await world.table([1]);
        await world.inside(async (connection) => {
          await world.send("UPDATE t SET name = 'x' WHERE id = 1", [], connection);
          const call = world.db.transaction((tx) =>
            tx.sql("SELECT id FROM t WHERE id = 1 FOR UPDATE NOWAIT").exec(),
          );
          await failsWith(() => call, "LOCK_TIMEOUT", "a lock that another transaction holds");
          await connection.control("rollback");
        });
      },
    ],
    [
      "nothing is leaked by transactions that fail",
      async (world) => {
        const { openConnections } = world.opened;
        for (let time = 0; time < 25; time++)
          await errorOf(
            () =>
              world.db.transaction(async (tx) => {
                await tx.sql("SELECT 1 AS a").exec();
                throw new Error("undone");
              }),
            "a transaction that fails",
          );
        await inTime(
          world.db.transaction(async () => 1),
          "a transaction after 25 that failed",
          5_000,
        );
        if (openConnections !== undefined)
          same(await openConnections(), 0, "the connections that are lent when no transaction runs");
      },
    ],
    [
      "another connection is not the same transaction",
      async (world) => {
        if (world.driver.oneConnection === true) return;
        await world.table();
        const [a, b] = [await world.connect(), await world.connect()];
        await a.begin();
        await b.begin();
        await world.insert(1, a);
        await b.control("rollback");
        await a.control("commit");
        await a.release(false);
        await b.release(false);
        holds(
          (await world.ids()).length === 1,
          "the rollback of one connection undid the transaction of another",
        );
      },
    ],
  ],
};

/** Takes connections until the next one has to wait. */
async function holdAll(world: World) {
  const held: Awaited<ReturnType<World["connect"]>>[] = [];
  for (let time = 0; time < 30; time++) {
    const connecting = world.connect();
    const waits = new Promise<undefined>((resolve) => setTimeout(resolve, 200, undefined));
    const connection = await Promise.race([connecting, waits]);
    if (connection === undefined) {
      connecting.then((late) => late.release(false)).catch(() => undefined);
      break;
    }
    held.push(connection);
  }
  return held;
}
