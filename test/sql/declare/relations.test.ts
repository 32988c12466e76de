/** Relations: what `table` and `repositories` refuse, what the repositories of a module are, and the diagrams. */
import { type AnyTable, column, DeclarationError, json, many, one, table, toDbml, toMermaid } from "rowtype";
import { mariadb } from "rowtype/mariadb";
import { sqlite } from "rowtype/sqlite";
import { recording } from "rowtype/testing";
import { describe, expect, test } from "vitest";
import { z } from "zod";

const id = column(z.int(), { primaryKey: true });

const countries = table("countries", z.object({ id, code: column(z.string(), { unique: true }) }));
const customers = table("customers", z.object({ id, name: z.string(), countryId: z.int().nullable() }), {
  relations: { country: one("countries", "countryId"), orders: many("orders", "customerId") },
});
const orders = table("orders", z.object({ id, customerId: z.int(), parentId: z.int().nullable() }), {
  relations: { customer: one("customers", "customerId"), parent: one("orders", "parentId") },
});
const shop = { countries, customers, orders, discount: 5, format: () => "" };

// biome-ignore lint/suspicious/noExplicitAny: some callers are not typed.
type Untyped = any;

/** The message of the refusal of a declaration. */
function refusal(declare: () => unknown): string {
  try {
    declare();
  } catch (error) {
    if (error instanceof DeclarationError) return error.message;
    throw error;
  }
  throw new Error("the declaration was accepted");
}

test("a table has its relations as frozen data", () => {
  const { relations }: AnyTable = customers;
  expect({ ...relations }).toEqual({
    country: { kind: "one", to: "countries", field: "countryId", key: undefined },
    orders: { kind: "many", to: "orders", field: "customerId", key: undefined },
  });
  expect(Object.isFrozen(relations) && Object.isFrozen(relations["country"])).toBe(true);
  expect(relations["toString"]).toBeUndefined();
  expect(Object.keys(countries.relations)).toEqual([]);
});

describe("table refuses a relation", () => {
  const key = z.object({ id, name: z.string(), tags: json(z.array(z.string())) });
  const declared = (relations: Untyped, schema: Untyped = key) =>
    refusal(() => table("t", schema, { relations }));
  test.each<[string, () => string, RegExp]>([
    [
      "of a field that it does not have",
      () => declared({ a: one("b", "idd") }),
      /"idd".*fields: id, name, tags/,
    ],
    ["named like a field", () => declared({ name: one("b", "id") }), /"name".*a field has it/],
    ["named like a field in other letters", () => declared({ NAME: one("b", "id") }), /a field has it/],
    [
      "with a name that cannot stand in SQL",
      () => declared({ "a.b": one("b", "id") }),
      /letters, digits and _/,
    ],
    ["of a field that has no =", () => declared({ a: one("b", "tags") }), /"tags" is json/],
    [
      "many, without a primary key",
      () => declared({ a: many("b", "x") }, z.object({ id: z.int() })),
      /primary key of one field/,
    ],
    ["that is a text", () => declared({ a: "b" }), /must be one\(…\) or many\(…\), not a string/],
    ["of another kind", () => declared({ a: { kind: "some", to: "b", field: "id" } }), /not an object/],
    ["of a list", () => declared([one("b", "id")]), /not an array/],
    ["of null", () => declared(null), /not null/],
  ])("%s", (_, message, expected) => {
    expect(message()).toMatch(expected);
  });

  test("and one and many refuse what is not a name", () => {
    const [first, last]: Untyped[] = [one, many];
    expect(refusal(() => first())).toMatch(
      /one\(\) takes the name that a table is exported by, not undefined/,
    );
    expect(refusal(() => last("a", 1))).toMatch(/many\("a", …\) takes the name of a field, not a number/);
    expect(refusal(() => first("a", "b", { kee: "c" }))).toMatch(/unknown key "kee".*keys: key/);
    expect(refusal(() => first("a", "b", { key: 7 }))).toMatch(/the key of one\(\).*not a number/);
    expect(refusal(() => first("a", "b", null))).toMatch(/not null/);
  });
});

