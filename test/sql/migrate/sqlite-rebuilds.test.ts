/** Rebuilds of tables on SQLite by the runner: children, triggers and sequences are as before, whatever refers to it. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Sqlite from "better-sqlite3";
import * as fc from "fast-check";
import { type AnyTable, column, type Database, table } from "rowtype";
import { diff, introspect, migrate, pull } from "rowtype/migrate";
import { sqlite } from "rowtype/sqlite";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { sqlErrorOf } from "../../kit/thrown.js";
import { rounds } from "../../rounds.js";

const id = column(z.int(), { primaryKey: true, generated: true });

/** A parent whose change needs a rebuild, and a child that refers to it. */
function world(version: 1 | 2, onDelete: "cascade" | "set null" | "no action"): AnyTable[] {
  const Parent: AnyTable = table(
    "parents",
    z.object({
      id,
      name: column(z.string(), version === 1 ? {} : { default: "'new'", unique: true }),
      mentor: column(z.int().nullable(), { references: (): AnyTable => Parent, onDelete }),
    }),
  );
  const Child = table(
    "children",
    z.object({
      id,
      parentId: column(z.int().nullable(), { name: "parent_id", references: () => Parent, onDelete }),
    }),
  );
  return [Parent, Child];
}

async function migrated(db: Database, tables: readonly AnyTable[]): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "rowtype-rebuild-"));
  try {
    writeFileSync(join(folder, "20260101_000000_rebuild.sql"), (await diff(tables, db)).text());
    await migrate(db, { folder });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

describe("a rebuild of a table", () => {
  test("keeps every child, self-reference, trigger and sequence, with foreign keys on and off", async () => {
    const actions = fc.constantFrom("cascade", "set null", "no action");
    const property = fc.asyncProperty(
      actions,
      fc.boolean(),
      fc.integer({ min: 1, max: 5 }),
      fc.integer({ min: 0, max: 8 }),
      async (onDelete, isOn, parents, children) => {
        const handle = new Sqlite(":memory:");
        try {
          handle.pragma(`foreign_keys = ${isOn ? "ON" : "OFF"}`);
          const db = sqlite(handle);
          await db.createTables(...world(1, onDelete));
          for (let i = 1; i <= parents + 1; i++)
            handle
              .prepare("INSERT INTO parents (name, mentor) VALUES (?, ?)")
              .run(`p${i}`, i === 1 ? null : 1);
          handle.prepare("DELETE FROM parents WHERE id = ?").run(parents + 1);
          for (let i = 0; i < children; i++)
            handle.prepare("INSERT INTO children (parent_id) VALUES (?)").run((i % parents) + 1);
          handle.exec("CREATE TABLE log (what TEXT)");
          handle.exec("CREATE TRIGGER own AFTER UPDATE ON parents BEGIN INSERT INTO log VALUES ('own'); END");
          handle.exec(
            "CREATE TRIGGER other AFTER INSERT ON children BEGIN INSERT INTO log SELECT name FROM parents WHERE id = new.parent_id; END",
          );
          const held = () => [
            handle.prepare("SELECT id, name, mentor FROM parents ORDER BY id").all(),
            handle.prepare("SELECT * FROM children ORDER BY id").all(),
            handle.prepare("SELECT name FROM sqlite_schema WHERE type = 'trigger' ORDER BY name").all(),
            handle.prepare("SELECT seq FROM sqlite_sequence WHERE name = 'parents'").all(),
          ];
          const before = held();
          await migrated(db, world(2, onDelete));
          expect(held()).toEqual(before);
          expect(handle.pragma("foreign_keys", { simple: true })).toBe(isOn ? 1 : 0);
          expect(handle.pragma("foreign_key_check")).toEqual([]);
          expect((await diff(world(2, onDelete), db)).text()).toBe("");
          handle.exec("INSERT INTO children (parent_id) VALUES (1)");
          expect(handle.prepare("SELECT what FROM log").all()).toContainEqual({ what: "p1" });
          handle.exec("UPDATE parents SET name = 'q' WHERE id = 1");
          expect(handle.prepare("SELECT count(*) AS n FROM log WHERE what = 'own'").get()).toEqual({ n: 1 });
        } finally {
          handle.close();
        }
      },
    );
    await fc.assert(property, { numRuns: rounds({ small: 20, full: 500 }) });
  });

  test("is refused where a view that is not declared depends on the table", async () => {
    const handle = new Sqlite(":memory:");
    const db = sqlite(handle);
    await db.createTables(...world(1, "cascade"));
    handle.exec("CREATE VIEW names AS SELECT name FROM parents");
    const error = await sqlErrorOf(diff(world(2, "cascade"), db));
    expect(error).toMatchObject({ code: "MIGRATION_REFUSED", step: "rebuild table parents" });
    expect(error.message).toContain("names");
    handle.close();
  });

  test.each([
    [
      "a column's conflict clause",
      "id INTEGER PRIMARY KEY, code TEXT NOT NULL ON CONFLICT IGNORE, n INTEGER",
      "ON CONFLICT IGNORE (code)",
    ],
    [
      "a key's conflict clause",
      "id INTEGER PRIMARY KEY, code TEXT, n INTEGER, UNIQUE (code, n) ON CONFLICT REPLACE",
      "ON CONFLICT REPLACE (code, n)",
    ],
    [
      "a key's collation",
      "id INTEGER PRIMARY KEY, code TEXT, n INTEGER, UNIQUE (n, code COLLATE nocase)",
      "COLLATE nocase (n, code COLLATE nocase)",
    ],
  ])("is refused where it would lose %s", async (_, columns, text) => {
    const handle = new Sqlite(":memory:");
    handle.exec(`CREATE TABLE codes (${columns})`);
    const db = sqlite(handle);
    const Codes = (n: z.ZodType) =>
      table("codes", z.object({ id: column(z.int(), { primaryKey: true }), code: z.string().nullable(), n }));
    const error = await sqlErrorOf(diff([Codes(z.string())], db));
    expect(error).toMatchObject({ code: "MIGRATION_REFUSED", step: "rebuild table codes" });
    expect(error.message).toContain(text);
    const { unknown } = await introspect(db);
    expect(unknown.map(({ name }) => name)).toEqual([text]);
    const { notCarried } = await pull(db, { names: "same" });
    expect(JSON.stringify(notCarried)).toContain(text);
    handle.close();
  });

  test("takes a clause that says what SQLite does anyway for none", async () => {
    const handle = new Sqlite(":memory:");
    handle.exec("CREATE TABLE codes (id INTEGER PRIMARY KEY ON CONFLICT ABORT, n INTEGER NOT NULL)");
    const db = sqlite(handle);
    const Codes = table("codes", z.object({ id: column(z.int(), { primaryKey: true }), n: z.string() }));
    expect((await introspect(db)).unknown).toEqual([]);
    expect((await diff([Codes], db)).steps.map(({ kind }) => kind)).toEqual(["rebuild table"]);
    handle.close();
  });

  test("keeps what makes the table another kind of table", async () => {
    const handle = new Sqlite(":memory:");
    const db = sqlite(handle);
    handle.exec(
      "CREATE TABLE strict (id INTEGER PRIMARY KEY NOT NULL, name TEXT COLLATE NOCASE NOT NULL) STRICT",
    );
    handle.exec("CREATE INDEX odd ON strict (name COLLATE BINARY, lower(name))");
    const Strict = table(
      "strict",
      z.object({ id: column(z.int(), { primaryKey: true }), name: column(z.string(), { default: "'x'" }) }),
    );
    await migrated(db, [Strict]);
    const texts = handle
      .prepare("SELECT sql FROM sqlite_schema WHERE tbl_name = 'strict' ORDER BY type")
      .pluck()
      .all();
    expect(texts[0]).toContain("COLLATE BINARY, lower(name)");
    expect(texts[1]).toMatch(/COLLATE "NOCASE"[\s\S]*\) STRICT$/);
    handle.close();
  });
});
