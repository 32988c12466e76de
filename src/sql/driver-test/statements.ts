/** Single statements: rows, counts, texts that are kept. */
import { errorOf, failsWith, holds, same } from "./checks.js";
import { statement, type TestGroup, type World } from "./world.js";

const countOf = async (world: World) => (await world.ids()).length;

/** A text of two statements is refused, and none of them is executed. */
function twoStatements(name: string, second: string): TestGroup["tests"][number] {
  return [
    `one statement: ${name} is an error, and none is executed`,
    async (world) => {
      await world.table([1]);
      for (const rows of [true, false])
        await errorOf(
          () => world.driver.run(statement(`INSERT INTO t (id) VALUES (2)${second}`, [], { rows })),
          "a text of two statements",
        );
      same(await world.ids(), [1], "the rows after a text of two statements");
    },
  ];
}

export const statementTests: TestGroup = {
  tests: [
    [
      "rows: none are an empty list",
      async (world) => {
        await world.table();
        same(await world.rows("SELECT id FROM t"), [], "the rows of an empty table");
      },
    ],
    [
      "rows: ten thousand come in their order",
      async (world) => {
        const ids = Array.from({ length: 10_000 }, (_, i) => i);
        await world.table(ids);
        same(await world.ids(), ids, "ten thousand rows");
      },
    ],
    [
      "rows: three hundred columns",
      async (world) => {
        const numbers = Array.from({ length: 300 }, (_, i) => i);
        const sql = `SELECT ${numbers.map((n) => `'v${n}' AS c${n}`).join(", ")}`;
        const rows = await world.rows(sql).catch((error: unknown) => {
          // A server that takes fewer says so.
          if (/too many columns/i.test(String(error))) return undefined;
          throw error;
        });
        if (rows === undefined) return;
        same(rows, [numbers.map((n) => `v${n}`)], "a row of 300 columns");
      },
    ],
    [
      "rows: two columns of one name are two values",
      async (world) => {
        same(await world.rows("SELECT 'a' AS c, 'b' AS c"), [["a", "b"]], "two columns of one name");
      },
    ],
    [
      "rows: names of columns that objects have already",
      async (world) => {
        const { rows, columns } = await world.driver.run(
          statement(
            `SELECT 'a' AS ${quoted(world, "__proto__")}, 'b' AS ${quoted(world, "constructor")}`,
            [],
            { rows: "unknown" },
          ),
        );
        same(rows, [["a", "b"]], "columns with the names of members of objects");
        same(columns, ["__proto__", "constructor"], "the names of the columns");
      },
    ],
    [
      "rows: columns that are named by numbers keep their order",
      async (world) => {
        same(
          await world.rows(`SELECT 'a' AS ${quoted(world, "2")}, 'b' AS ${quoted(world, "1")}`),
          [["a", "b"]],
          "columns named 2 and 1",
        );
      },
    ],
    [
      "rows: those of a change",
      async (world) => {
        await world.table();
        same(
          await world.rows("INSERT INTO t (id, name) VALUES (1, 'a') RETURNING name"),
          [["a"]],
          "the rows of an insert",
        );
      },
    ],
    [
      "unknown: a text of the caller's gives the names of its columns",
      async (world) => {
        const { rows, columns } = await world.driver.run(
          statement("SELECT 'x' AS one, 'y' AS two", [], { rows: "unknown" }),
        );
        same([rows, columns], [[["x", "y"]], ["one", "two"]], "rows and names");
      },
    ],
    [
      "unknown: a text of the caller's that changes rows gives their number",
      async (world) => {
        await world.table([1, 2]);
        const { rows, affected } = await world.driver.run(
          statement("DELETE FROM t", [], { rows: "unknown" }),
        );
        same([rows, affected], [[], 2], "rows and affected of a DELETE");
      },
    ],
    [
      "affected: of an insert of three rows",
      async (world) => {
        await world.table();
        same(await world.send("INSERT INTO t (id) VALUES (1), (2), (3)"), 3, "affected");
      },
    ],
    [
      "affected: of an update, the rows that meet its condition",
      async (world) => {
        await world.table([1, 2, 3]);
        same(await world.send("UPDATE t SET name = 'x' WHERE id > 1"), 2, "affected");
      },
    ],
    [
      "affected: of an update that changes no value, the rows that it met",
      async (world) => {
        await world.table([1, 2, 3]);
        await world.send("UPDATE t SET name = 'x'");
        same(await world.send("UPDATE t SET name = 'x'"), 3, "affected of an update to the same value");
      },
    ],
    [
      "affected: of a statement that meets no row",
      async (world) => {
        await world.table([1]);
        same(await world.send("DELETE FROM t WHERE id = 9"), 0, "affected");
      },
    ],
    [
      "affected: a statement that changes no rows does not count those before it",
      async (world) => {
        await world.table();
        await world.send("INSERT INTO t (id) VALUES (1), (2)");
        same(await world.send("CREATE TABLE u (id INTEGER)"), 0, "affected of CREATE TABLE");
      },
    ],
    twoStatements("two inserts", "; INSERT INTO t (id) VALUES (3)"),
    twoStatements("a second statement after a comment", " /* ; */; DELETE FROM t"),
    twoStatements("a second statement after a line comment", "; -- end\nDELETE FROM t"),
    [
      "one statement: a semicolon in a text is none",
      async (world) => {
        same(await world.rows("SELECT ';' AS a, 'b;--' AS b"), [[";", "b;--"]], "texts with semicolons");
      },
    ],
    [
      "kept texts: a table that gets a column",
      async (world) => {
        await world.table([1]);
        const text = {};
        const ask = async () =>
          (await world.driver.run(statement("SELECT * FROM t", [], { text }))).rows[0]?.length;
        for (let time = 0; time < 3; time++) same(await ask(), 2, "the number of columns");
        await world.send("ALTER TABLE t ADD COLUMN more INTEGER");
        for (let time = 0; time < 3; time++) same(await ask(), 3, "the number of columns after ALTER TABLE");
      },
    ],
    [
      "kept texts: a table that is made again",
      async (world) => {
        await world.table([1]);
        const text = {};
        const ask = async () =>
          (await world.driver.run(statement("SELECT id FROM t", [], { text }))).rows.length;
        for (let time = 0; time < 3; time++) same(await ask(), 1, "the number of rows");
        await world.send("DROP TABLE t");
        await world.table([1, 2]);
        for (let time = 0; time < 3; time++) same(await ask(), 2, "the number of rows of the new table");
      },
    ],
    [
      "kept texts: two thousand",
      async (world) => {
        await world.table([1]);
        const began = performance.now();
        for (let from = 0; from < 2_000; from += 50) {
          // A slow database is asked for more texts than anybody keeps, and not for all.
          if (from >= 100 && performance.now() - began > 2_000) return;
          // Several at once: one behind a network may take a while for each.
          const texts = Array.from({ length: 50 }, (_, i) => from + i + 1);
          const found = await Promise.all(texts.map((n) => world.rows(`SELECT id FROM t WHERE id > -${n}`)));
          for (const [i, n] of texts.entries()) same(found[i]?.length, 1, `the rows of text ${n}`);
        }
      },
    ],
    [
      "kept texts: two texts in turns",
      async (world) => {
        const [a, b] = [{}, {}];
        for (let time = 0; time < 5; time++) {
          same(
            (await world.driver.run(statement("SELECT 'a' AS v", [], { text: a }))).rows,
            [["a"]],
            "the first text",
          );
          same(
            (await world.driver.run(statement("SELECT 'b' AS v", [], { text: b }))).rows,
            [["b"]],
            "the second text",
          );
        }
      },
    ],
    [
      "parameters: as many as the dialect takes",
      async (world) => {
        const { place, whole } = world.words;
        const mostParams = Math.min(world.words.mostParams, world.driver.mostParams ?? Infinity);
        await world.table([7]);
        const places = Array.from({ length: mostParams }, (_, i) => place(i + 1)).join(", ");
        const values = Array.from({ length: mostParams }, (_, i) => whole(i === mostParams - 1 ? 7 : -1));
        same(
          (await world.rows(`SELECT id FROM t WHERE id IN (${places})`, values)).length,
          1,
          "the rows found by the last parameter",
        );
      },
    ],
    [
      "parameters: too few are an error",
      async (world) => {
        await world.table([1]);
        const { place } = world.words;
        await errorOf(
          () =>
            world.rows(`SELECT id FROM t WHERE id = ${place(1)} OR id = ${place(2)}`, [world.words.whole(1)]),
          "too few values",
        );
        same(await countOf(world), 1, "the rows after it");
      },
    ],
    [
      "an error: a text that is no SQL, and the driver goes on",
      async (world) => {
        await failsWith(() => world.db.sql("SELEC 1").exec(), "QUERY_FAILED", "a text that is no SQL");
        await world.table([1]);
        same(await world.ids(), [1], "the rows after an error");
      },
    ],
    [
      "an error: a table that is not there",
      (world) =>
        failsWith(
          () => world.db.sql("SELECT * FROM missing").exec(),
          "QUERY_FAILED",
          "a table that is not there",
        ),
    ],
    ["ping answers", (world) => world.db.ping()],
    [
      "a hundred calls at once",
      async (world) => {
        await world.table([1]);
        const all = await Promise.all(Array.from({ length: 100 }, () => world.ids()));
        for (const ids of all) same(ids, [1], "one of a hundred calls at once");
      },
    ],
    [
      "calls at once get their own answers",
      async (world) => {
        const numbers = Array.from({ length: 50 }, (_, i) => String(i));
        const answers = await Promise.all(numbers.map((n) => world.rows(`SELECT '${n}' AS v`)));
        same(
          answers.map(([row]) => row?.[0]),
          numbers,
          "the answers to calls at once",
        );
      },
    ],
    [
      "a signal that has fired: nothing is sent",
      async (world) => {
        await world.table();
        const signal = AbortSignal.abort();
        await errorOf(
          () => world.driver.run(statement("INSERT INTO t (id) VALUES (1)", [], { rows: false }), signal),
          "a signal that has fired",
        );
        same(await world.ids(), [], "the rows after a call whose signal had fired");
      },
    ],
    [
      "a signal that fires later changes nothing",
      async (world) => {
        const controller = new AbortController();
        same(
          (await world.driver.run(statement("SELECT 'a' AS v"), controller.signal)).rows,
          [["a"]],
          "the rows",
        );
        controller.abort();
        same(await world.rows("SELECT 'b' AS v"), [["b"]], "the rows of the next call");
      },
    ],
    [
      "a signal ends a statement that runs, and the driver goes on",
      async (world) => {
        const { sleep } = world.words;
        // The only connection may be inside the process.
        if (sleep === undefined || world.driver.oneConnection === true) return;
        const begin = Date.now();
        await failsWith(
          () => world.db.sql(sleep).exec(undefined, { signal: AbortSignal.timeout(50) }),
          "ABORTED",
          "a statement whose signal fires",
        );
        holds(Date.now() - begin < 5_000, "a statement went on for 5 s after its signal");
        same(await world.rows("SELECT 'b' AS v"), [["b"]], "the rows of the next call");
      },
    ],
  ],
};

function quoted({ dialect }: World, name: string): string {
  return dialect === "mariadb" ? `\`${name}\`` : `"${name}"`;
}
