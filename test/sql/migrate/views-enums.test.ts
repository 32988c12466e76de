/** Views and enum types in `diff`: made, made again in the order of what they read, and never in the way of a table. */
import { type AnyDeclared, type AnyTable, column, enumType, table, view } from "rowtype";
import { type Change, diff, introspect, pull } from "rowtype/migrate";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { sqlErrorOf } from "../../kit/thrown.js";
import { type Lent, servers } from "../../servers.js";

const id = column(z.int(), { primaryKey: true });

/** A table and views over it, under names of one test. */
function world(name: string, { columns = {}, where = "age > 18", options = {}, views = name }: World = {}) {
  const People: AnyTable = table(name, z.object({ id, name: z.string(), age: z.int(), ...columns }), options);
  // It reads the other one, and stands before it in the list.
  const Names = view(`${views}_names`, z.object({ name: z.string() }), {
    as: `SELECT lower(name) AS name FROM ${views}_adults`,
  });
  const Adults = view(`${views}_adults`, z.object({ id: z.int(), name: z.string() }), {
    as: `SELECT * FROM ${name} WHERE ${where} AND name IN ('a', 'b')`,
    comment: "of age",
  });
  return { People, Names, Adults, all: [Names, Adults, People] as const };
}

interface World {
  readonly columns?: Record<string, z.ZodType>;
  readonly where?: string;
  readonly options?: object;
  /** How the names of the views begin. */
  readonly views?: string;
}

for (const server of servers)
  describe.skipIf(!server.available || server.dialect === "oracle")(`views on ${server.name}`, () => {
    const { dialect } = server;
    let lent: Lent;
    beforeAll(async () => {
      lent = await server.lend();
    });
    afterAll(() => lent.close());

    const wordsOf = ({ steps }: Change) =>
      steps.map(({ kind, table: of, name }) => [kind, of, name].filter((one) => one !== undefined).join(" "));
    const made = async (name: string, given?: World) => {
      const first = world(name, given);
      await lent.db.createTables(...first.all);
      expect((await diff(first.all, lent.db, { types: "exact" })).text()).toBe("");
      await lent.db.repository(first.People).insert().exec({ id: 1, name: "a", age: 20 });
      return first;
    };
    /** Applies the difference, which must then be none, and gives its words. */
    const reached = async (tables: readonly AnyDeclared[]) => {
      const change = await diff(tables, lent.db, { types: "exact" });
      if (dialect === "sqlite") await lent.run("PRAGMA foreign_keys = OFF");
      for (const sql of change.sql()) await lent.run(sql);
      if (dialect === "sqlite") await lent.run("PRAGMA foreign_keys = ON");
      expect((await diff(tables, lent.db, { types: "exact" })).text(), change.text()).toBe("");
      return wordsOf(change);
    };

    test("a view that is not there is made behind what it reads, and one that is there is no difference", async () => {
      const { People, all } = world("fresh");
      await lent.db.createTables(People);
      expect(await reached(all)).toEqual(["create view fresh_adults", "create view fresh_names"]);
      expect((await diff([People], lent.db)).isEmpty).toBe(true);
    });

    test("another query is a view that is dropped and made again, and so is what reads it", async () => {
      const { Names } = await made("queried");
      const second = world("queried", { where: "age > 21" });
      const words = await reached(second.all);
      expect(words).toEqual(
        dialect === "sqlite"
          ? ["drop view queried_adults", "create view queried_adults"]
          : [
              "drop view queried_names",
              "drop view queried_adults",
              "create view queried_adults",
              "create view queried_names",
            ],
      );
      await lent.run("UPDATE queried SET age = 20");
      expect(await lent.db.repository(Names).query().exec()).toEqual([]);
    });

    test("a view of all columns has those that are added", async () => {
      await made("widened");
      const second = world("widened", { columns: { note: z.string().nullable() } });
      await reached(second.all);
      const { views } = await introspect(lent.db);
      const adults = views.find(({ name }) => name === "widened_adults");
      expect(adults?.columns.map((one) => one.name)).toContain("note");
    });

    test("what a view reads is renamed, retyped, dropped and built again under it", async () => {
      const { Adults } = await made("moved", {
        columns: { extra: column(z.string().nullable(), { type: "varchar(9)" }) },
      });
      const second = world("moved", {
        columns: { age: column(z.int(), { default: "5", check: "age > 0" }) },
      });
      const words = await reached(second.all);
      expect(words).toContain("drop column moved extra");
      expect(words).toContain("create view moved_names");
      expect(await lent.db.repository(Adults).query().exec()).toEqual([{ id: 1, name: "a" }]);
      const third = world("moved_on", {
        columns: { age: column(z.int(), { name: "years", renamedFrom: "age", type: "numeric(9)" }) },
        where: "years > 18",
        options: { renamedFrom: "moved" },
        views: "moved",
      });
      expect(await reached(third.all)).toContain("rename table moved");
      expect(await lent.db.repository(third.Names).query().exec()).toEqual([{ name: "a" }]);
    });

    test("a view that is not declared and stands in the way refuses the change, and is left alone otherwise", async () => {
      const { People } = await made("held");
      await lent.run("CREATE VIEW held_theirs AS SELECT id, age FROM held");
      await lent.run("DROP VIEW held_names");
      await lent.run("DROP VIEW held_adults");
      expect((await diff([People], lent.db)).isEmpty).toBe(true);
      const Retyped = world("held", { columns: { age: z.string() } }).People;
      if (dialect === "mariadb") return void (await reached([Retyped]));
      const error = await sqlErrorOf(diff([Retyped], lent.db));
      expect(error).toMatchObject({
        code: "MIGRATION_REFUSED",
        step: dialect === "sqlite" ? "rebuild table held" : "change type held.age",
      });
      expect(error.message).toContain("held_theirs");
    });

    test("a view of the same name as another table's column, with literals and brackets, is not a difference", async () => {
      const quote = dialect === "mariadb" ? "`" : '"';
      const odd = `${quote}a view, as (it) is${quote}`;
      const { People } = world("oddities");
      const Odd = view("a view, as (it) is", z.object({ id: z.int(), n: z.int() }), {
        as: `SELECT id, count(*) AS n FROM oddities WHERE name <> ':as ''x'' (' GROUP BY id HAVING count(*) > 0`,
      });
      const Second = view("oddities_second", z.object({ n: z.int() }), {
        as: `SELECT n FROM ${odd} AS ${quote}q r${quote}`,
      });
      await lent.db.createTables(Second, Odd, People);
      expect((await diff([Second, Odd, People], lent.db, { types: "exact" })).text()).toBe("");
    });

    test("triggers on a view are made again with it", async () => {
      if (dialect !== "sqlite") return;
      await made("watched");
      await lent.run(
        "CREATE TRIGGER watched_in INSTEAD OF INSERT ON watched_adults BEGIN INSERT INTO watched (id, name, age) VALUES (new.id, new.name, 30); END",
      );
      await reached(world("watched", { where: "age > 21" }).all);
      await lent.run("INSERT INTO watched_adults (id, name) VALUES (7, 'a')");
      expect(await lent.run("SELECT age FROM watched WHERE id = 7")).toEqual([{ age: 30 }]);
      const error = await sqlErrorOf(diff([], lent.db, { drop: "tables" }));
      expect(error).toMatchObject({ code: "MIGRATION_REFUSED", step: "drop view watched_adults" });
      await lent.run("DROP TRIGGER watched_in");
    });

    test("views that are not declared go with the tables that are not declared", async () => {
      const { all, People } = await made("gone");
      const change = await diff([People], lent.db, { drop: "tables", ignore: ["[!g]*"] });
      expect(wordsOf(change)).toEqual(
        expect.arrayContaining(["drop view gone_names", "drop view gone_adults"]),
      );
      expect(change.sql().findIndex((sql) => sql.includes("gone_names"))).toBeLessThan(
        change.sql().findIndex((sql) => sql.includes("gone_adults")),
      );
      await lent.db.dropTables(...all);
    });

    test("the comment of a view is set by itself", async () => {
      if (dialect !== "postgres") return;
      const { all } = await made("noted");
      await lent.run("COMMENT ON VIEW noted_adults IS 'old'");
      expect(await reached(all)).toEqual(["comment view noted_adults"]);
    });
  });

