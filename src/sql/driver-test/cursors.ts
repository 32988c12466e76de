/** Rows in pages. */
import { PAGE_ROWS } from "../contract/driver.js";
import type { Connection, Cursor } from "../driver/interface.js";
import { errorOf, fail, holds, same } from "./checks.js";
import { statement, type TestGroup, type World } from "./world.js";

const upTo = (count: number) => Array.from({ length: count }, (_, i) => i + 1);

async function withCursor(
  world: World,
  work: (cursor: Cursor, connection: Connection) => Promise<void>,
  sql = "SELECT id FROM t ORDER BY id",
): Promise<void> {
  await world.inside(async (connection) => {
    if (connection.open !== undefined) await work(await connection.open(statement(sql)), connection);
    await connection.control("commit");
  });
}

async function pagesOf(cursor: Cursor): Promise<number[]> {
  const ids: number[] = [];
  for (let page = 0; page < 100; page++) {
    const rows = await cursor.next();
    if (rows.length === 0) return ids;
    holds(rows.length <= PAGE_ROWS, `a page has ${rows.length} rows, and at most ${PAGE_ROWS} are expected`);
    ids.push(...rows.map(([id]) => Number(id)));
  }
  return fail("a cursor did not end after a hundred pages");
}

/** All rows of a table of this size come, each once. */
const whole = (count: number): TestGroup["tests"][number] => [
  `cursor: ${count} rows come once each, in order`,
  async (world) => {
    await world.table(upTo(count));
    await withCursor(world, async (cursor) =>
      same(await pagesOf(cursor), upTo(count), "the rows of all pages"),
    );
  },
];

export const cursorTests: TestGroup = {
  needs: ({ driver }) => (driver.connect === undefined ? "the driver has no connect()" : undefined),
  tests: [
    whole(0),
    whole(1),
    whole(PAGE_ROWS),
    whole(PAGE_ROWS + 1),
    whole(3_000),
    [
      "cursor: after the end there are no more rows",
      async (world) => {
        await world.table(upTo(3));
        await withCursor(world, async (cursor) => {
          await pagesOf(cursor);
          same(await cursor.next(), [], "a page after the end");
        });
      },
    ],
    [
      "cursor: after an early end the connection goes on",
      async (world) => {
        await world.table(upTo(1_000));
        await withCursor(world, async (cursor, connection) => {
          await cursor.next();
          await cursor.close();
          same(await world.rows("SELECT 'x' AS v", [], connection), [["x"]], "the rows after an early end");
        });
      },
    ],
    [
      "cursor: other statements between two pages",
      async (world) => {
        if (!world.words.hasTwoCursors) return;
        await world.table(upTo(600));
        await withCursor(world, async (cursor, connection) => {
          const first = await cursor.next();
          same((await world.ids(connection)).length, 600, "the rows of a statement between two pages");
          same(first.length + (await pagesOf(cursor)).length, 600, "the rows of all pages");
        });
      },
    ],
    [
      "cursor: it is a snapshot",
      async (world) => {
        if (!world.words.hasTwoCursors) return;
        await world.table(upTo(600));
        await withCursor(world, async (cursor, connection) => {
          const first = await cursor.next();
          await world.insert(5_000, connection);
          same(
            first.length + (await pagesOf(cursor)).length,
            600,
            "the rows, without those that came after it was opened",
          );
        });
      },
    ],
    [
      "cursor: inside a savepoint",
      async (world) => {
        await world.table(upTo(600));
        await world.inside(async (connection) => {
          await connection.control("savepoint");
          const cursor = await connection.open?.(statement("SELECT id FROM t ORDER BY id"));
          if (cursor !== undefined) same((await pagesOf(cursor)).length, 600, "the rows");
          await connection.control("release savepoint");
          await connection.control("commit");
        });
      },
    ],
    [
      "cursor: a text that fails",
      async (world) => {
        await world.inside(async (connection) => {
          const { open } = connection;
          if (open !== undefined)
            await errorOf(async () => {
              const cursor = await open.call(connection, statement("SELECT missing FROM nowhere"));
              await cursor.next();
            }, "a cursor of a text that fails");
          await connection.control("rollback");
        });
      },
    ],
    [
      "cursor: with values",
      async (world) => {
        await world.table(upTo(10));
        const { place, whole: asWhole } = world.words;
        await world.inside(async (connection) => {
          const cursor = await connection.open?.(
            statement(`SELECT id FROM t WHERE id > ${place(1)} ORDER BY id`, [asWhole(7)]),
          );
          if (cursor !== undefined) same(await pagesOf(cursor), [8, 9, 10], "the rows");
          await connection.control("commit");
        });
      },
    ],
    [
      "cursor: twenty that end early, one after the other",
      async (world) => {
        await world.table(upTo(600));
        for (let time = 0; time < 20; time++)
          await withCursor(world, async (cursor) => {
            await cursor.next();
            await cursor.close();
          });
        same((await world.ids()).length, 600, "the rows");
      },
    ],
  ],
};
