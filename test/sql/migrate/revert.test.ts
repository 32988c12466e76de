/** `generate` with `revert`: the structure is as before a migration, and what is lost on the way is said. */
import { readFileSync } from "node:fs";
import { basename } from "node:path";
import { type AnyDeclared, column, enumType, table, view } from "rowtype";
import { type Catalog, diff, generate, introspect, migrate } from "rowtype/migrate";
import { expect, test } from "vitest";
import { z } from "zod";
import { stepWords } from "../../../src/sql/migrate/words/step.js";
import { sqlErrorOf } from "../../kit/thrown.js";
import { onRunnerServers } from "./folders.js";

const id = column(z.int(), { primaryKey: true, generated: true });
const mood = { type: { postgres: "mood" } };

const first = (): readonly AnyDeclared[] => {
  const Mood = enumType("mood", ["sad", "happy"]);
  const Team = table(
    "teams",
    z.object({ id, title: column(z.string(), { type: "varchar(40)", default: "'it''s'" }) }),
    {
      comment: "of people",
    },
  );
  const Person = table(
    "people",
    z.object({
      id,
      name: column(z.string(), { type: "varchar(40)", unique: true, comment: "full" }),
      age: column(z.int().nullable(), { check: "age >= 0" }),
      mood: column(z.enum(["sad", "happy"]), { ...mood, default: "'sad'" }),
      teamId: column(z.int().nullable(), { name: "team_id", references: () => Team, onDelete: "set null" }),
      double: column(z.int().nullable(), { computed: "age * 2" }),
    }),
    { indexes: [{ columns: ["age", ["name", "desc"]], unique: true, name: "people_by_age" }] },
  );
  const Old = table("old", z.object({ id, at: z.date() }));
  const Names = view("names", z.object({ name: z.string() }), { as: "SELECT name FROM people" });
  return [Mood, Team, Person, Old, Names];
};

const second = (): readonly AnyDeclared[] => {
  const Mood = enumType("mood", ["sad", "happy", "wild"]);
  const Team = table(
    "groups",
    z.object({ id, title: column(z.string(), { type: "varchar(90)" }), size: z.int().nullable() }),
    {
      renamedFrom: "teams",
    },
  );
  const Person = table(
    "people",
    z.object({
      id,
      fullName: column(z.string(), { name: "full_name", type: "varchar(40)", renamedFrom: "name" }),
      age: column(z.int().nullable(), { default: "3" }),
      mood: column(z.enum(["sad", "happy"]), { ...mood, default: "'sad'" }),
      teamId: column(z.int().nullable(), { name: "team_id" }),
      double: column(z.int().nullable(), { computed: "age * 2" }),
    }),
    { checks: { people_odd: "full_name <> 'odd'" } },
  );
  const New = table(
    "new",
    z.object({ id, personId: column(z.int(), { name: "person_id", references: () => Person }) }),
  );
  const Names = view("names", z.object({ name: z.string() }), { as: "SELECT full_name AS name FROM people" });
  return [Mood, Team, Person, New, Names];
};

onRunnerServers("generate with revert", (place) => {
  test("undoes what one migration did, and no other", async () => {
    const { db, folder } = place();
    const given = { folder: folder.path, drop: "tables" } as const;
    await generate(first(), db, { ...given, name: "first" });
    await migrate(db, { folder: folder.path });
    const before = said(await introspect(db));
    // Every step that loses something, or drops what is no longer declared.
    const asked = (await diff(second(), db, { drop: "tables" })).steps.filter(({ risks }) =>
      risks.some((risk) => risk === "loses-data" || risk === "undeclared" || risk === "blocks"),
    );
    const path = await generate(second(), db, { ...given, name: "second", allow: asked.map(stepWords) });
    await migrate(db, { folder: folder.path });
    expect(said(await introspect(db))).not.toEqual(before);

    const revert = basename(path ?? "", ".sql");
    const undone = { folder: folder.path, name: "undo", revert };
    const refused = await sqlErrorOf(generate([], db, undone));
    expect(refused).toMatchObject({ code: "MIGRATION_REFUSED" });
    const allow: string[] = [];
    let file: string | null = null;
    for (let tries = 0; file === null && tries < 12; tries++)
      file = await generate([], db, { ...undone, allow }).catch((error: unknown) => {
        if (typeof Object(error).step !== "string") throw error;
        allow.push(Object(error).step);
        return null;
      });
    expect(allow).toContain("drop table new");
    // What the migration has made is not undeclared.
    expect(allow.filter((words) => /^drop (?!table|column)/.test(words))).toEqual([]);
    const text = readFileSync(file ?? "", "utf8");
    expect(text).toContain("-- step rename table groups\n");
    expect(text).toContain("-- step rename column people.full_name\n");
    await migrate(db, { folder: folder.path });
    expect(said(await introspect(db)), text).toEqual(before);
  });

  test("is refused for a name that is not there, and where a later one changed the same table", async () => {
    const { db, folder } = place();
    const put = (n: number, sql: string, words: string) =>
      folder.put(`2026010${n}_000000_m${n}.sql`, `-- step ${words}\n${sql}\n`);
    put(1, "CREATE TABLE a (id INTEGER NOT NULL PRIMARY KEY)", "create table a");
    put(2, "ALTER TABLE a ADD COLUMN b INTEGER", "add column a.b");
    put(3, "ALTER TABLE a ADD COLUMN c INTEGER", "add column a.c");
    put(4, "UPDATE a SET b = 1", "fill");
    await migrate(db, { folder: folder.path });
    const of = (revert: string) =>
      generate([], db, { folder: folder.path, name: "undo", revert, allow: ["drop column a.c"] });
    expect(await sqlErrorOf(of("20260109_000000_m9"))).toMatchObject({ code: "MIGRATION_INVALID" });
    const later = await sqlErrorOf(of("20260102_000000_m2"));
    expect(later).toMatchObject({ code: "MIGRATION_REFUSED" });
    expect(later.message).toContain('"a"');
    expect(await of("20260104_000000_m4")).toBeNull();
    expect(readFileSync((await of("20260103_000000_m3")) ?? "", "utf8")).toContain(
      "-- step drop column a.c (loses data) (allowed)\n",
    );
  });
});

/** A catalog without names of constraints, which are not compared. */
function said({ tables, views, enums }: Catalog): unknown {
  const text = (list: readonly object[]) => list.map((one) => JSON.stringify({ ...one, name: null })).sort();
  const plain = tables.map(({ keys, foreignKeys, checks, indexes, primaryKey, ...table }) => ({
    ...table,
    primaryKey: primaryKey?.columns,
    parts: [keys, foreignKeys, checks, indexes].map(text),
  }));
  return { plain, views, enums };
}