describe("repositories refuses a module", () => {
  const db = sqlite();
  const refused = (module: Untyped) => refusal(() => db.repositories(module));
  const other = (relations: Untyped, fields: Untyped = {}, options: Untyped = {}) =>
    table("other", z.object({ id, a: z.int(), b: z.string(), ...fields }), { ...options, relations });
  const pair = table("pair", z.object({ x: z.int(), y: z.int() }), { primaryKey: ["x", "y"] });
  test.each<[string, Untyped, RegExp]>([
    [
      "with an unknown table",
      { o: other({ r: one("nobody", "a") }) },
      /relation "r" of table "other" leads to "nobody".*tables: o/,
    ],
    [
      "with a target that is not a table",
      { o: other({ r: one("n", "a") }), n: 5 },
      /"n", which is not a table/,
    ],
    [
      "with an unknown field of theirs",
      { countries, o: other({ r: many("countries", "otherId") }) },
      /"otherId".*fields: id, code/,
    ],
    [
      "with an unknown key",
      { countries, o: other({ r: one("countries", "a", { key: "iso" }) }) },
      /"iso".*fields: id, code/,
    ],
    [
      "with fields of two kinds",
      { countries, o: other({ r: one("countries", "b") }) },
      /"b" \(text\) with "id" \(number\)/,
    ],
    [
      "with a many of two kinds",
      { countries, o: other({ r: many("countries", "code") }) },
      /"id" \(number\) with "code" \(text\)/,
    ],
    [
      "with a one to no key",
      { customers, orders, countries, o: other({ r: one("customers", "b", { key: "name" }) }) },
      /"name" is not a declared key of table "customers"/,
    ],
    [
      "with a one to a key of two fields",
      { pair, o: other({ r: one("pair", "a") }) },
      /primary key is not one field/,
    ],
    [
      "with a one to a part of a key",
      { pair, o: other({ r: one("pair", "a", { key: "x" }) }) },
      /"x" is not a declared key/,
    ],
    [
      "with a one that contradicts a reference",
      {
        countries,
        o: other({ r: one("countries", "c") }, { c: column(z.int(), { references: "customers(id)" }) }),
      },
      /relates "c" to table "countries", and the column references "customers" \(id\)/,
    ],
    [
      "with a one that contradicts a reference by function",
      {
        countries,
        o: other({ r: one("countries", "c") }, { c: column(z.int(), { references: () => orders }) }),
      },
      /references "orders" \(id\)/,
    ],
    [
      "with a reference to another column",
      {
        countries,
        o: other({ r: one("countries", "c") }, { c: column(z.int(), { references: "countries(code)" }) }),
      },
      /references "countries" \(code\)/,
    ],
    [
      "with a many that contradicts a reference of theirs",
      {
        o: other({ r: many("p", "c") }),
        p: table("p", z.object({ c: column(z.int(), { references: "orders(id)" }) })),
      },
      /relates "c" to table "other", and the column references "orders"/,
    ],
    ["that is null", null, /takes a module of tables \(import \* as tables\), not null/],
    ["that is a table", orders, /not a table/],
    ["that is a list", [orders], /not an array/],
    ["that is text", "tables", /not a string/],
    [
      "that cannot be read",
      new Proxy(
        {},
        {
          ownKeys: () => {
            throw new Error("no");
          },
        },
      ),
      /cannot be read/,
    ],
  ])("%s", (_, module, expected) => {
    expect(refused(module)).toMatch(expected);
  });

  test("also in a transaction", async () => {
    const failed = recording("sqlite").transaction(async (tx) =>
      tx.repositories({ o: other({ r: one("nobody", "a") }) }),
    );
    await expect(failed).rejects.toThrow(/not a table of the module/);
  });
});

