/** Diagrams: the text of both kinds, from one declaration. */
import dbml from "@dbml/core";
import fc from "fast-check";
import { type AnyTable, column, table, toDbml, toMermaid, vector } from "rowtype";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { Person, Team } from "../../kit/people.js";

// A CommonJS package, whose names Node cannot see.
const { Parser } = dbml;

test("tables as DBML", () => {
  expect(toDbml(Team, Person)).toBe(`Table "teams" {
  "id" integer [pk, not null]
  "title" text [not null]
}

Table "people" {
  "id" integer [pk, increment, not null]
  "email_address" text [unique, not null]
  "name" text [not null]
  "age" integer [null]
  "score" number [not null]
  "role" text [not null, default: \`'member'\`]
  "active" boolean [not null]
  "balance" bigint [not null]
  "born_at" timestamp [null]
  "team_id" integer [null]
  "photo" bytes [null]
  "settings" json [null]
  "tags" text[] [not null]
  "created_at" timestamp [not null, default: \`CURRENT_TIMESTAMP\`]

  indexes {
    "age"
  }
}

Ref: "people"."team_id" > "teams"."id"
`);
});

test("tables as a Mermaid diagram", () => {
  const diagram = toMermaid(Team, Person);
  expect(diagram).toContain("erDiagram\n  teams {\n    integer id PK\n    text title\n  }\n");
  expect(diagram).toContain("    text email_address UK\n");
  expect(diagram).toContain('    integer team_id FK "nullable"\n');
  expect(diagram).toContain("    text_list tags\n");
  expect(diagram.endsWith("  teams |o--o{ people : team_id\n")).toBe(true);
});

test("composite keys, SQL schemas, vectors, references by text and odd names", () => {
  const Odd = table(
    'o"dd\nname',
    z.object({
      a: z.int(),
      b: column(z.int(), { name: "b b", references: "other(the_id)", index: "b'idx" }),
      place: vector(3),
    }),
    { schema: "app", primaryKey: ["a", "b"], unique: [["b", "a"]] },
  );
  const Other = table("other", z.object({ the_id: z.int() }));
  const text = `Table "app"."o\\"dd\\nname" {
  "a" integer [not null]
  "b b" integer [not null]
  "place" vector(3) [not null]

  indexes {
    ("a", "b b") [pk]
    ("b b", "a") [unique]
    "b b" [name: 'b\\'idx']
  }
}
`;
  expect(toDbml(Odd)).toBe(text);
  expect(toDbml(Odd, Other)).toBe(`${text}
Table "other" {
  "the_id" integer [not null]
}

Ref: "app"."o\\"dd\\nname"."b b" > "other"."the_id"
`);
  expect(toMermaid(Odd)).toContain(
    "  o_dd_name {\n    integer a PK\n    integer b_b PK, FK\n    vector_3_ place\n  }\n  other ||--o{ o_dd_name : b_b\n",
  );
});

test("references of several columns, actions, indexes and comments", () => {
  const Member = table("members", z.object({ a: z.int(), b: z.int() }), { primaryKey: ["a", "b"] });
  const Order = table(
    "orders",
    z.object({
      a: z.int(),
      b: column(z.int().nullable(), { comment: 'it\'s "b"' }),
      up: column(z.int(), { references: "orders(a)", onDelete: "cascade" }),
    }),
    {
      foreignKeys: [{ columns: ["a", "b"], references: () => Member, onUpdate: "set null" }],
      indexes: [{ columns: ["a", ["b", "desc"]], unique: true, name: "ab" }, { expression: "a + b" }],
      comment: "what was bought",
    },
  );
  const text = toDbml(Member, Order);
  expect(text).toContain(`"b" integer [null, note: 'it\\'s \\"b\\"']`);
  expect(text).toContain(`    ("a", "b") [unique, name: 'ab']\n    (\`a + b\`)\n`);
  expect(text).toContain(`\n  Note: 'what was bought'\n`);
  expect(text).toContain(`Ref: "orders"."up" > "orders"."a" [delete: cascade]`);
  expect(text).toContain(`Ref: "orders".("a", "b") > "members".("a", "b") [update: set null]`);
  expect(read(text).refs).toHaveLength(2);
  const diagram = toMermaid(Member, Order);
  expect(diagram).toContain(`    integer b FK "nullable, it's 'b'"\n`);
  expect(diagram).toContain("  members |o--o{ orders : a_b\n");
});

