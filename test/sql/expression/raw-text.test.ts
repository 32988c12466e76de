/** Raw text inside typed queries: its texts and rows, and that nothing but the program's own text reaches the SQL. */
import Sqlite from "better-sqlite3";
import { field, lower, param, raw, value } from "rowtype";
import { mariadb } from "rowtype/mariadb";
import { oracle } from "rowtype/oracle";
import { postgres } from "rowtype/postgres";
import { sqlite } from "rowtype/sqlite";
import { beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { hostileWords } from "../../kit/hostile-edits.js";
import { createPeople, Person } from "../../kit/people.js";
import { describeCases } from "../../kit/run-cases.js";
import { sqlErrorIn } from "../../kit/thrown.js";
import { rawTextCases } from "./raw-text.cases.js";

describeCases("raw text", rawTextCases);

// biome-ignore lint/suspicious/noExplicitAny: these tests are the callers whom no compiler stops.
type Untyped = any;

const text: Untyped = raw(z.string());
const databases = [sqlite(), postgres(), mariadb(), oracle()];

/** The text of a query whose rows have the expression. */
function textOf(expression: Untyped, db: Untyped): string {
  return db.repository(Person).query().fields(expression.as("x")).render().sql;
}

/** The error of such a query. */
function errorOf(expression: Untyped, db: Untyped = sqlite()) {
  return sqlErrorIn(() => db.repository(Person).query().fields(expression.as("x")).render());
}

describe("holes of raw text", () => {
  let people: Untyped;
  beforeAll(async () => {
    const db = sqlite(new Sqlite(":memory:"));
    await createPeople(db);
    people = db.repository(Person);
  });

  test.each(hostileWords.map((word) => [word]))(
    "%j is refused as it is, and bound as a value",
    async (word) => {
      expect(errorOf(text`${word}`)).toMatchObject({ code: "INVALID_CONDITION" });
      const bare = word.includes("\0") || !word.isWellFormed();
      if (!Object.hasOwn(Person.columns, word))
        expect(errorOf(text`${field(word)}`)).toMatchObject({ code: "INVALID_FIELD" });
      expect(errorOf(text`${{ node: { kind: "raw", text: { texts: [word], holes: [] } } }}`)).toMatchObject({
        code: "INVALID_CONDITION",
      });
      if (bare) return;
      const given = await people
        .select()
        .fields(text`${param("p", z.string())} || ''`.as("p_"), text`${value(word)} || ''`.as("v_"))
        .where("id", "=", "id")
        .exec({ id: 1, p: word });
      expect(given).toEqual({ p_: word, v_: word });
    },
  );

  test.each([
    ["a parameter without a schema", () => text`${param("p")}`],
    ["a number", () => text`${1}`],
    ["null", () => text`${null}`],
    ["a list", () => text`${["a"]}`],
    ["a proxy of an expression", () => text`${new Proxy(lower("name"), {})}`],
  ])("%s is refused in a hole", (_, make) => {
    expect(errorOf(make())).toMatchObject({ code: "INVALID_CONDITION" });
  });

  test.each([
    ["a text", "1"],
    ["a list", ["1"]],
    ["a list like a template", Object.assign(["1"], { raw: ["1"] })],
    ["a frozen list", Object.freeze(["1"])],
    ["JSON like a template", JSON.parse('{"0":"1","length":1,"raw":["1"]}')],
    ["nothing", undefined],
  ])("%s is not a template", (_, forged) => {
    expect(sqlErrorIn(() => text(forged))).toMatchObject({ code: "INVALID_CONDITION" });
  });

  test("holes that were added or left out are refused", () => {
    const caught = (strings: TemplateStringsArray, ..._: unknown[]) => strings;
    expect(sqlErrorIn(() => text(caught`a ${1} b`))).toMatchObject({ code: "INVALID_CONDITION" });
    expect(sqlErrorIn(() => text(caught`a`, value(1)))).toMatchObject({ code: "INVALID_CONDITION" });
  });
});

describe("raw text stays where it is", () => {
  test.each([
    ["an open quote", () => text`'${value("a")}`],
    ["a hole in quotes", () => text`'a ${value("a")} b'`],
    ["a comment at its end", () => text`1 -- `],
    ["an open comment", () => text`1 /* `],
    ["a hole in a comment", () => text`1 /* ${value("a")} */`],
    ["an open name", () => text`"a`],
  ])("%s is refused on every dialect", (_, make) => {
    for (const db of databases) expect(errorOf(make(), db)).toMatchObject({ code: "INVALID_CONDITION" });
  });

  test.each([
    ["sqlite", "?", sqlite()],
    ["sqlite", ":id", sqlite()],
    ["sqlite", "@id", sqlite()],
    ["mariadb", "?", mariadb()],
    ["postgres", "$1", postgres()],
    ["oracle", ":id", oracle()],
    ["oracle", ":1", oracle()],
  ])("a placeholder is refused on %s: %s", (_, placeholder, db) => {
    const strings = { "?": text`?`, ":id": text`:id`, "@id": text`@id`, $1: text`$1`, ":1": text`:1` };
    expect(errorOf(strings[placeholder as keyof typeof strings], db)).toMatchObject({
      code: "INVALID_CONDITION",
    });
  });

  test("placeholders in quotes are text", () => {
    for (const db of databases) expect(textOf(text`'? $1 :id @id'`, db)).toContain("('? $1 :id @id')");
  });

  test("PostgreSQL's casts and operators with a question mark are its own", () => {
    expect(textOf(text`(${field("settings")} ? 'a')::text`, postgres())).toContain(
      `("settings" ? 'a')::text`,
    );
  });

  test("a text for another dialect only is not supported, and says so", () => {
    const own: Untyped = raw(z.string(), { postgres: raw`now()::text` });
    expect(errorOf(own, sqlite())).toMatchObject({ code: "UNSUPPORTED" });
    expect(textOf(own, postgres())).toContain("(now()::text)");
  });

  test("texts of dialects that do not exist, and texts that are not templates, are refused", () => {
    const untyped: Untyped = raw;
    for (const texts of [
      { mysql: raw`1` },
      { sqlite: "1" },
      { sqlite: raw(z.int())`1` },
      null,
      "1",
      { sqlite: null },
    ])
      expect(sqlErrorIn(() => untyped(z.int(), texts))).toMatchObject({ code: "INVALID_CONDITION" });
  });

  test("whereRaw takes raw text of booleans only", () => {
    const query: Untyped = sqlite().repository(Person).query();
    for (const condition of [
      raw(z.int())`1`,
      "1 = 1",
      lower("name"),
      null,
      raw`1`,
      { node: { kind: "raw" } },
    ])
      expect(sqlErrorIn(() => query.whereRaw(condition).render())).toMatchObject({
        code: "INVALID_CONDITION",
      });
  });

  test("specs have no raw text", () => {
    const query = sqlite().repository(Person).query().whereRaw(raw(z.boolean())`1 = 1`);
    expect(sqlErrorIn(() => query.toSpec())).toMatchObject({ code: "INVALID_SPEC" });
  });
});