describe("repositories takes", () => {
  const db = sqlite();
  const profiles = table(
    "profiles",
    z.object({ id, userId: column(z.int(), { unique: true, references: "users(id)" }) }),
  );
  const users = table("users", z.object({ id }), {
    relations: { profile: one("profiles", "id", { key: "userId" }) },
  });
  const badges = table("badges", z.object({ id, userId: column(z.int(), { references: () => users }) }), {
    relations: { user: one("users", "userId"), profile: one("profiles", "userId", { key: "userId" }) },
  });
  test("a reference read from the side of the key, and two references to one column", () => {
    expect(Object.keys(db.repositories({ users, profiles, badges }))).toEqual([
      "users",
      "profiles",
      "badges",
    ]);
  });

  test("names of exports, which need not be those of the tables", () => {
    const a = table("x", z.object({ id, b: z.int() }), { relations: { other: one("Renamed", "b") } });
    expect(Object.keys(db.repositories({ a, Renamed: countries }))).toEqual(["a", "Renamed"]);
  });
});

test("the repositories of a module are one for each table, and leave out what is not a table", () => {
  const db = sqlite();
  const found = db.repositories(shop);
  expect(Object.keys(found)).toEqual(["countries", "customers", "orders"]);
  expect(found.orders).toBe(db.repositories(shop).orders);
  expect(found.orders.table).toBe(orders);
  expect(found.orders.query().where("customerId", "=", "c").render().sql).toBe(
    db.repository(orders).query().where("customerId", "=", "c").render().sql,
  );
  expect(Object.isFrozen(found)).toBe(true);
  const { toString: method }: Untyped = found;
  expect(method).toBeUndefined();
});

test("they share the callbacks of a table, and run in their transaction", async () => {
  const db = recording("sqlite", [[{ id: 1, code: "AT" }], [{ id: 2, code: "BE" }]]);
  const seen: unknown[] = [];
  db.repository(countries).onScan((row) => void seen.push(row));
  await db.repositories(shop).countries.query().exec();
  await db.transaction(async (tx) => {
    const inside = tx.repositories(shop);
    expect(inside.countries).toBe(inside.countries);
    expect(inside.countries).not.toBe(db.repositories(shop).countries);
    await inside.countries.query().exec();
  });
  expect(seen).toEqual([
    { id: 1, code: "AT" },
    { id: 2, code: "BE" },
  ]);
});

test("a table that the dialect does not support is refused with the module", () => {
  const long = table("n".repeat(70), z.object({ id }));
  expect(() => mariadb().repositories({ countries, long })).toThrow(/names of more than 64 bytes/);
});

describe("diagrams draw relations", () => {
  test("of a module, each link once, a self reference too", () => {
    expect(toMermaid(shop).split("\n").slice(-4)).toEqual([
      '  countries |o--o{ customers : "country"',
      '  customers ||--o{ orders : "orders, customer"',
      '  orders |o--o{ orders : "parent"',
      "",
    ]);
    expect(toDbml(shop).split("\n\n").slice(-3)).toEqual([
      'Ref: "customers"."countryId" > "countries"."id"',
      'Ref: "orders"."customerId" > "customers"."id"',
      'Ref: "orders"."parentId" > "orders"."id"\n',
    ]);
  });

  test("beside references, and one to one", () => {
    const profile = table(
      "profile",
      z.object({ id, userId: column(z.int(), { unique: true, references: "users(id)" }) }),
    );
    const users = table("users", z.object({ id }), {
      relations: { about: one("profile", "id", { key: "userId" }) },
    });
    expect(toMermaid(users, profile)).toContain('  users ||--o| profile : "about"\n');
    expect(toDbml(users, profile)).toContain('Ref: "profile"."userId" - "users"."id"\n');
    expect(toMermaid(users, profile).match(/o\|/g)).toHaveLength(1);
  });

  test("among tables by their names; one to what is not drawn is left out", () => {
    expect(toMermaid(customers, orders)).toBe(toMermaid({ customers, orders }));
    expect(toMermaid(customers)).not.toContain("--");
    expect(toDbml(customers)).not.toContain("Ref");
  });

  test("of nothing else", () => {
    const untyped: Untyped = toMermaid;
    expect(refusal(() => untyped(null))).toMatch(/not null/);
    expect(refusal(() => untyped(shop, shop))).toMatch(/toMermaid takes tables made by table\(\)/);
  });
});
