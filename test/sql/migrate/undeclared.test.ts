/**
 * What nobody declared is not dropped in silence: an index, a key, a reference, a check, a view or a type that is there and
 * not declared is refused until it is named. What a declaration changes, and what belongs to a column that goes, is not.
 */
import { type AnyTable, column, enumType, table, view } from "rowtype";
import { type Change, diff, generate, introspect, MigrationError, migrate } from "rowtype/migrate";
import { expect, test } from "vitest";
import { z } from "zod";
import { migrationDialect } from "../../../src/sql/migrate/dialects/dialects.js";
import { readMigrationText } from "../../../src/sql/migrate/text/migration-file.js";
import { stepWords } from "../../../src/sql/migrate/words/step.js";
import { sqlErrorOf } from "../../kit/thrown.js";
import { onRunnerServers } from "./folders.js";

const id = column(z.int(), { primaryKey: true });
const short = z.string().max(40);
const Team = table("teams", z.object({ id }));
const Club = table("clubs", z.object({ id }));
const columns = { id, nick: short.nullable(), teamId: column(z.int().nullable(), { name: "team_id" }) };
const people = (options: object = {}, more: Record<string, z.ZodType> = {}): AnyTable =>
  table("people", z.object({ ...columns, ...more }), options);
const refers = (references: () => AnyTable, more: object = {}) => ({
  foreignKeys: [{ columns: ["teamId"], references, target: ["id"], ...more }],
});

/** What somebody has made beside the declarations. */
const made: Readonly<Record<string, AnyTable>> = {
  index: people({ indexes: [{ columns: ["nick"], name: "by_hand" }] }),
  "index in descending order": people({ indexes: [{ columns: [["nick", "desc"]], name: "by_hand" }] }),
  "unique index": people({ indexes: [{ columns: ["nick"], unique: true, name: "by_hand" }] }),
  "unique key": people({ unique: [["nick", "teamId"]] }),
  "foreign key": people(refers(() => Team, { name: "by_hand" })),
  check: people({ checks: { by_hand: "id > 0" } }),
  "check of a column": people({}, { nick: column(short.nullable(), { check: "nick <> ''" }) }),
};

/** Two declarations, of which the second changes the first. */
const changed: Readonly<Record<string, readonly [AnyTable, AnyTable]>> = {
  "an index of other columns": [
    people({ indexes: [{ columns: ["nick"], name: "a" }] }),
    people({ indexes: [{ columns: ["nick", "id"], name: "a" }] }),
  ],
  "an index of another name that becomes unique": [
    people({ indexes: [{ columns: ["nick"], name: "a" }] }),
    people({ indexes: [{ columns: ["nick"], name: "b", unique: true }] }),
  ],
  "a key that becomes an index": [
    people({ unique: [["nick"]] }),
    people({ indexes: [{ columns: ["nick"] }] }),
  ],
  "an index that becomes a key": [
    people({ indexes: [{ columns: ["nick"] }] }),
    people({ unique: [["nick"]] }),
  ],
  "the action of a reference": [
    people(refers(() => Team)),
    people(refers(() => Team, { onDelete: "cascade" })),
  ],
  "the target of a reference": [people(refers(() => Team)), people(refers(() => Club, { name: "x" }))],
  "a check of its name": [people({ checks: { a: "id > 0" } }), people({ checks: { a: "team_id > 0" } })],
  "a check of its columns": [people({ checks: { a: "id > 0" } }), people({ checks: { b: "id > 1" } })],
  "the primary key": [
    people(),
    table("people", z.object({ ...columns, id: z.int(), nick: short }), { primaryKey: ["id", "nick"] }),
  ],
  "an index of a column that is renamed": [
    people({ indexes: [{ columns: ["nick"], name: "a" }] }),
    table(
      "people",
      z.object({ id, name: column(short.nullable(), { renamedFrom: "nick" }), teamId: columns.teamId }),
      {
        indexes: [{ columns: [["name", "desc"]], name: "b" }],
      },
    ),
  ],
  "everything of a column that goes": [
    people({
      ...refers(() => Team),
      indexes: [{ columns: ["nick", "teamId"] }],
      unique: [["id", "teamId"]],
      checks: { a: "team_id > 0" },
    }),
    table("people", z.object({ id, nick: columns.nick })),
  ],
  "a check of a column whose type is another": [
    people({ checks: { a: "team_id > 0" } }),
    people(
      { checks: { a: "team_id > 0" } },
      { teamId: column(z.int().nullable(), { name: "team_id", type: "smallint" }) },
    ),
  ],
};

