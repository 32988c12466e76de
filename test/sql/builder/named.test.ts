/** Parameters in text of a caller's own: found where there is code, and nowhere else, dialect by dialect. */
import type { Dialect } from "rowtype";
import { recording } from "rowtype/testing";
import { describe, expect, test } from "vitest";
import { sqlErrorOf } from "../../kit/thrown.js";

const dialects: readonly Dialect[] = ["postgres", "mariadb", "sqlite", "oracle"];

/** What the driver gets for a text, where every parameter is called `a` or `b`. */
async function sent(dialect: Dialect, text: string) {
  const db = recording(dialect);
  // Whether the server takes the text is not the question here.
  const names = [...text.matchAll(/:([ab])\b/g)].map(([, name]) => name ?? "");
  for (const given of [["a", "b"], ["a"], ["b"], []]) {
    if (!given.every((name) => names.includes(name))) continue;
    const params = Object.fromEntries(given.map((name) => [name, name.toUpperCase()]));
    const result = await db
      .sql(text)
      .exec(params)
      .catch((error: unknown) => error);
    if (typeof result === "number") return db.statements[0];
  }
  throw new Error(`no parameters fit ${text}`);
}

const first = { postgres: "$1", mariadb: "?", sqlite: "?", oracle: ":p0" };

describe.each(dialects)("on %s", (dialect) => {
  const one = first[dialect];

  test.each([
    ["x = :a", `x = ${one}`],
    ["(:a)", `(${one})`],
    ["x=:a,y", `x=${one},y`],
    [":a", one],
    ["'it''s :b' || :a", `'it''s :b' || ${one}`],
    ["'' :a ''", `'' ${one} ''`],
    ['"n :b" :a', `"n :b" ${one}`],
    ["/* :b ' \" */ :a", `/* :b ' " */ ${one}`],
    ["-- :b '\n:a", `-- :b '\n${one}`],
    [":a -- :b", `${one} -- :b`],
    [":a /* :b", `${one} /* :b`],
    [":a ' :b", `${one} ' :b`],
    ["x::int = :a", `x::int = ${one}`],
    ["x := :a", `x := ${one}`],
    ["x : a :a", `x : a ${one}`],
    ["\u{1F600} :a é:a_", undefined],
  ])("%j", async (text, native) => {
    if (native === undefined)
      expect(await sqlErrorOf(recording(dialect).sql(text).exec({ a: 1 }))).toMatchObject({
        code: "MISSING_PARAM",
        param: "a_",
      });
    else expect(await sent(dialect, text)).toMatchObject({ sql: native, params: ["A"] });
  });

  test("one name in several places is one parameter", async () => {
    const expected = {
      postgres: { sql: "$1 $2 $1", params: ["A", "B"] },
      oracle: { sql: ":p0 :p1 :p0", params: ["A", "B"] },
      mariadb: { sql: "? ? ?", params: ["A", "B", "A"] },
      sqlite: { sql: "? ? ?", params: ["A", "B", "A"] },
    };
    expect(await sent(dialect, ":a :b :a")).toEqual(expected[dialect]);
  });

  test("names follow the rule for parameters", async () => {
    const db = recording(dialect);
    const long = "x".repeat(63);
    await db.sql(`:${long} :_a1`).exec({ [long]: 1, _a1: 2 });
    expect(db.statements[0]?.params).toEqual([1, 2]);
    expect(await sqlErrorOf(db.sql(`:${long}x`).exec({ [`${long}x`]: 1 }))).toMatchObject({
      code: "INVALID_PARAM",
    });
  });

  test("a statement that begins or ends a transaction is refused, and other words are not", async () => {
    const db = recording(dialect);
    for (const text of ["COMMIT", " rollback to x", "/* x */ -- y\nSavepoint s", ";commit"]) {
      expect(await sqlErrorOf(db.sql(text).exec())).toMatchObject({ code: "TRANSACTION_REQUIRED" });
      const running = db.transaction((tx) => tx.sql(text).exec());
      expect(await sqlErrorOf(running)).toMatchObject({ code: "TRANSACTION_REQUIRED" });
    }
    const begin = await db
      .sql("BEGIN x; END;")
      .exec()
      .catch((error) => error.code);
    expect(begin).toBe(dialect === "oracle" ? 0 : "TRANSACTION_REQUIRED");
    await db.sql("UPDATE commits SET rollback = 1").exec();
  });
});