for (const server of servers.filter(({ dialect }) => dialect === "postgres"))
  describe.skipIf(!server.available)(`enum types on ${server.name}`, () => {
    let lent: Lent;
    beforeAll(async () => {
      lent = await server.lend();
    });
    afterAll(() => lent.close());

    const people = (
      name: string,
      members: readonly [string, ...string[]],
      more: object = {},
      schema?: string,
    ) => {
      const type = `${name} mood`;
      const Mood = enumType(type, members, schema === undefined ? {} : { schema });
      const named = schema === undefined ? `"${type}"` : `"${schema}"."${type}"`;
      const People = table(
        name,
        z.object({
          id,
          mood: column(z.enum(Mood.values), {
            type: { postgres: named },
            default: `'${members[0]}'`,
            ...more,
          }),
          moods: column(z.array(z.string()).nullable(), { type: { postgres: `${named}[]` } }),
        }),
      );
      const Happy = view(`${name}_happy`, z.object({ id: z.int() }), {
        as: `SELECT id FROM ${name} WHERE mood <> '${members[0]}'`,
      });
      return [People, Mood, Happy] as const;
    };
    const reached = async (tables: readonly AnyDeclared[]) => {
      const change = await diff(tables, lent.db, { types: "exact" });
      for (const sql of change.sql()) await lent.run(sql);
      expect((await diff(tables, lent.db, { types: "exact" })).text(), change.text()).toBe("");
      return change;
    };
    const kinds = ({ steps }: Change) => steps.map(({ kind }) => kind);

    test("one that is not there is made before the table that has it", async () => {
      const all = people("fresh", ["sad", "it's fine"]);
      expect(kinds(await reached(all))).toEqual(["create enum", "create table", "create view"]);
      await lent.run("INSERT INTO fresh (id, moods) VALUES (1, '{sad}')");
      expect((await diff(all, lent.db, { drop: "tables" })).text()).toBe("");
    });

    test("a further member is added at its place, alone, and may be a default at once", async () => {
      await lent.db.createTables(...people("grown", ["sad", "happy"]));
      const change = await reached(people("grown", ["glad", "sad", "meh", "happy", "wild"]));
      expect(kinds(change).filter((kind) => kind === "add value")).toHaveLength(3);
      expect(change.text()).toContain(
        `-- step add value "grown mood".meh (no transaction)\nALTER TYPE "grown mood" ADD VALUE 'meh' AFTER 'sad'\n`,
      );
      const { enums } = await introspect(lent.db);
      expect(enums.find(({ name }) => name === "grown mood")?.values).toEqual([
        "glad",
        "sad",
        "meh",
        "happy",
        "wild",
      ]);
    });

    test.each([undefined, "apart"])(
      "a member that goes is a loss by name, in schema %s: rows that have it fail, and others stay",
      async (schema) => {
        if (schema !== undefined) await lent.run(`CREATE SCHEMA ${schema}`);
        const name = schema === undefined ? "shrunk" : "shrunk_apart";
        await lent.db.createTables(
          ...people(name, ["sad", "happy", "gone"], { check: "mood <> 'gone'" }, schema),
        );
        await lent.run(`INSERT INTO ${name} (id, mood, moods) VALUES (1, 'happy', '{sad,happy}')`);
        const after = people(name, ["happy", "sad"], {}, schema);
        const change = await diff(after, lent.db);
        const rebuild = change.steps.find(({ kind }) => kind === "rebuild enum");
        expect(rebuild?.risks).toContain("loses-data");
        expect(rebuild?.why).toContain('"gone"');
        await reached(after);
        expect(await lent.run(`SELECT mood::text, moods::text FROM ${name}`)).toEqual([
          { mood: "happy", moods: "{sad,happy}" },
        ]);
      },
    );

    test("is refused where a table that is not declared has the type", async () => {
      const [, Mood] = people("alone", ["a", "b"]);
      await lent.db.createTables(Mood);
      await lent.run('CREATE TABLE alone_theirs (m "alone mood")');
      const error = await sqlErrorOf(diff([people("alone", ["a"])[1]], lent.db));
      expect(error).toMatchObject({ code: "MIGRATION_REFUSED", step: 'rebuild enum "alone mood"' });
      expect(error.message).toContain("alone_theirs");
    });

    test("goes with the tables that are not declared, unless a declared column has it", async () => {
      const { enums } = await introspect(lent.db);
      expect(enums.map(({ name }) => name)).toContain("fresh mood");
      const [Fresh] = people("fresh", ["sad", "it's fine"]);
      const kept = await diff([Fresh], lent.db, { drop: "tables", ignore: ["grown*", "shrunk*", "alone*"] });
      expect(kinds(kept)).toEqual(["drop view"]);
      const all = await diff([], lent.db, { drop: "tables", ignore: ["grown*", "shrunk*", "alone*"] });
      expect(kinds(all)).toEqual(["drop view", "drop table", "drop enum"]);
    });
  });

