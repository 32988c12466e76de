/** Connections that are cut, statements of which all or none are stored, another database. */
import { errorOf, failsWith, inTime, same } from "./checks.js";
import { statement, type TestGroup } from "./world.js";

const LOST = ["CONNECTION_LOST", "UNKNOWN_OUTCOME"] as const;

export const lossTests: TestGroup = {
  needs: ({ breakConnection, driver }) => {
    if (driver.connect === undefined) return "the driver has no connect()";
    return breakConnection === undefined ? "open gives no breakConnection()" : undefined;
  },
  tests: [
    [
      "loss: of an idle connection, and the driver goes on",
      async (world) => {
        await world.rows("SELECT 'x' AS v");
        await world.opened.breakConnection?.();
        await goesOn(() => world.rows("SELECT 'x' AS v"));
      },
    ],
    [
      "loss: between two statements of a transaction",
      async (world) => {
        await world.table();
        const work = world.db.transaction(async (tx) => {
          await tx.sql("INSERT INTO t (id) VALUES (1)").exec();
          await world.opened.breakConnection?.();
          await tx.sql("INSERT INTO t (id) VALUES (2)").exec();
        });
        await failsWith(() => inTime(work, "a transaction on a lost connection"), LOST, "a lost connection");
        await goesOn(async () =>
          same(await world.ids(), [], "the rows of a transaction whose connection was lost"),
        );
      },
    ],
    [
      "loss: at the commit",
      async (world) => {
        await world.table();
        const work = world.db.transaction(async (tx) => {
          await tx.sql("INSERT INTO t (id) VALUES (1)").exec();
          await world.opened.breakConnection?.();
        });
        await failsWith(
          () => inTime(work, "a commit on a lost connection"),
          LOST,
          "a commit on a lost connection",
        );
        await goesOn(() => world.rows("SELECT 'x' AS v"));
      },
    ],
    [
      "loss: in a statement",
      async (world) => {
        const { sleep } = world.words;
        if (sleep === undefined) return;
        const call = world.db.transaction((tx) => tx.sql(sleep).exec());
        const failing = failsWith(
          () => inTime(call, "a statement on a lost connection"),
          LOST,
          "a lost connection",
        );
        await new Promise((resolve) => setTimeout(resolve, 100));
        await world.opened.breakConnection?.();
        await failing;
        await goesOn(() => world.rows("SELECT 'x' AS v"));
      },
    ],
  ],
};

/** A driver may hear of a cut connection a moment later. */
async function goesOn(work: () => Promise<unknown>): Promise<void> {
  for (let time = 0; ; time++) {
    try {
      await inTime(work(), "a call after a lost connection");
      return;
    } catch (error) {
      if (time === 5) throw error;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
}

export const atomicTests: TestGroup = {
  needs: ({ driver }) => (driver.atomic === undefined ? "the driver has no atomic()" : undefined),
  tests: [
    [
      "atomic: all statements, in order, with their results",
      async (world) => {
        await world.table();
        const results = await world.driver.atomic?.([
          statement("INSERT INTO t (id) VALUES (1)", [], { rows: false }),
          statement("UPDATE t SET name = 'x'", [], { rows: false }),
          statement("SELECT name FROM t"),
        ]);
        same(
          results?.map(({ affected, rows }) => rows[0]?.[0] ?? affected),
          [1, 1, "x"],
          "the results",
        );
      },
    ],
    [
      "atomic: none, if one fails",
      async (world) => {
        await world.table([1]);
        await errorOf(
          () =>
            world.driver.atomic?.([
              statement("INSERT INTO t (id) VALUES (2)", [], { rows: false }),
              statement("INSERT INTO t (id) VALUES (1)", [], { rows: false }),
            ]),
          "a statement that fails",
        );
        same(await world.ids(), [1], "the rows");
      },
    ],
    [
      "atomic: an empty list",
      async (world) => {
        same(await world.driver.atomic?.([]), [], "the results of nothing");
      },
    ],
  ],
};

export const elsewhereTests: TestGroup = {
  needs: ({ driver }) => (driver.elsewhere === undefined ? "the driver has no elsewhere()" : undefined),
  tests: [
    [
      "elsewhere: in memory, it is another database",
      async (world) => {
        if (world.dialect !== "sqlite") return;
        await world.table([1]);
        const other = world.driver.elsewhere?.("other");
        if (other === undefined) return;
        await errorOf(() => other.driver.run(statement("SELECT id FROM t")), "a table of the first database");
        await other.close();
        same(await world.ids(), [1], "the rows");
      },
    ],
  ],
};
