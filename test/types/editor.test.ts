/** What an editor shows: completions inside a call, hovers of builders, and errors that list what is allowed. */
import { describe, expect, test } from "vitest";
import { openEditor } from "./editor.js";

const more = Array.from({ length: 54 }, (_, i) => `extra${i}: z.string(),`).join(" ");
const prelude = (columns: string) => `
import { and, c, column, count, fn, rowNumber, sum, table, upper, type Insert, type Row } from "rowtype";
import { postgres } from "rowtype/postgres";
import { sqlite } from "rowtype/sqlite";
import { z } from "zod";
const User = table("users", z.object({
  id: column(z.int(), { primaryKey: true, generated: true }),
  email: column(z.email(), { unique: true }),
  name: z.string().min(1),
  age: column(z.int().nullable(), { index: true }),
  role: column(z.enum(["admin", "member"]), { default: "'member'" }),
  createdAt: column(z.date(), { default: "CURRENT_TIMESTAMP" }),
  ${columns}
}));
const users = sqlite().repository(User);
const onPostgres = postgres().repository(User);
`;
const editor = openEditor(prelude(""));
const fields = ["id", "email", "name", "age", "role", "createdAt"];
const comparison = ["=", "!=", ">", ">=", "<", "<=", "IN", "NOT IN"];
const patterns = ["LIKE", "NOT LIKE", "ILIKE", "NOT ILIKE"];
const sought = ["CONTAINS", "STARTS WITH", "ENDS WITH", "ICONTAINS", "ISTARTS WITH", "IENDS WITH"];

const editorOfShop = openEditor(`import { column, many, one, table } from "rowtype";
import { sqlite } from "rowtype/sqlite";
import { z } from "zod";
const id = column(z.int(), { primaryKey: true });
const countries = table("countries", z.object({ id, name: z.string() }));
const customers = table("customers", z.object({ id, since: z.date(), countryId: z.int() }), {
  relations: { country: one("countries", "countryId"), orders: many("orders", "customerId") },
});
const orders = table("orders", z.object({ id, customerId: z.int() }), {
  relations: { customer: one("customers", "customerId") },
});
const shop = sqlite().repositories({ countries, customers, orders });
`);

describe("completions of queries over several tables", () => {
  const own = ["id", "customerId"];
  const joined = ["customer.id", "customer.since", "customer.countryId"];

  const cases = [
    ["relations in join", `shop.orders.query().join("/*|*/")`, ["customer"]],
    [
      "paths through a joined table",
      `shop.orders.query().join("customer").leftJoin("/*|*/")`,
      ["customer", "customer.country", "customer.orders"],
    ],
    [
      "fields of both tables in where",
      `shop.orders.query().join("customer").where("/*|*/")`,
      [...own, ...joined],
    ],
    [
      "all of a table in fields",
      `shop.orders.query().join("customer").fields("/*|*/")`,
      [...own, ...joined, "*", "customer.*"],
    ],
    [
      "fields that fit in joinOn",
      `shop.orders.query().joinOn("c", customers, "customerId", "/*|*/")`,
      ["id", "countryId"],
    ],
    [
      "fields that fit in joinOn of a repository",
      `shop.orders.query().joinOn("c", shop.customers, "customerId", "/*|*/")`,
      ["id", "countryId"],
    ],
    [
      "fields of a repository in withOn",
      `shop.orders.query().withOn("c", shop.customers, "customerId", "/*|*/")`,
      ["id", "countryId"],
    ],
    [
      "fields of a joined repository",
      `shop.orders.query().joinOn("c", shop.customers, "customerId", "id").where("/*|*/")`,
      [...own, "c.id", "c.since", "c.countryId"],
    ],
  ] as const;
  editorOfShop.open(cases.map(([, text]) => text));

  test.each(cases)("%s", (_, text, expected) => {
    expect(editorOfShop.completions(text).sort()).toEqual([...expected].sort());
  });
});