const undeclared = ({ steps }: Change) => steps.filter(({ risks }) => risks.includes("undeclared"));

onRunnerServers("what nobody declared", (place) => {
  for (const [what, before] of Object.entries(made))
    test(`${what}: is refused until it is named, and its mark stays in the file`, async () => {
      const { db, dialect, folder } = place();
      await db.createTables(Team, before);
      const wanted = people({}, { note: z.string().nullable() });
      const change = await diff([Team, wanted], db);
      const [step, ...more] = undeclared(change);
      expect([step?.table, more]).toEqual(["people", []]);
      const words = stepWords(step ?? change.steps[0] ?? { kind: "drop table", table: "none" });
      const options = { folder: folder.path, name: "edit" };
      const there = await introspect(db);
      expect(await sqlErrorOf(generate([Team, wanted], db, options))).toMatchObject({
        code: "MIGRATION_REFUSED",
        step: words,
        message: expect.stringContaining("drops what no declaration names"),
      });
      // The text of the difference, without anybody's allowance.
      folder.putAs("20260101_000000_edit.sql", change.text());
      const read = readMigrationText(change.text(), "edit", migrationDialect(dialect)).steps;
      expect(new Set(read.filter((one) => one.undeclared).map((one) => one.words))).toEqual(new Set([words]));
      const refused = { code: "MIGRATION_REFUSED", step: words };
      expect(await sqlErrorOf(migrate(db, { folder: folder.path }))).toMatchObject(refused);
      const others = { folder: folder.path, allow: ["drop index people.other", "drop table people"] };
      expect(await sqlErrorOf(migrate(db, others))).toMatchObject(refused);
      expect(await introspect(db)).toEqual(there);
      folder.remove("20260101_000000_edit.sql");
      const path = await generate([Team, wanted], db, { ...options, allow: [words] });
      expect(path).not.toBeNull();
      expect((await migrate(db, { folder: folder.path })).applied).toHaveLength(1);
      expect((await diff([Team, wanted], db)).text()).toBe("");
    });

  test("what another database does not have does not fail there", async () => {
    const { db, dialect, lent, folder } = place();
    await db.createTables(Team, people());
    await lent.run("CREATE INDEX by_hand ON people (nick)");
    if (dialect !== "sqlite") await lent.run("ALTER TABLE people ADD CONSTRAINT by_hand_too CHECK (id > 0)");
    const change = await diff([Team, people()], db);
    await lent.run(`DROP INDEX by_hand${dialect === "mariadb" ? " ON people" : ""}`);
    if (dialect !== "sqlite") await lent.run("ALTER TABLE people DROP CONSTRAINT by_hand_too");
    folder.putAs("20260101_000000_edit.sql", change.text());
    const allow = change.steps.map(stepWords);
    expect((await migrate(db, { folder: folder.path, allow })).applied).toHaveLength(1);
  });

  test("views and types are named too where everything that is not declared goes", async () => {
    const { db, dialect, lent } = place();
    await db.createTables(Team);
    await lent.run("CREATE VIEW by_hand AS SELECT id FROM teams");
    const types = dialect === "postgres" ? [enumType("mood", ["sad"])] : [];
    await db.createTables(...types);
    const change = await diff([Team], db, { drop: "tables" });
    expect(undeclared(change).map(stepWords)).toEqual([
      "drop view by_hand",
      ...types.map(() => "drop enum mood"),
    ]);
    expect(change.text()).toContain("-- step drop view by_hand (undeclared)\n");
    const Seen = view("by_hand", z.object({ id: z.int() }), { as: "SELECT id FROM teams WHERE id > 0" });
    expect(undeclared(await diff([Team, Seen], db))).toEqual([]);
  });

  for (const [what, [before, after]] of Object.entries(changed))
    test(`${what}: is a change of a declaration, and asks for nothing of the kind`, async () => {
      const { db } = place();
      await db.createTables(Team, Club, before);
      const change = await diff([Team, Club, after], db);
      expect(change.isEmpty).toBe(false);
      expect(undeclared(change).map(stepWords)).toEqual([]);
      expect(change.text()).not.toContain("(undeclared)");
    });

  test("what no declaration can say is not lost with one of its columns", async ({ skip }) => {
    const { db, dialect, lent, folder } = place();
    if (dialect !== "postgres") skip("the other servers do not drop it in silence");
    const other = '"far away".things';
    await lent.run('CREATE SCHEMA "far away"');
    await lent.run(`CREATE TABLE ${other} (x bigint, y bigint, UNIQUE (x, y))`);
    const parts: Readonly<Record<string, readonly [kind: string, sql: string]>> = {
      including: ["index", "CREATE INDEX including ON T (a) INCLUDE (gone)"],
      Computed: ["index", 'CREATE INDEX "Computed" ON T (lower(b), (gone + 1))'],
      partly: ["index", "CREATE INDEX partly ON T (b text_pattern_ops) WHERE gone > 0"],
      deferred: ["unique", "ALTER TABLE T ADD CONSTRAINT deferred UNIQUE (a, gone) DEFERRABLE"],
      alone: ["check", "ALTER TABLE T ADD CONSTRAINT alone CHECK (a > gone) NO INHERIT"],
      fully: [
        "foreign key",
        `ALTER TABLE T ADD CONSTRAINT fully FOREIGN KEY (a, gone) REFERENCES ${other} (x, y) MATCH FULL`,
      ],
      excluding: [
        "unique",
        "ALTER TABLE T ADD CONSTRAINT excluding EXCLUDE USING btree (a WITH =, gone WITH =)",
      ],
    };
    // These stay, or are of the column that goes and of no other.
    const others = [
      "CREATE INDEX its_own ON T ((gone + 1))",
      "CREATE INDEX stays ON T (b text_pattern_ops) INCLUDE (a)",
      `ALTER TABLE T ADD CONSTRAINT far_full FOREIGN KEY (a, c) REFERENCES ${other} (y, x) MATCH FULL`,
    ];
    for (const schema of [undefined, "far away"]) {
      const shape = { id, a: z.int().nullable(), b: z.string().nullable(), c: z.int().nullable() };
      const options = schema === undefined ? {} : { schema };
      const before = table("t", z.object({ ...shape, gone: z.int().nullable() }), options);
      const after = table("t", z.object(shape), options);
      await db.createTables(before);
      const at = schema === undefined ? "public.t" : `"${schema}".t`;
      const made = [...Object.values(parts).map(([, sql]) => sql), ...others];
      for (const sql of made) await lent.run(sql.replace(/\bT\b/, at));
      const change = await diff([after], db);
      const words = (kind: string, name: string) =>
        stepWords({ kind: `drop ${kind}` as "drop index", table: "t", name, ...options });
      const wanted = Object.entries(parts).map(([name, [kind]]) => words(kind, name));
      expect(undeclared(change).map(stepWords).sort()).toEqual(wanted.sort());
      const allow = [words("column", "gone")];
      const all = { folder: folder.path, name: `edit${schema?.length ?? 0}` };
      expect(await sqlErrorOf(generate([after], db, { ...all, allow }))).toMatchObject({
        code: "MIGRATION_REFUSED",
        step: expect.toSatisfy((step) => wanted.includes(step)),
      });
      await generate([after], db, { ...all, allow: [...allow, ...wanted] });
      await migrate(db, { folder: folder.path });
      expect((await diff([after], db)).text()).toBe("");
      const left = (await introspect(db, { schemas: [schema ?? "public"] })).unknown;
      const names = left.filter(({ table }) => table === "t").map(({ name }) => name);
      expect(names.sort()).toEqual(["far_full", "stays"]);
    }
  });

  test("what no declaration can say is not lost with a column that is made again", async ({ skip }) => {
    const { db, dialect, lent } = place();
    if (dialect !== "postgres") skip("the other servers do not drop it in silence");
    const twice = (times: number) =>
      table("t", z.object({ id, twice: column(z.int(), { computed: `id * ${times}`, stored: true }) }));
    await db.createTables(twice(2));
    await lent.run("CREATE INDEX by_hand ON t (twice) INCLUDE (id)");
    await lent.run("CREATE INDEX its_own ON t ((twice + 1), (twice + 2))");
    const steps = undeclared(await diff([twice(3)], db));
    expect(steps.map(stepWords)).toEqual(["drop index t.by_hand", "drop index t.its_own"]);
    expect(undeclared(await diff([table("t", z.object({ id }))], db)).map(stepWords)).toEqual([
      "drop index t.by_hand",
    ]);
  });

  test("a part that nobody declared does not hide behind one that a declaration changes", async () => {
    const { db, dialect, lent } = place();
    await db.createTables(Team, people({ indexes: [{ columns: ["nick"], name: "ours" }] }));
    await lent.run(`CREATE INDEX a_by_hand ON people (nick${dialect === "mariadb" ? ", id" : " DESC"})`);
    const next = people({ indexes: [{ columns: ["nick", "teamId"], name: "ours" }] });
    const steps = undeclared(await diff([Team, next], db));
    expect(steps.map(stepWords)).toEqual(["drop index people.a_by_hand"]);
  });
});