test.each<[Dialect, string, string]>([
  ["postgres", "E'\\':b''' :a", "E'\\':b''' $1"],
  ["postgres", "'\\' :a", "'\\' $1"],
  ["postgres", "$$ :b $x$ $$ :a", "$$ :b $x$ $$ $1"],
  ["postgres", "$x$ :b $$ $y$ $x$ :a", "$x$ :b $$ $y$ $x$ $1"],
  ["postgres", "a$b$ :a $b$", "a$b$ $1 $b$"],
  ["postgres", "/* /* :b */ :b */ :a", "/* /* :b */ :b */ $1"],
  ["postgres", "x ? 'k' AND y ?| :a # 1", "x ? 'k' AND y ?| $1 # 1"],
  ["postgres", "typE'\\' :a", "typE'\\' $1"],
  ["postgres", "`:a", "`$1"],
  ["postgres", "u[1:2] :a", "u[1:2] $1"],
  ["mariadb", "'\\':b' \"\\\":b\" `:b``` :a", "'\\':b' \"\\\":b\" `:b``` ?"],
  ["mariadb", "# :b '\n:a", "# :b '\n?"],
  ["mariadb", "5--:a", "5--?"],
  ["mariadb", "/* /* :b */ :a", "/* /* :b */ ?"],
  ["mariadb", "$$ :a", "$$ ?"],
  ["sqlite", "[:b] `:b` :a", "[:b] `:b` ?"],
  ["sqlite", "'\\' :a", "'\\' ?"],
  ["oracle", "q'[it's :b]' q'!:b '!' nQ'{:b}' Q'(')' :a", "q'[it's :b]' q'!:b '!' nQ'{:b}' Q'(')' :p0"],
  ["oracle", "'\\' :a", "'\\' :p0"],
])("%s: %s", async (dialect, text, native) => {
  expect(await sent(dialect, text)).toMatchObject({ sql: native, params: ["A"] });
});

test.each<[Dialect, string]>([
  ["postgres", "x = $1"],
  ["mariadb", "x = ?"],
  ["sqlite", "x = ?"],
  ["sqlite", "x = ?2"],
  ["sqlite", "x = @y"],
  ["sqlite", "x = $y"],
  ["sqlite", "x = :1"],
  ["oracle", "x = :1"],
  ["oracle", 'x = :"y"'],
])("%s refuses its own placeholders, which would shift ours: %s", async (dialect, text) => {
  expect(await sqlErrorOf(recording(dialect).sql(text).exec())).toMatchObject({ code: "INVALID_PARAM" });
});

test("a text of megabytes is scanned in linear time", async () => {
  const db = recording("postgres");
  const text = `SELECT '${"''x\\".repeat(300_000)}', E'${"\\'y".repeat(300_000)}', $z$${":b".repeat(300_000)}$z$, :a`;
  await db.sql(text).exec({ a: 1 });
  expect(db.statements[0]?.sql.endsWith("$z$, $1")).toBe(true);
});

test("a value that is not text is refused", async () => {
  const db = recording("sqlite");
  for (const text of [undefined, null, 5, ["SELECT 1"], { sql: "x" }])
    expect(await sqlErrorOf(db.sql(text as never).exec())).toMatchObject({ code: "INVALID_SPEC" });
});

test("more placeholders than the dialect takes are refused", async () => {
  const text = `SELECT ${Array.from({ length: 32_767 }, () => ":a").join(", ")}`;
  expect(await sqlErrorOf(recording("sqlite").sql(text).exec({ a: 1 }))).toMatchObject({
    code: "UNSUPPORTED",
  });
  await recording("postgres").sql(text).exec({ a: 1 });
});
