/** Transactions and savepoints. The tests speak to the driver itself. */
import type { ControlCommand } from "../driver/interface.js";
import { errorOf, same } from "./checks.js";
import type { TestGroup, World } from "./world.js";

/** These tests need transactions. */
export const needsConnections: NonNullable<TestGroup["needs"]> = ({ driver }) =>
  driver.connect === undefined ? "the driver has no connect()" : undefined;

async function levels(world: World): Promise<void> {
  for (const isolation of ["read committed", "repeatable read", "serializable"] as const) {
    const connection = await world.connect();
    await connection.begin(isolation);
    same(await world.rows("SELECT 'x' AS v", [], connection), [["x"]], `the rows at ${isolation}`);
    if (world.dialect === "postgres")
      same(
        await world.rows("SELECT current_setting('transaction_isolation')", [], connection),
        [[isolation]],
        "the isolation of the transaction",
      );
    await connection.control("commit");
    await connection.release(false);
  }
}

/** A test of the rows after steps in one transaction: a number stores the row of that id, a word is a command. */
function after(
  name: string,
  steps: readonly (number | ControlCommand)[],
  ids: readonly number[],
  what: string,
): TestGroup["tests"][number] {
  const test = async (world: World) => {
    await world.table();
    await world.inside(async (connection) => {
      for (const step of steps)
        if (typeof step === "number") await world.insert(step, connection);
        else await connection.control(step);
    });
    same(await world.ids(), ids, what);
  };
  return [name, test];
}

export const transactionTests: TestGroup = {
  needs: needsConnections,
  tests: [
    after("transaction: a commit stores", [1, 2, "commit"], [1, 2], "the rows after a commit"),
    [
      "transaction: a rollback undoes",
      async (world) => {
        await world.table([1]);
        await world.inside(async (connection) => {
          await world.insert(2, connection);
          await world.send("DELETE FROM t WHERE id = 1", [], connection);
          await connection.control("rollback");
        });
        same(await world.ids(), [1], "the rows after a rollback");
      },
    ],
    [
      "transaction: it reads what it wrote",
      async (world) => {
        await world.table();
        await world.inside(async (connection) => {
          await world.insert(1, connection);
          same(await world.ids(connection), [1], "the rows inside the transaction");
          await connection.control("rollback");
        });
      },
    ],
    [
      "transaction: others do not read what is not committed",
      async (world) => {
        if (world.driver.oneConnection === true) return;
        await world.table();
        await world.inside(async (connection) => {
          await world.insert(1, connection);
          same(await world.ids(), [], "the rows outside an open transaction");
          await connection.control("commit");
        });
        same(await world.ids(), [1], "the rows after the commit");
      },
    ],
    [
      "transaction: of one connection, others wait for its end",
      async (world) => {
        if (world.driver.oneConnection !== true) return;
        await world.table();
        let outside: Promise<number[]> | undefined;
        await world.inside(async (connection) => {
          await world.insert(1, connection);
          outside = world.ids();
          outside.catch(() => undefined);
          await connection.control("rollback");
        });
        same(await outside, [], "the rows of a call that began inside a transaction of the only connection");
      },
    ],
    ["transaction: each isolation", levels],
    [
      "transaction: two in a row on the pool",
      async (world) => {
        await world.table();
        for (const id of [1, 2, 3])
          await world.inside(async (connection) => {
            await world.insert(id, connection);
            await connection.control(id === 2 ? "rollback" : "commit");
          });
        same(await world.ids(), [1, 3], "the rows");
      },
    ],
    [
      "transaction: after its end a statement is its own",
      async (world) => {
        await world.table();
        await world.inside((connection) => Promise.resolve(connection.control("rollback")));
        await world.insert(1);
        await world.inside((connection) => Promise.resolve(connection.control("rollback")));
        same(await world.ids(), [1], "the rows: a statement outside was inside a transaction");
      },
    ],
    after(
      "savepoint: a rollback to it undoes what came after",
      [1, "savepoint", 2, "rollback to savepoint", "release savepoint", 3, "commit"],
      [1, 3],
      "the rows after a rollback to a savepoint",
    ),
    after(
      "savepoint: a release keeps what came after",
      ["savepoint", 1, "release savepoint", "commit"],
      [1],
      "the rows after a release",
    ),
    after(
      "savepoint: the inner one is undone, the outer one kept",
      [
        "savepoint",
        1,
        "savepoint",
        2,
        "rollback to savepoint",
        "release savepoint",
        "release savepoint",
        "commit",
      ],
      [1],
      "the rows after two savepoints",
    ),
    after(
      "savepoint: the outer one is undone with the inner one",
      [
        "savepoint",
        1,
        "savepoint",
        2,
        "release savepoint",
        "rollback to savepoint",
        "release savepoint",
        "commit",
      ],
      [],
      "the rows after the outer savepoint was undone",
    ),
    after(
      "savepoint: a rollback of the whole undoes released ones",
      ["savepoint", 1, "release savepoint", "rollback"],
      [],
      "the rows after a rollback",
    ),
    [
      "savepoint: it takes a failed statement back",
      async (world) => {
        await world.table([1]);
        await world.inside(async (connection) => {
          await connection.control("savepoint");
          await errorOf(() => world.insert(1, connection), "a key that is there");
          await connection.control("rollback to savepoint");
          await connection.control("release savepoint");
          await world.insert(2, connection);
          await connection.control("commit");
        });
        same(await world.ids(), [1, 2], "the rows");
      },
    ],
    [
      "a commit that the server answers with a rollback is an error",
      async (world) => {
        if (world.dialect !== "postgres") return;
        await world.table([1]);
        const connection = await world.connect();
        await connection.begin();
        await world.insert(2, connection);
        await errorOf(() => world.insert(1, connection), "a key that is there");
        await errorOf(() => connection.control("commit"), "a commit after a failed statement");
        await connection.release(true);
        same(await world.ids(), [1], "the rows");
      },
    ],
  ],
};