onRunnerServers("a column that rows have no value for", (place) => {
  const first = people();
  const cases: Readonly<Record<string, readonly [AnyTable, string, RegExp]>> = {
    "that is new": [
      people({}, { priority: z.int() }),
      "priority",
      /give it a default, or make it nullable first/,
    ],
    "that becomes NOT NULL": [
      people({}, { nick: short }),
      "nick",
      /give it a default, make it nullable first, or fill it in/,
    ],
  };
  for (const [what, [next, name, remedy]] of Object.entries(cases))
    test(`${what}: the failure names it and what to do`, async () => {
      const { db, lent, folder } = place();
      await db.createTables(first);
      await lent.run("INSERT INTO people (id) VALUES (1)");
      const change = await diff([first, next].slice(1), db);
      expect(change.steps.some(({ risks }) => risks.includes("may-fail"))).toBe(true);
      if (what === "that is new")
        expect(change.text()).toMatch(
          /^-- may-fail: .*existing rows have no value for it: give it a default, or make it nullable first$/m,
        );
      await generate([next], db, { folder: folder.path, name: "edit" });
      const error = await sqlErrorOf(migrate(db, { folder: folder.path }));
      if (!(error instanceof MigrationError)) throw error;
      expect(error.code).toBe("MIGRATION_FAILED");
      const column =
        what === "that is new" && error.step?.startsWith("add") ? `the new column "${name}"` : `"${name}"`;
      expect(error.message).toContain(`rows of "people" have no value for `);
      expect(error.message).toContain(column);
      expect(error.message).toMatch(/give it a default/);
      expect(error.message).not.toContain("constraint failed");
      expect(error.message.length).toBeLessThan(300);
      if (!(error.step ?? "").startsWith("rebuild")) expect(error.message).toMatch(remedy);
    });
});
