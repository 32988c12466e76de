/** What becomes of a step in which a runner died, of those before it and of those behind it. */
import { createHash } from "node:crypto";
import { migrate } from "rowtype/migrate";
import { expect, test } from "vitest";
import { onRunnerServers } from "./folders.js";

const NAME = "20260101_000000_first";
const CREATE = "CREATE TABLE u (id INTEGER NOT NULL PRIMARY KEY)";
const step = (words: string, sql: string) => `-- step ${words} (no transaction)\n${sql}\n`;
const insert = (id: number) => step(`insert ${id}`, `INSERT INTO t (id) VALUES (${id})`);

onRunnerServers("a step in which a runner died", (place) => {
  const run = () => migrate(place().db, { folder: place().folder.path });
  const ids = async () =>
    (await place().rows("SELECT id FROM t ORDER BY id")).map((row) => Number(Object(row).id));
  const record = async () => {
    const [row] = await place().rows("SELECT done, state FROM rowtype_migrations");
    return [Number(Object(row).done), Object(row).state];
  };

  /** Leaves the second of three steps as a runner does that died in it, before or after the server did it. */
  const leave = async (state: string, isDone: boolean) => {
    const { lent, folder, dialect } = place();
    await lent.run("CREATE TABLE t (id INTEGER NOT NULL PRIMARY KEY)");
    await lent.run(CREATE);
    folder.put(`${NAME}.sql`, insert(1) + step("create table u", CREATE) + insert(2));
    await expect(run()).rejects.toMatchObject({ code: "MIGRATION_FAILED", step: "create table u" });
    expect([await ids(), await record()]).toEqual([[1], [1, "failed"]]);
    if (!isDone) await lent.run("DROP TABLE u");
    const cursor = createHash("sha256").update(CREATE).digest("hex");
    const name = dialect === "mariadb" ? "`cursor`" : '"cursor"';
    await lent.run(`UPDATE rowtype_migrations SET state = '${state}', ${name} = '${cursor}'`);
  };
  const isApplied = async () => {
    expect((await run()).applied).toMatchObject([{ name: NAME }]);
    expect([await ids(), await record()]).toEqual([
      [1, 2],
      [3, "applied"],
    ]);
    expect(await place().rows("SELECT * FROM u")).toEqual([]);
    expect((await run()).applied).toEqual([]);
  };

  for (const state of ["stepping", "interrupted"]) {
    test(`${state}: what the database shows is passed over, and the steps behind it run once`, async ({
      skip,
    }) => {
      if (place().dialect === "sqlite") skip("a step of a file has happened with its record, or not at all");
      await leave(state, true);
      await isApplied();
    });

    test(`${state}: what the database does not show runs again`, async () => {
      await leave(state, false);
      await isApplied();
    });

    test(`${state}: what its author has changed since runs as it is now`, async () => {
      await leave(state, true);
      place().folder.put(
        `${NAME}.sql`,
        insert(1) +
          step("create table u", `DROP TABLE IF EXISTS u`) +
          step("create table u", CREATE) +
          insert(2),
      );
      expect((await run()).applied).toMatchObject([{ name: NAME }]);
      expect([await ids(), await record()]).toEqual([
        [1, 2],
        [4, "applied"],
      ]);
    });
  }
});