const maria = servers.find(({ name }) => name === "mariadb");
// The server takes the blank away from the view's column, and keeps it in the text of the query.
test.skipIf(maria?.available !== true)(
  "a view of MariaDB over a column whose name begins with a blank is read, pulled and no difference",
  async () => {
    const lent = await maria?.lend();
    if (lent === undefined) throw new Error("no mariadb");
    try {
      await lent.run("CREATE TABLE u (id int PRIMARY KEY, ` a` int)");
      await lent.run("CREATE VIEW v AS SELECT * FROM u");
      const { views } = await introspect(lent.db);
      expect(views.map(({ columns }) => columns.map(({ name }) => name))).toEqual([["id", "a"]]);
      const { source, notCarried } = await pull(lent.db, { names: "camel" });
      expect(notCarried).toEqual([]);
      expect(source).toContain('name: " a"');
      const U = table("u", z.object({ id, a: column(z.int().nullable(), { name: " a" }) }));
      const V = view("v", z.object({ id: z.int(), a: z.int().nullable() }), { as: "SELECT * FROM u" });
      expect((await diff([U, V], lent.db, { drop: "tables" })).text()).toBe("");
      await lent.run("INSERT INTO u VALUES (1, 5)");
      expect(await lent.db.repository(V).query().fields("id", "a").exec()).toEqual([{ id: 1, a: 5 }]);
    } finally {
      await lent.close();
    }
  },
);
