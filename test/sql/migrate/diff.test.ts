/** What `diff` finds between a database and its declarations, step by step, and what each step says of itself. */
import { type AnyTable, column, table } from "rowtype";
import { assertInSync, type Change, DriftError, diff, type Step } from "rowtype/migrate";
import { oracle } from "rowtype/oracle";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { z } from "zod";
import { sqlErrorOf } from "../../kit/thrown.js";
import { type Lent, servers } from "../../servers.js";

const id = column(z.int(), { primaryKey: true, generated: true });
const Team = table("teams", z.object({ id, title: z.string() }));
const Person = table(
  "people",
  z.object({
    id,
    email: column(z.string(), { type: "varchar(50)", unique: true }),
    age: column(z.int().nullable(), { check: "age >= 0" }),
    teamId: column(z.int().nullable(), { name: "team_id" }),
  }),
);

const people = (more: Record<string, z.ZodType>, options: object = {}): AnyTable =>
  table("people", z.object({ ...Person.schema.shape, ...more }), options);

for (const server of servers)
  describe.skipIf(!server.available || server.dialect === "oracle")(`diff on ${server.name}`, () => {
    const { dialect } = server;
    let lent: Lent;
    beforeEach(async () => {
      lent = await server.lend();
      await lent.db.createTables(Team, Person);
      await lent.db.repository(Person).insert().exec({ email: "a@b", age: 3, teamId: 1 });
    });
    afterEach(() => lent.close());

    const wordsOf = ({ steps }: Change) =>
      steps.map(({ kind, name }) => (name === undefined ? kind : `${kind} ${name}`));
    const stepOf = ({ steps }: Change, kind: Step["kind"]): Step => {
      const found = steps.find((step) => step.kind === kind);
      if (found === undefined) throw new Error(`no step ${kind} among ${steps.map((step) => step.kind)}`);
      return found;
    };
    const apply = async (change: Change) => {
      if (dialect === "sqlite") await lent.run("PRAGMA foreign_keys = OFF");
      for (const sql of change.sql()) await lent.db.sql(sql).exec();
      if (dialect === "sqlite") await lent.run("PRAGMA foreign_keys = ON");
    };

    test("nothing to do leaves no step, no statement and no text", async () => {
      const change = await diff([Team, Person], lent.db);
      expect([change.isEmpty, change.steps, change.sql(), change.text()]).toEqual([true, [], [], ""]);
      await assertInSync(lent.db, { Team, Person, other: 1 });
    });

    test("a new table has nothing that a table with rows needs", async () => {
      const Note = table(
        "notes",
        z.object({ id, teamId: column(z.int(), { name: "team_id", references: () => Team, index: true }) }),
      );
      const change = await diff([Team, Person, Note], lent.db);
      expect(wordsOf(change)).toEqual(["create table", "create index notes_team_id_idx"]);
      expect(change.steps.flatMap(({ risks }) => risks)).toEqual([]);
      expect(change.text()).not.toMatch(/CONCURRENTLY|NOT VALID|ALGORITHM|no transaction/);
      await apply(change);
      expect((await diff([Team, Person, Note], lent.db)).isEmpty).toBe(true);
    });

    test("a table with the name of a type is read, and hides the type from no other", async () => {
      const body = dialect === "postgres" ? column(z.string(), { type: "text" }) : z.string();
      const named = ["text", "integer", "varchar"].map((name) => table(name, z.object({ id, body })));
      await lent.db.createTables(...named);
      expect((await diff([Team, Person, ...named], lent.db, { types: "exact" })).text()).toBe("");
      const wider = named.map(({ name }) => table(name, z.object({ id, body, note: z.string().nullable() })));
      const change = await diff([Team, Person, ...wider], lent.db);
      expect(wordsOf(change)).toEqual(Array(3).fill("add column note"));
      await apply(change);
      expect((await diff([Team, Person, ...wider], lent.db)).isEmpty).toBe(true);
    });

    test("an added column keeps the rows, and says where old code breaks", async () => {
      const Wider = people({ note: z.string().nullable(), level: column(z.int(), { default: "1" }) });
      const change = await diff([Wider], lent.db);
      expect(wordsOf(change)).toEqual(["add column note", "add column level"]);
      expect(change.steps.map(({ lock, rewrites, risks }) => [lock, rewrites, risks])).toEqual([
        ["short", false, []],
        ["short", false, []],
      ]);
      await apply(change);
      expect(await lent.db.repository(Wider).query().exec()).toMatchObject([
        { note: null, level: 1, age: 3 },
      ]);
    });

    test("a dropped column is a loss, and says what to write if it was a rename", async () => {
      const Renamed = table(
        "people",
        z.object({
          id,
          email: Person.schema.shape.email,
          years: z.int().nullable(),
          teamId: Person.schema.shape.teamId,
        }),
      );
      const change = await diff([Renamed], lent.db);
      const drop = stepOf(change, "drop column");
      expect(drop).toMatchObject({ table: "people", name: "age", risks: ["loses-data", "breaks-old-code"] });
      expect(drop.why).toContain('renamedFrom: "age"');
      expect(change.text()).toContain("-- step drop column people.age (loses data)\n");
    });

    test("a rename that is declared keeps the values, and has no effect once it is done", async () => {
      const Renamed = table(
        "persons",
        z.object({
          id,
          email: Person.schema.shape.email,
          years: column(z.int().nullable(), { check: "years >= 0", renamedFrom: "age" }),
          teamId: Person.schema.shape.teamId,
        }),
        { renamedFrom: ["humans", "people"] },
      );
      const change = await diff([Team, Renamed], lent.db);
      expect(wordsOf(change)).toEqual(["rename table", "rename column age"]);
      await apply(change);
      expect((await diff([Team, Renamed], lent.db)).text()).toBe("");
      expect(await lent.db.repository(Renamed).query().exec()).toMatchObject([{ years: 3, email: "a@b" }]);
    });

    test("what was renamed keeps the names of its constraints, and what comes under the old name gets others", async () => {
      const named = <C extends Record<string, z.ZodType>>(name: string, columns: C, options: object = {}) =>
        table(
          name,
          z.object({ id, team: column(z.int().nullable(), { references: () => Team }), ...columns }),
          { indexes: [{ columns: ["team"] }], ...options },
        );
      const mail = { unique: true, type: "varchar(50)", check: "mail <> ''" };
      const post = { unique: true, type: "varchar(50)", check: "post <> ''" };
      const First = named("folk", { mail: column(z.string(), mail) });
      await lent.db.createTables(First);
      await lent.db.repository(First).insert().exec({ mail: "a", team: null });
      const reach = async (tables: readonly AnyTable[]) => {
        const change = await diff(tables, lent.db);
        await apply(change);
        expect((await diff(tables, lent.db)).text(), change.text()).toBe("");
      };
      await reach([
        Team,
        named(
          "persons",
          { post: column(z.string(), { ...post, renamedFrom: "mail" }) },
          { renamedFrom: "folk" },
        ),
      ]);
      const Second = named("persons", {
        post: column(z.string(), post),
        mail: column(z.string().nullable(), mail),
      });
      const Again = named("folk", { mail: column(z.string(), mail) });
      await reach([Team, Second, Again]);
      expect(await lent.db.repository(Second).query().exec()).toMatchObject([{ post: "a", mail: null }]);
      await lent.db.repository(Again).insert().exec({ mail: "a", team: null });
      const twice = lent.db.repository(Again).insert().exec({ mail: "a", team: null });
      expect(await sqlErrorOf(twice)).toMatchObject({ code: "UNIQUE_VIOLATION", fields: ["mail"] });
      // Under the name of a table that is there, with constraints of the same names.
      await reach([Team, Second, Again, named("folk_2", { mail: column(z.string(), mail) })]);
    });

    test("where both names are there nothing is renamed", async () => {
      await lent.run("ALTER TABLE people ADD COLUMN years integer");
      const Both = table(
        "people",
        z.object({
          id,
          email: Person.schema.shape.email,
          years: column(z.int().nullable(), { renamedFrom: "age" }),
          teamId: Person.schema.shape.teamId,
        }),
      );
      const words = wordsOf(await diff([Both], lent.db));
      expect(words).toContain("drop column age");
      expect(words.some((word) => word.startsWith("rename"))).toBe(false);
    });

    test("a reference and an index are added beside those who write", async () => {
      const Referring = table(
        "people",
        z.object({
          ...Person.schema.shape,
          teamId: column(z.int().nullable(), {
            name: "team_id",
            references: () => Team,
            onDelete: "set null",
            index: true,
          }),
        }),
      );
      const change = await diff([Team, Referring], lent.db);
      const text = change.text();
      if (dialect === "postgres") {
        expect(wordsOf(change)).toEqual([
          "create index people_team_id_idx",
          "add foreign key people_team_id_fkey",
          "validate foreign key people_team_id_fkey",
        ]);
        expect(text).toContain(
          '-- step create index people.people_team_id_idx (no transaction)\nCREATE INDEX CONCURRENTLY "people_team_id_idx" ON "people" ("team_id")\n',
        );
        expect(text).toMatch(/ON DELETE SET NULL NOT VALID\n/);
      }
      if (dialect === "mariadb") {
        expect(stepOf(change, "create index").sql[0]).toMatch(/WAIT 3 ALGORITHM=NOCOPY LOCK=NONE$/);
        expect(stepOf(change, "add foreign key")).toMatchObject({
          lock: "writes",
          risks: ["may-fail", "breaks-old-code", "blocks"],
        });
      }
      if (dialect === "sqlite")
        expect(wordsOf(change)).toEqual(["rebuild table", "create index people_team_id_idx"]);
      await lent.db.repository(Team).insert().exec({ title: "t" });
      await apply(change);
      expect((await diff([Team, Referring], lent.db)).text()).toBe("");
      expect(await lent.db.repository(Referring).query().exec()).toMatchObject([{ teamId: 1 }]);
    });

    test("a narrower type is a loss; a step on an empty table does not block", async () => {
      const Narrow = table(
        "people",
        z.object({ ...Person.schema.shape, age: column(z.string().nullable(), { type: "varchar(2)" }) }),
      );
      const kind = dialect === "sqlite" ? "rebuild table" : "change type";
      const narrowed = stepOf(await diff([Narrow], lent.db), kind);
      if (dialect !== "sqlite")
        expect(narrowed.risks).toEqual(expect.arrayContaining(["loses-data", "blocks"]));
      expect(narrowed.rewrites).toBe(true);
      await lent.run("DELETE FROM people");
      expect(stepOf(await diff([Narrow], lent.db), kind).risks).not.toContain("blocks");
    });

    test.skipIf(dialect !== "mariadb")(
      "MariaDB lengthens a text in place while its length takes as many bytes, and an enum at its end",
      async () => {
        const shaped = (length: number, members: string) =>
          table(
            "shaped",
            z.object({
              id,
              text: column(z.string(), { type: `varchar(${length})` }),
              plain: column(z.string(), { type: `varchar(${length}) CHARACTER SET latin1` }),
              mood: column(z.string(), { type: `enum(${members})` }),
            }),
          );
        await lent.db.createTables(shaped(40, "'a'"));
        await lent.run("INSERT INTO shaped (text, plain, mood) VALUES ('a', 'b', 'a')");
        const algorithms: unknown[] = [];
        for (const [length, members] of [
          [60, "'a','b'"],
          [90, "'a','b'"],
          [200, "'b','a'"],
          [300, "'b','a'"],
        ] as const) {
          const change = await diff([shaped(length, members)], lent.db);
          algorithms.push(
            Object.fromEntries(
              change.steps.map(({ name, sql }) => [name, /ALGORITHM=(\w+)/.exec(sql[0] ?? "")?.[1]]),
            ),
          );
          await apply(change);
          expect((await diff([shaped(length, members)], lent.db)).text()).toBe("");
        }
        expect(algorithms).toEqual([
          { text: "INSTANT", plain: "INSTANT", mood: "INSTANT" },
          { text: "COPY", plain: "INSTANT" },
          { text: "INSTANT", plain: "INSTANT", mood: "COPY" },
          { text: "INSTANT", plain: "COPY" },
        ]);
      },
    );

    test("tables that are not declared stay, unless they are to be dropped", async () => {
      expect((await diff([Team], lent.db)).isEmpty).toBe(true);
      expect((await diff([Team], lent.db, { drop: "tables", ignore: ["peop*"] })).isEmpty).toBe(true);
      const change = await diff([Team], lent.db, { drop: "tables" });
      expect(change.steps).toMatchObject([
        { kind: "drop table", table: "people", risks: ["loses-data", "breaks-old-code"] },
      ]);
      await apply(change);
      expect((await diff([Team], lent.db, { drop: "tables" })).isEmpty).toBe(true);
    });

    test("what others made and rowtype reads correctly is a difference only where types are exact", async () => {
      const text = { postgres: "varchar(255)", mariadb: "varchar(255)", sqlite: "NVARCHAR(255)", oracle: "" }[
        dialect
      ];
      const made =
        dialect === "mariadb"
          ? "int primary key auto_increment"
          : dialect === "postgres"
            ? "serial primary key"
            : "integer primary key";
      await lent.run(
        `CREATE TABLE old (id ${made}, name ${text} NOT NULL, CONSTRAINT odd CHECK (name <> ''))`,
      );
      const Old = table(
        "old",
        z.object({
          id: column(z.int(), { primaryKey: true, generated: "byDefault" }),
          name: column(z.string(), { check: "name <> ''" }),
        }),
      );
      expect((await diff([Old], lent.db)).text()).toBe("");
      expect((await diff([Old], lent.db, { types: "exact" })).isEmpty).toBe(false);
    });

    test("no declaration smuggles a step into a file, and a line break stays what it is", async () => {
      const smuggled = "a\n-- step drop table people\nDROP TABLE people";
      const Sly = people({
        note: column(z.string(), {
          type: "varchar(99)",
          default: `'${smuggled}'`,
          check: `note <> '${smuggled}!'\n-- step tidy up\n`,
          comment: smuggled,
        }),
      });
      const change = await diff([Sly], lent.db);
      const lines = change.text().split("\n");
      expect(lines.filter((line) => /^-- step (?:drop table|tidy)/.test(line))).toEqual([]);
      expect(lines.filter((line) => /^DROP TABLE people/.test(line))).toEqual([]);
      const statements = change
        .text()
        .split(/^-- .*\n/m)
        .filter((sql) => sql.trim() !== "");
      if (dialect === "sqlite") await lent.run("PRAGMA foreign_keys = OFF");
      for (const sql of statements) await lent.run(sql);
      expect((await diff([Sly], lent.db)).text()).toBe("");
      expect(await lent.db.repository(Sly).query().exec()).toMatchObject([{ note: smuggled }]);
    });

    test("drift is an error with the steps and their text", async () => {
      const error = await sqlErrorOf(assertInSync(lent.db, [people({ note: z.string().nullable() })]));
      expect(error).toBeInstanceOf(DriftError);
      expect(error).toMatchObject({ code: "DRIFT", steps: [{ kind: "add column", name: "note" }] });
      expect(error.message).toContain("add column people.note");
      expect(Object(error).text).toContain("ADD COLUMN");
    });

    test("external tables are neither made nor altered nor dropped", async () => {
      const External = table("people", z.object({ id, other: z.string() }), { external: true });
      const Absent = table("absent", z.object({ id }), { external: true });
      expect((await diff([External, Absent, Team], lent.db, { drop: "tables" })).isEmpty).toBe(true);
    });
  });

describe("diff", () => {
  test("on Oracle says that it cannot", async () => {
    expect(await sqlErrorOf(diff([Team], oracle()))).toMatchObject({ code: "UNSUPPORTED" });
  });

  test("refuses what are not tables, and options that it does not know", async () => {
    expect(await sqlErrorOf(diff(null as never, oracle()))).toMatchObject({ code: "DECLARATION" });
    expect(await sqlErrorOf(diff([{}] as never, oracle()))).toMatchObject({ code: "DECLARATION" });
    expect(await sqlErrorOf(diff([Team, Team], oracle()))).toMatchObject({ code: "DECLARATION" });
    expect(await sqlErrorOf(diff([Team], oracle(), { drop: "all" as never }))).toMatchObject({
      code: "DECLARATION",
    });
  });
});