/** What the parser of the language itself reads in a diagram. */
function read(text: string) {
  const { schemas } = new Parser().parse(text, "dbmlv2");
  // `public` is what it calls the tables without a schema.
  const schemaName = (name: string | null | undefined) =>
    name === "public" || name === null ? undefined : name;
  return {
    tables: schemas.flatMap(({ name: schema, tables }) =>
      tables.map(({ name, fields, indexes }) => ({
        schema: schemaName(schema),
        name,
        columns: fields.map(({ name, type, pk, unique, not_null, increment, dbdefault }) => ({
          name,
          type: type.type_name,
          pk: pk === true,
          unique: unique === true,
          notNull: not_null === true,
          increment: increment === true,
          default: dbdefault?.value,
        })),
        indexes: indexes.map(({ name, unique, pk, columns }) => ({
          name,
          kind: pk ? "pk" : unique ? "unique" : "index",
          columns: columns.map(({ value }) => value),
        })),
      })),
    ),
    refs: schemas.flatMap(({ refs }) =>
      refs.map(({ endpoints }) =>
        endpoints.map(({ schemaName: schema, tableName, fieldNames, relation }) => [
          schemaName(schema),
          tableName,
          ...fieldNames,
          relation,
        ]),
      ),
    ),
  };
}

describe("the DBML parser accepts", () => {
  test("tables, columns, keys, indexes and references", () => {
    const { tables, refs } = read(toDbml(Team, Person));
    expect(tables.map(({ name }) => name)).toEqual(["teams", "people"]);
    const columns = Object.values(Person.columns);
    expect(tables[1]?.columns.map(({ name, notNull }) => [name, notNull])).toEqual(
      columns.map(({ name, nullable }) => [name, !nullable]),
    );
    expect(tables[1]?.columns).toMatchObject([
      { name: "id", type: "integer", pk: true, increment: true, unique: false },
      { name: "email_address", type: "text", pk: false, unique: true },
      { name: "name", default: undefined },
      { type: "integer" },
      { type: "number" },
      { default: "'member'" },
      { type: "boolean" },
      { type: "bigint" },
      { type: "timestamp" },
      { name: "team_id" },
      { type: "bytes" },
      { type: "json" },
      { type: "text[]" },
      { default: "CURRENT_TIMESTAMP" },
    ]);
    expect(tables[1]?.indexes).toEqual([{ name: undefined, kind: "index", columns: ["age"] }]);
    expect(refs).toEqual([
      [
        [undefined, "people", "team_id", "*"],
        [undefined, "teams", "id", "1"],
      ],
    ]);
  });

  // What a table refuses as a name: nothing at all, NUL, and halves of surrogate pairs.
  const name = fc
    .string({ unit: "binary", minLength: 1, maxLength: 12 })
    .filter((text) => text.isWellFormed() && !text.includes("\0") && text !== "__proto__");

  test("names, index names and SQL schemas of any text, with references between them", () => {
    fc.assert(
      fc.property(name, name, name, name, name, (schema, one, other, column_, index) => {
        // The other table has a column of that name.
        fc.pre(one !== other && column_ !== "b");
        const One: AnyTable = table(
          one,
          z.object({
            id: column(z.int(), { name: column_, primaryKey: true }),
            self: column(z.int(), { name: `${column_}2`, references: () => One, index }),
          }),
          { schema },
        );
        const Other = table(
          other,
          z.object({ a: column(z.int(), { name: column_, references: () => One }), b: z.int() }),
          { primaryKey: ["a", "b"] },
        );
        const { tables, refs } = read(toDbml(One, Other));
        expect(tables).toMatchObject([
          {
            schema,
            name: one,
            columns: [{ name: column_, pk: true }, { name: `${column_}2` }],
            indexes: [{ name: index, kind: "index", columns: [`${column_}2`] }],
          },
          {
            schema: undefined,
            name: other,
            columns: [{ name: column_, pk: false }, { name: "b" }],
            indexes: [{ kind: "pk", columns: [column_, "b"] }],
          },
        ]);
        expect(refs).toEqual([
          [
            [schema, one, `${column_}2`, "*"],
            [schema, one, column_, "1"],
          ],
          [
            [undefined, other, column_, "*"],
            [schema, one, column_, "1"],
          ],
        ]);
      }),
    );
  });

  test("types and defaults of any text", () => {
    const types = ["decimal(10,2)", "timestamp(3) with time zone", 'odd "type"', "text[]", "a\\b"];
    fc.assert(
      fc.property(fc.constantFrom(...types), fc.string({ minLength: 1 }), (type, text) => {
        const T = table("t", z.object({ a: column(z.string(), { type, default: text }) }));
        const [t] = read(toDbml(T)).tables;
        expect(t?.columns).toMatchObject([{ type, default: text.replaceAll("`", "'") }]);
      }),
    );
  });
});