describe("completions", () => {
  const cases = [
    ["the fields in where", `users.query().where("/*|*/")`, fields],
    ["the operators of a number", `users.query().where("age", "/*|*/")`, comparison],
    [
      "the operators of text",
      `users.query().where("name", "/*|*/")`,
      [...comparison, ...patterns, ...sought],
    ],
    [
      "the operators of text on PostgreSQL",
      `onPostgres.query().where("name", "/*|*/")`,
      [...comparison, ...patterns, ...sought, "~", "~*", "!~", "!~*"],
    ],
    [
      "the parameters of a chain in exec",
      `users.query().where("age", ">", "min").where("role", "IN", "roles").limitParam("size").exec({ /*|*/ })`,
      ["min", "roles", "size"],
    ],
    [
      "the values of an enum",
      `users.query().where("role", "=", "r").exec({ r: "/*|*/" })`,
      ["admin", "member"],
    ],
    ["fields in fields, also the second", `users.query().fields("id", "/*|*/")`, ["*", ...fields]],
    ["fields in orderBy", `users.query().orderBy("/*|*/")`, fields],
    ["directions in orderBy", `users.query().orderBy("id", "/*|*/")`, ["asc", "desc"]],
    [
      "the keys of an insert",
      `users.insert().exec({ /*|*/ })`,
      ["email", "name", "age", "role", "createdAt"],
    ],
    [
      "the fields that may be set",
      `users.modify().set("/*|*/")`,
      ["email", "name", "age", "role", "createdAt"],
    ],
    [
      "the keys of metadata",
      `column(z.int(), { /*|*/ })`,
      [
        "name",
        "type",
        "primaryKey",
        "generated",
        "unique",
        "default",
        "check",
        "auto",
        "index",
        "references",
        "constraints",
        "onDelete",
        "onUpdate",
        "computed",
        "stored",
        "comment",
        "renamedFrom",
        "readOnly",
        "checkValues",
      ],
    ],
    ["fields in groupBy", `users.query().groupBy("/*|*/")`, fields],
    [
      "the names of expressions in having",
      `users.query().fields("role", count().as("n"), sum("age").as("total")).having("/*|*/")`,
      ["n", "total"],
    ],
    [
      "the operators of an expression",
      `users.query().fields(count().as("n")).having("n", "/*|*/")`,
      comparison,
    ],
    [
      "fields and names in orderBy",
      `users.query().fields("role", count().as("n")).orderBy("/*|*/")`,
      [...fields, "n"],
    ],
    [
      "the aggregates of havingAgg",
      `users.query().havingAgg("/*|*/")`,
      ["count", "countDistinct", "sum", "avg", "min", "max"],
    ],
    ["the numbers that havingAgg sums up", `users.query().havingAgg("sum", "/*|*/")`, ["id", "age"]],
    ["the parts of a window", `rowNumber().over({ /*|*/ })`, ["partitionBy", "orderBy", "frame"]],
    [
      "the parameters of a compound query",
      `users.query().where("age", ">", "min").union(users.query().where("name", "LIKE", "like")).exec({ /*|*/ })`,
      ["min", "like"],
    ],
    ["the fields that have arithmetic", `users.modify().setExpr("/*|*/")`, ["age"]],
    [
      "the fields of a row",
      `users.select().fields("id", "name").exec().then((row) => row./*|*/)`,
      ["id", "name"],
    ],
  ] as const;
  editor.open(cases.map(([, text]) => text));

  test.each(cases)("%s", (_, text, expected) => {
    expect(editor.completions(text).sort()).toEqual([...expected].sort());
  });

  test("the fields in a condition of a group", () => {
    expect(editor.completions(`users.query().whereOr(c("/*|*/"))`)).toEqual(expect.arrayContaining(fields));
  });
});

describe("completions on a table of 60 columns", () => {
  const editor = openEditor(prelude(more));

  test("every field, and the parameters of a chain", () => {
    expect(editor.completions(`users.query().where("/*|*/")`)).toHaveLength(60);
    expect(editor.completions(`users.query().where("extra7", "LIKE", "like").exec({ /*|*/ })`)).toEqual([
      "like",
    ]);
  });
});

