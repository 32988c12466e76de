/** An option that a function does not have is refused with the list of those that it has, before anything is sent. */
import Sqlite from "better-sqlite3";
import {
  type AnyDeclared,
  column,
  type Database,
  DeclarationError,
  enumType,
  SqlError,
  table,
  view,
} from "rowtype";
import { mariadb } from "rowtype/mariadb";
import { assertInSync, diff, generate, introspect, migrate, pull, status } from "rowtype/migrate";
import { oracle } from "rowtype/oracle";
import { postgres } from "rowtype/postgres";
import { sqlite } from "rowtype/sqlite";
import { recording } from "rowtype/testing";
import { describe, expect, test } from "vitest";
import { z } from "zod";

const id = column(z.int(), { primaryKey: true });
const Item = table("items", z.object({ id, name: z.string() }));

/** What is called with options, which an untyped caller may write in any way. */
type Call = (options: never) => unknown;

const open = () => {
  const db = sqlite(new Sqlite(":memory:"));
  return { db, items: db.repository(Item) };
};
const { db, items } = open();
const any = db as unknown as Database;
const record = { id: 1, name: "a" };
const byId = { id: 1 };

const calls: { readonly [Name: string]: Call } = {
  sqlite: (o) => sqlite(undefined, o),
  postgres: (o) => postgres(undefined, o),
  mariadb: (o) => mariadb(undefined, o),
  oracle: (o) => oracle(undefined, o),
  ping: (o) => db.ping(o),
  transaction: (o) => db.transaction(async () => 1, o),
  "recording's transaction": (o) => recording("postgres").transaction(async () => 1, o),
  "select exec": (o) => items.select().where("id", "=", "id").exec(byId, o),
  execOrNull: (o) => items.select().where("id", "=", "id").execOrNull(byId, o),
  "query exec": (o) => items.query().where("id", "=", "id").exec(byId, o),
  stream: async (o) => {
    for await (const _ of items.query().where("id", "=", "id").stream(byId, o));
  },
  explain: (o) => items.query().where("id", "=", "id").explain(byId, o),
  "compound exec": (o) => items.query().union(items.query()).exec({}, o),
  "page exec": (o) => items.query().orderBy("id", "asc").page(2).exec({}, o),
  count: (o) => items.count().exec({}, o),
  sum: (o) => items.sum("id").exec({}, o),
  "insert exec": (o) => items.insert().exec(record, {}, o),
  "insert exec without parameters": (o) => items.insert().exec(record, o),
  execBatch: (o) => items.insert().execBatch([record], {}, o),
  execMany: (o) => items.insert().execMany([record], {}, o),
  "modify exec": (o) => items.modify().set("name", "n").where("id", "=", "id").exec({ n: "b", id: 1 }, o),
  "modify execMany": (o) =>
    items.modify().set("name", "n").where("id", "=", "id").execMany({ n: "b", id: 1 }, o),
  "modify execBatch": (o) =>
    items
      .modify()
      .set("name", "n")
      .where("id", "=", "id")
      .execBatch([{ n: "b", id: 1 }], o),
  "remove exec": (o) => items.remove().where("id", "=", "id").exec(byId, o),
  "sql exec": (o) => db.sql("SELECT 1 AS one", z.object({ one: z.int() })).exec({}, o),
  sql: (o) => db.sql("SELECT 1 AS one", z.object({ one: z.int() }), o).exec(),
  specs: (o) => items.specs(o),
  forUpdate: (o) => postgres().repository(Item).query().forUpdate(o).build(),
  column: (o) => column(z.int(), o),
  table: (o) => table("t", z.object({ id }), o),
  view: (o) => view("v", z.object({ id }), o),
  enumType: (o) => enumType("e", ["a"], o),
  diff: (o) => diff([Item], any, o),
  assertInSync: (o) => assertInSync(any, [Item] as readonly AnyDeclared[], o),
  generate: (o) => generate([Item], any, o),
  introspect: (o) => introspect(any, o),
  migrate: (o) => migrate(any, o),
  pull: (o) => pull(any, o),
  status: (o) => status(any, o),
};

describe("an unknown option of", () => {
  test.each(Object.entries(calls))("%s", async (name, call) => {
    const given = { retrys: 3 } as never;
    const error = await (async () => call(given))().then(
      () => undefined,
      (thrown: unknown) => thrown,
    );
    // In the place of the parameters, what is no option is a parameter.
    if (name === "insert exec without parameters") {
      expect(error).toBeInstanceOf(SqlError);
      expect(error).toMatchObject({ code: "EXTRA_PARAM" });
      return;
    }
    expect(error).toBeInstanceOf(SqlError);
    expect(String(Object(error).message)).toContain('"retrys"');
  });

  test("a database says which there are", () => {
    expect(() => sqlite(undefined, { retrys: 3 } as never)).toThrow(
      new DeclarationError('unknown option "retrys" of sqlite; options: retries'),
    );
    expect(() => postgres(undefined, { retrys: 3 } as never)).toThrow(/options: retries, prepare/);
  });
});
