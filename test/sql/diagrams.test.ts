/** Diagrams: the text of both kinds, from one declaration. */
import { column, table, toDbml, toMermaid, vector } from "rowtype";
import { expect, test } from "vitest";
import { z } from "zod";
import { Person, Team } from "./people.js";

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
  expect(toDbml(Odd)).toBe(`Table "app"."o'dd name" {
  "a" integer [not null]
  "b b" integer [not null]
  "place" vector(3) [not null]

  indexes {
    ("a", "b b") [pk]
    ("b b", "a") [unique]
    "b b" [name: 'b\\'idx']
  }
}

Ref: "app"."o'dd name"."b b" > "other"."the_id"
`);
  expect(toMermaid(Odd)).toContain(
    "  o_dd_name {\n    integer a PK\n    integer b_b PK, FK\n    vector_3_ place\n  }\n  other ||--o{ o_dd_name : b_b\n",
  );
});
