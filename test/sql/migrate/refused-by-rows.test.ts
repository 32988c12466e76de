/**
 * Edits that the rows do not allow, on every server: the error names the file and the step, nothing of the structure is
 * changed, old writers go on, and the next run does it when the rows are mended.
 */
import { type AnyTable, column, table } from "rowtype";
import { diff, generate, introspect, MigrationError, migrate, status } from "rowtype/migrate";
import { expect, test } from "vitest";
import { z } from "zod";
import { onRunnerServers } from "./folders.js";

const Team = table("teams", z.object({ id: column(z.int(), { primaryKey: true }) }));
const columns = {
  id: column(z.int(), { primaryKey: true }),
  name: column(z.string(), { type: "varchar(40)" }),
  nick: z.string().max(40).nullable(),
  teamId: column(z.int().nullable(), { name: "team_id" }),
};
const Person = table("people", z.object(columns));
const ROWS = [
  "INSERT INTO teams (id) VALUES (1)",
  "INSERT INTO people (id, name, nick, team_id) VALUES (1, 'ann', 'a', 1)",
  "INSERT INTO people (id, name, nick, team_id) VALUES (2, 'ann', NULL, 7)",
];

interface Edit {
  readonly to: AnyTable;
  readonly mended: string;
  /** The step that fails on PostgreSQL, which has a word of its own for what it does beside writers. */
  readonly step: string;
}

const edits: Readonly<Record<string, Edit>> = {
  "NOT NULL over a NULL": {
    to: table("people", z.object({ ...columns, nick: z.string().max(40) })),
    mended: "UPDATE people SET nick = 'b' WHERE nick IS NULL",
    step: "validate check people.people_nick_not_null",
  },
  "a unique key over equal values": {
    to: table("people", z.object(columns), { unique: [["name"]] }),
    mended: "UPDATE people SET name = 'bob' WHERE id = 2",
    step: "create index people.people_name_key",
  },
  "a unique index over equal values": {
    to: table("people", z.object(columns), { indexes: [{ columns: ["name"], unique: true }] }),
    mended: "UPDATE people SET name = 'bob' WHERE id = 2",
    step: "create index people.people_name_idx",
  },
  "a check that a row breaks": {
    to: table("people", z.object(columns), { checks: { people_team_check: "team_id < 5" } }),
    mended: "UPDATE people SET team_id = 1 WHERE id = 2",
    step: "validate check people.people_team_check",
  },
  "a reference to what is not there": {
    to: table(
      "people",
      z.object({
        ...columns,
        teamId: column(z.int().nullable(), { name: "team_id", references: () => Team }),
      }),
    ),
    mended: "UPDATE people SET team_id = 1 WHERE id = 2",
    step: "validate foreign key people.people_team_id_fkey",
  },
};

onRunnerServers("an edit that the rows do not allow", (place) => {
  for (const [what, { to, mended, step }] of Object.entries(edits))
    test(`${what}: changes nothing, and is done when the rows are mended`, async () => {
      const { db, dialect, lent, folder } = place();
      await generate([Team, Person], db, { folder: folder.path, name: "first" });
      await migrate(db, { folder: folder.path });
      for (const sql of ROWS) await lent.run(sql);
      const before = await introspect(db);
      const change = await diff([Team, to], db);
      // What blocks others may be refused first; the words of a step are what allows it.
      const allow = change.steps.map(({ kind, table, name }) => `${kind} ${table}${name ? `.${name}` : ""}`);
      const path = await generate([Team, to], db, { folder: folder.path, name: "edit", allow });
      const run = () => migrate(db, { folder: folder.path, lockWaitMs: 5_000 });
      for (let tries = 0; tries < 2; tries++) {
        const error = await run().catch((thrown: unknown) => thrown);
        if (!(error instanceof MigrationError)) throw error;
        expect(error.code).toBe("MIGRATION_FAILED");
        expect(path).toContain(error.file);
        if (dialect === "postgres") expect(error.step).toBe(step);
        expect(error.step).toContain("people");
        expect(error.message).toContain(error.step);
        expect(await introspect(db)).toEqual(before);
        expect((await status(db, { folder: folder.path })).failed).toHaveLength(1);
        // The version of the program before this one still writes what it wrote.
        const written = "INSERT INTO people (id, name, nick, team_id) VALUES (3, 'ann', NULL, 9)";
        await lent.run(written.replace("3", String(3 + tries)));
        await lent.run("DELETE FROM people WHERE id > 2");
      }
      await lent.run(mended);
      expect((await run()).applied).toHaveLength(1);
      expect((await diff([Team, to], db)).text()).toBe("");
      expect(await lent.run("SELECT id FROM people ORDER BY id")).toHaveLength(2);
    });

  test("a file that only failed so may be removed", async () => {
    const { db, lent, folder } = place();
    await generate([Team, Person], db, { folder: folder.path, name: "first" });
    await migrate(db, { folder: folder.path });
    for (const sql of ROWS) await lent.run(sql);
    const to = edits["NOT NULL over a NULL"]?.to ?? Person;
    const path = await generate([Team, to], db, {
      folder: folder.path,
      name: "edit",
      allow: ["change column people.nick"],
    });
    const run = () => migrate(db, { folder: folder.path });
    await expect(run()).rejects.toThrow(MigrationError);
    folder.remove(path?.split("/").at(-1) ?? "");
    expect((await run()).applied).toEqual([]);
    expect((await diff([Team, Person], db)).text()).toBe("");
  });

  test("an index that was left half built is dropped and built again", async ({ skip }) => {
    const { db, dialect, lent, folder } = place();
    if (dialect !== "postgres") skip("no other server leaves one");
    await generate([Team, Person], db, { folder: folder.path, name: "first" });
    await migrate(db, { folder: folder.path });
    for (const sql of ROWS) await lent.run(sql);
    const { to = Person, mended = "" } = edits["a unique key over equal values"] ?? {};
    await generate([Team, to], db, { folder: folder.path, name: "edit" });
    // What a runner leaves that is killed while the server reads the rows.
    const half = lent.run("CREATE UNIQUE INDEX CONCURRENTLY people_name_key ON people (name)");
    await expect(half).rejects.toThrow();
    const invalid = () => lent.run("SELECT indexrelid FROM pg_index WHERE NOT indisvalid");
    expect(await invalid()).toHaveLength(1);
    await lent.run(mended);
    expect((await migrate(db, { folder: folder.path })).applied).toHaveLength(1);
    expect(await invalid()).toEqual([]);
    expect((await diff([Team, to], db)).text()).toBe("");
  });
});
