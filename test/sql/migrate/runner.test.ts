/** The runner on every server: what is applied, in which order, what is refused, and what stands after a failure. */
import { on } from "rowtype";
import { type MigrateOptions, MigrationError, migrate, type StepDone, status } from "rowtype/migrate";
import { expect, test } from "vitest";
import { onRunnerServers, type Place } from "./folders.js";

const TEAMS =
  "-- step create table teams\nCREATE TABLE teams (id INTEGER NOT NULL PRIMARY KEY, name VARCHAR(50));\n";
const SEED = "-- step seed the teams\nINSERT INTO teams (id, name) VALUES (1, 'red')\n";
const BLUE = "-- step add blue\nINSERT INTO teams (id, name) VALUES (2, 'blue')\n";

const errorOf = async (promise: Promise<unknown>): Promise<MigrationError> => {
  const error = await promise.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (error instanceof MigrationError) return error;
  throw error ?? new Error("a MigrationError was expected");
};

onRunnerServers(
  "the runner",
  (place) => {
    const run = (options: Partial<MigrateOptions> = {}) =>
      migrate(place().db, { folder: place().folder.path, ...options });
    const stand = () => status(place().db, { folder: place().folder.path });
    const teams = async ({ rows }: Place = place()) =>
      (await rows("SELECT name FROM teams ORDER BY id")).map((row) => Object(row).name ?? Object(row).NAME);
    const put = (file: string, text: string) => place().folder.put(file, text);
    const names = (list: readonly { readonly name: string }[]) => list.map(({ name }) => name);

    test("applies every file in the order of names, once", async () => {
      put("20260102_000000_seed.sql", SEED);
      put("20260101_000000_teams.sql", TEAMS);
      const steps: StepDone[] = [];
      const first = await run({ onStep: (step) => steps.push(step) });
      expect(first.applied).toEqual([
        { name: "20260101_000000_teams", steps: ["create table teams"] },
        { name: "20260102_000000_seed", steps: ["seed the teams"] },
      ]);
      expect(steps.map(({ name, step, index, steps }) => [name, step, index, steps])).toEqual([
        ["20260101_000000_teams", "create table teams", 0, 1],
        ["20260102_000000_seed", "seed the teams", 0, 1],
      ]);
      expect(await run()).toEqual({ applied: [], outOfOrder: [], pending: [] });
      expect(await teams()).toEqual(["red"]);
      const { applied, pending, failed } = await stand();
      expect(names(applied)).toEqual(["20260101_000000_teams", "20260102_000000_seed"]);
      expect([pending, failed]).toEqual([[], []]);
    });

    test("says where a database without records stands, and writes nothing for it", async () => {
      put("20260101_000000_teams.sql", TEAMS);
      expect(names((await stand()).pending)).toEqual(["20260101_000000_teams"]);
      expect((await run({ dryRun: true })).pending).toEqual([
        { name: "20260101_000000_teams", steps: ["create table teams"] },
      ]);
      await expect(place().rows("SELECT * FROM rowtype_migrations")).rejects.toThrow();
    });

    test("stops behind the migration of `to`, and refuses one that is not there", async () => {
      put("20260101_000000_teams.sql", TEAMS);
      put("20260102_000000_seed.sql", SEED);
      const { applied, pending } = await run({ to: "20260101_000000_teams" });
      expect([names(applied), names(pending)]).toEqual([["20260101_000000_teams"], ["20260102_000000_seed"]]);
      expect((await errorOf(run({ to: "absent" }))).code).toBe("MIGRATION_INVALID");
      expect(names((await run()).applied)).toEqual(["20260102_000000_seed"]);
    });

    // drizzle-orm#5769: the newest stamp alone was compared, and this one was skipped and reported as applied.
    test("applies a file that was merged later with an earlier stamp, and says so", async () => {
      put("20260101_000000_teams.sql", TEAMS);
      put("20260103_000000_blue.sql", BLUE);
      await run();
      put("20260102_000000_seed.sql", SEED);
      expect(names((await stand()).outOfOrder)).toEqual(["20260102_000000_seed"]);
      const refused = await errorOf(run({ outOfOrder: "refuse" }));
      expect([refused.code, refused.file]).toEqual(["MIGRATION_REFUSED", "20260102_000000_seed.sql"]);
      expect(await teams()).toEqual(["blue"]);
      expect(names((await run()).outOfOrder)).toEqual(["20260102_000000_seed"]);
      expect(await teams()).toEqual(["red", "blue"]);
      expect((await stand()).outOfOrder).toEqual([]);
    });

    test("refuses a file that was changed after it was applied, until it is accepted", async () => {
      put("20260101_000000_teams.sql", TEAMS);
      await run();
      put("20260101_000000_teams.sql", TEAMS.replace("50", "60"));
      put("20260102_000000_seed.sql", SEED);
      expect(names((await stand()).changed)).toEqual(["20260101_000000_teams"]);
      const error = await errorOf(run());
      expect([error.code, error.file]).toEqual(["MIGRATION_CHANGED", "20260101_000000_teams.sql"]);
      expect(await teams()).toEqual([]);
      await run({ accept: ["20260101_000000_teams"] });
      expect(await teams()).toEqual(["red"]);
      expect((await stand()).changed).toEqual([]);
    });

    test("takes a checkout with line ends of Windows for the same file", async () => {
      put("20260101_000000_teams.sql", TEAMS);
      await run();
      const text = `-- rowtype 1 · ${place().dialect} · test\n${TEAMS}`;
      place().folder.putAs("20260101_000000_teams.sql", text.replaceAll("\n", "\r\n"));
      expect((await stand()).changed).toEqual([]);
      expect((await run()).applied).toEqual([]);
    });

    test.each(["removed", "renamed"])("refuses a folder in which an applied file was %s", async (how) => {
      put("20260101_000000_teams.sql", TEAMS);
      await run();
      place().folder.remove("20260101_000000_teams.sql");
      put(
        how === "renamed" ? "20260101_000000_groups.sql" : "20260102_000000_seed.sql",
        how === "renamed" ? TEAMS : SEED,
      );
      expect(names((await stand()).missing)).toEqual(["20260101_000000_teams"]);
      const error = await errorOf(run());
      expect([error.code, error.file]).toEqual(["MIGRATION_MISSING", "20260101_000000_teams"]);
      expect(await teams()).toEqual([]);
    });

    test("names the file and the step that failed, keeps what was done, and goes on when it is mended", async () => {
      put("20260101_000000_teams.sql", TEAMS);
      put(
        "20260102_000000_more.sql",
        `${SEED}-- step add blue (no transaction)\nINSERT INTO tems (id) VALUES (2)\n`,
      );
      put(
        "20260103_000000_last.sql",
        "-- step add green\nINSERT INTO teams (id, name) VALUES (3, 'green')\n",
      );
      const error = await errorOf(run());
      expect(error.code).toBe("MIGRATION_FAILED");
      expect([error.file, error.step]).toEqual(["20260102_000000_more.sql", "add blue"]);
      expect(error.message).toContain('step "add blue" of "20260102_000000_more.sql" failed');
      expect(error.cause).toMatchObject({ code: "QUERY_FAILED" });
      expect(await teams()).toEqual(["red"]);
      const { failed, pending } = await stand();
      expect(failed).toMatchObject([{ name: "20260102_000000_more", step: "add blue" }]);
      expect(failed[0]?.error).toContain("MIGRATION_FAILED");
      expect(pending).toEqual([
        { name: "20260102_000000_more", steps: 2, done: 1 },
        { name: "20260103_000000_last", steps: 1, done: 0 },
      ]);
      put("20260102_000000_more.sql", `${SEED.replace("red", "rot")}${BLUE}`);
      expect((await errorOf(run())).code).toBe("MIGRATION_CHANGED");
      put("20260102_000000_more.sql", `${SEED}${BLUE}`);
      expect(await run()).toMatchObject({
        applied: [{ name: "20260102_000000_more", steps: ["add blue"] }, { name: "20260103_000000_last" }],
      });
      expect(await teams()).toEqual(["red", "blue", "green"]);
      expect((await stand()).failed).toEqual([]);
    });

    test("names the step that failed, also where the steps before it were undone with it", async () => {
      put("20260101_000000_teams.sql", `${TEAMS}-- step break\nINSERT INTO tems (id) VALUES (2)\n`);
      const error = await errorOf(run());
      expect(error.step).toBe("break");
      const { failed } = await stand();
      expect(failed).toMatchObject([{ name: "20260101_000000_teams", step: "break" }]);
    });

    test("takes the words of a name for it, where one migration has them", async () => {
      put("20260101_000000_teams.sql", TEAMS);
      put("20260102_000000_more.sql", SEED);
      put("20260103_000000_more.sql", BLUE);
      await run({ to: "teams" });
      expect(names((await stand()).applied)).toEqual(["20260101_000000_teams"]);
      expect((await errorOf(run({ to: "more" }))).code).toBe("MIGRATION_INVALID");
      put("20260101_000000_teams.sql", `${TEAMS}-- more\n`);
      expect((await errorOf(run())).code).toBe("MIGRATION_CHANGED");
      await run({ accept: ["teams"] });
      expect(await teams()).toEqual(["red", "blue"]);
    });

    test("goes on where the failing step at the end of a file was removed", async () => {
      put("20260101_000000_teams.sql", `${TEAMS}-- step break (no transaction)\nSELECT * FROM nowhere\n`);
      await errorOf(run());
      put("20260101_000000_teams.sql", TEAMS);
      await run();
      expect(names((await stand()).applied)).toEqual(["20260101_000000_teams"]);
    });

    test("forgets a file that failed at its first step, and was removed", async () => {
      put("20260101_000000_teams.sql", "-- step break\nSELECT * FROM nowhere\n");
      await errorOf(run());
      place().folder.remove("20260101_000000_teams.sql");
      put("20260102_000000_teams.sql", TEAMS);
      expect(names((await run()).applied)).toEqual(["20260102_000000_teams"]);
    });

    test("keeps neighbouring steps together where a transaction undoes changes of a schema", async ({
      skip,
    }) => {
      if (["mariadb", "oracle"].includes(place().dialect))
        skip("a change of a schema ends the transaction there");
      put("20260101_000000_teams.sql", `${TEAMS}${SEED}-- step break\nSELECT * FROM nowhere\n`);
      await errorOf(run());
      await expect(place().rows("SELECT * FROM teams")).rejects.toThrow();
      expect((await stand()).pending).toEqual([{ name: "20260101_000000_teams", steps: 3, done: 0 }]);
    });

    test("refuses a step of several statements, and says how to divide them", async ({ skip }) => {
      if (place().dialect === "oracle") skip("H2, in the place of Oracle, takes several statements");
      put("20260101_000000_teams.sql", TEAMS);
      put(
        "20260102_000000_seed.sql",
        `${SEED.trimEnd()};\nINSERT INTO teams (id, name) VALUES (2, 'blue');\n`,
      );
      const error = await errorOf(run());
      expect([error.code, error.step]).toEqual(["MIGRATION_FAILED", "seed the teams"]);
      expect(error.message).toContain('write a line "-- step WORDS" before each statement');
      expect(await teams()).toEqual([]);
    });

    test.each([
      ["an empty step", "20260102_000000_x.sql", "-- step nothing\n-- step seed\nSELECT 1\n"],
      ["a file without a stamp", "x.sql", SEED],
      ["two migrations of one stamp", "20260101_000000_x.sql", SEED],
    ])("applies nothing of a folder with %s", async (_, file, text) => {
      put("20260101_000000_teams.sql", TEAMS);
      put(file, text);
      const error = await errorOf(run());
      expect([error.code, error.file]).toEqual(["MIGRATION_INVALID", file]);
      await expect(place().rows("SELECT * FROM teams")).rejects.toThrow();
    });

    test("refuses steps that lose data, before anything is applied, unless exactly they are allowed", async () => {
      put("20260101_000000_teams.sql", TEAMS);
      put("20260102_000000_drop.sql", "-- step drop column teams.name\nALTER TABLE teams DROP COLUMN name\n");
      const error = await errorOf(run({ allow: ["drop column teams.id", "drop table teams"] }));
      expect([error.code, error.step]).toEqual(["MIGRATION_REFUSED", "drop column teams.name"]);
      expect(error.message).toContain("loses data");
      await expect(place().rows("SELECT * FROM teams")).rejects.toThrow();
      await run({ allow: ["drop column teams.name"] });
      await expect(place().rows("SELECT name FROM teams")).rejects.toThrow();
    });

    test("honours the marks of a reviewed file", async () => {
      put("20260101_000000_teams.sql", TEAMS + SEED);
      await run();
      put("20260102_000000_tidy.sql", "-- step tidy (loses data)\nDELETE FROM teams\n");
      expect((await errorOf(run())).code).toBe("MIGRATION_REFUSED");
      put("20260102_000000_tidy.sql", "-- step tidy (loses data) (allowed)\nDELETE FROM teams\n");
      await run();
      expect(await teams()).toEqual([]);
    });

    test("lets a step block a table that is empty", async () => {
      put("20260101_000000_teams.sql", TEAMS);
      const blocking =
        "-- step create index teams.teams_name_idx (blocks)\nCREATE INDEX teams_name_idx ON teams (name)\n";
      put("20260102_000000_index.sql", blocking);
      await run();
      put("20260103_000000_seed.sql", SEED);
      put("20260104_000000_other.sql", blocking.replaceAll("name_idx", "other_idx"));
      await run({ to: "20260103_000000_seed" });
      expect((await errorOf(run())).message).toContain("blocks");
    });

    test("records what is in the database already, without running it", async () => {
      await place().lent.run("CREATE TABLE teams (id INTEGER NOT NULL PRIMARY KEY, name VARCHAR(50))");
      put("20260101_000000_teams.sql", TEAMS);
      put("20260102_000000_seed.sql", SEED);
      expect(names((await run({ accept: ["20260101_000000_teams"] })).applied)).toEqual([
        "20260102_000000_seed",
      ]);
      expect(names((await stand()).applied)).toEqual(["20260101_000000_teams", "20260102_000000_seed"]);
      expect((await errorOf(run({ accept: ["absent"] }))).code).toBe("MIGRATION_INVALID");
    });

    test("runs text that db.sql would read as parameters as it is", async () => {
      put("20260101_000000_teams.sql", TEAMS);
      put("20260102_000000_x.sql", "-- step odd\nINSERT INTO teams (id, name) VALUES (1, ':a ? $1 %s')\n");
      await run();
      expect(await teams()).toEqual([":a ? $1 %s"]);
    });

    test("tells of itself by events, without the text of a statement", async () => {
      put("20260101_000000_teams.sql", TEAMS);
      put("20260102_000000_break.sql", "-- step break\nSELECT * FROM nowhere\n");
      const heard: unknown[] = [];
      const offs = (["started", "step", "completed", "failed"] as const).map((what) =>
        on(`db.migration.${what}`, (event) => heard.push([what, event])),
      );
      const error = await errorOf(run());
      for (const off of offs) off();
      const name = "20260101_000000_teams";
      expect(heard).toEqual([
        ["started", { name, steps: 1, done: 0 }],
        ["step", { name, step: "create table teams", index: 0, steps: 1, durationMs: expect.any(Number) }],
        ["completed", { name, steps: 1, durationMs: expect.any(Number) }],
        ["started", { name: "20260102_000000_break", steps: 1, done: 0 }],
        ["failed", { name: "20260102_000000_break", step: "break", durationMs: expect.any(Number), error }],
      ]);
    });

    test("runs thirty at once, each step once", async () => {
      put("20260101_000000_teams.sql", TEAMS);
      for (let i = 2; i <= 9; i++)
        put(`2026010${i}_000000_seed.sql`, SEED.replace("(1, 'red')", `(${i}, 'red'), (${i * 10}, 'blue')`));
      const results = await Promise.all(Array.from({ length: 30 }, () => run()));
      expect(results.flatMap(({ applied }) => names(applied)).sort()).toEqual(names((await stand()).applied));
      expect((await teams()).length).toBe(16);
    });
  },
  "oracle",
);