describe("hovers", () => {
  test("a builder shows its columns and its parameters", () => {
    const text = editor.hover(
      `const q = users.query().fields("id", "email").where("age", ">=", "minAge"); q/*|*/`,
    );
    expect(text).toMatch(
      /^const q: Query<\{\s*(id: number;\s*email: string;|email: string;\s*id: number;)\s*\}/,
    );
    expect(text).toContain('Param<"minAge", number');
  });

  test("a builder shows the types of its expressions", () => {
    const text = editor.hover(
      `const q = users.query().fields("role", count().as("n"), sum("age").as("total")).groupBy("role"); q/*|*/`,
    );
    expect(text).toMatch(/^const q: Query<\{[^}]*role: "admin" \| "member";[^}]*\}/);
    expect(text).toMatch(/^const q: Query<\{[^}]*n: number;[^}]*\}/);
    expect(text).toMatch(/^const q: Query<\{[^}]*total: number \| null;[^}]*\}/);
  });

  test("a compound query shows its row and the parameters of all its parts", () => {
    const text = editor.hover(
      `const one = users.query().fields("id", upper("name").as("big"));
       const q = one.where("age", ">", "min").union(one.where("role", "=", "role")); q/*|*/`,
    );
    expect(text).toMatch(/^const q: Compound<\{[^}]*big: string;[^}]*\}/);
    expect(text).toContain('Param<"min", number');
    expect(text).toContain('Param<"role", "admin" | "member"');
  });

  test("functions have documentation", () => {
    expect(editor.documentation("fn.coalesce/*|*/")).toBe(
      "The first operand that is not null. After the first operand a text is the name of a parameter.",
    );
    expect(editor.completions("fn./*|*/").length).toBeGreaterThan(35);
  });

  test("rows, inserts and results show their fields", () => {
    expect(editor.hover(`let row: Row<typeof User>; row/*|*/`)).toMatch(
      /id: number;\s*email: string;\s*name: string;\s*age: number \| null;/,
    );
    expect(editor.hover(`let insert: Insert<typeof User>; insert/*|*/`)).toMatch(
      /email: string;\s*name: string;\s*age\?: number \| null \| undefined;/,
    );
    expect(editor.hover(`const rows = await users.query().fields("age").exec(); rows/*|*/`)).toMatch(
      /^const rows: \{\s*age: number \| null;\s*\}\[\]$/,
    );
  });

  test("rows of joined tables show the fields of both", () => {
    const rows = editorOfShop.hover(
      `const rows = await shop.orders.query().leftJoin("customer").fields("id", "customer.since").exec(); rows/*|*/`,
    );
    expect(rows).toMatch(
      /^const rows: \{\s*id: number;\s*customer: \{\s*since: Date;\s*\} \| null;\s*\}\[\]$/,
    );
  });

  test("a repository shows its row first", () => {
    expect(editor.hover("users/*|*/")).toMatch(/^const users: Repository<\{\s*id: number;\s*email: string;/);
  });
});

describe("errors list the allowed names", () => {
  const cases = [
    [
      "a misspelt field",
      `users.query().where("agee", "=", "x")`,
      '"id" | "email" | "name" | "age" | "role" | "createdAt"',
    ],
    [
      "a misspelt field in a condition",
      `users.query().whereOr(c("agee", "=", "x"))`,
      '"id" | "email" | "name" | "age" | "role" | "createdAt"',
    ],
    ["a misspelt field beside another", `users.query().whereFields("age", "=", "nmae")`, '"id" | "age"'],
    [
      "a misspelt field beside another, of a removal",
      `users.remove().whereFields("email", "=", "nmae")`,
      '"name" | "role"',
    ],
    [
      "a wrong operator",
      `users.query().where("age", "LIKE", "x")`,
      '"=" | "!=" | ">" | ">=" | "<" | "<=" | "IN" | "NOT IN"',
    ],
    ["an extra parameter", `users.query().where("age", "=", "x").exec({ x: 1, y: 2 })`, "{ x: number; }"],
    ["a parameter where there is none", "users.query().exec({ x: 1 })", "this builder has no parameters"],
    [
      "a wrong value of an enum",
      `users.query().where("role", "=", "r").exec({ r: "boss" })`,
      '"admin" | "member"',
    ],
    ["a missing key of an insert", `users.insert().exec({ email: "x" })`, "Property 'name' is missing"],
    [
      "an update without a condition",
      `users.modify().set("name", "n").exec({ n: "x" })`,
      "UPDATE needs a condition first",
    ],
    ["a removal without a condition", "users.remove().exec()", "DELETE needs a condition first"],
    [
      "a field beside an aggregate",
      `users.query().fields("role", count().as("n")).exec()`,
      "is not grouped: name it in groupBy, or aggregate it",
    ],
    [
      "a field that was not selected",
      `users.select().fields("id").exec().then((row) => row.email)`,
      "{ id: number; }",
    ],
  ] as const;
  editor.open(cases.map(([, text]) => text));

  test.each(cases)("%s", (_, text, expected) => {
    const [error, ...others] = editor.errors(text);
    expect(others).toEqual([]);
    const names = (message: string) => message.match(/"[^"]+"/g)?.sort();
    // The compiler gives a union in the order in which it met its members.
    if (expected.includes(" | "))
      expect(names(error ?? "")).toEqual(expect.arrayContaining(names(expected) ?? []));
    else expect(error).toContain(expected);
  });
});
