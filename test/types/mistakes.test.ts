/** The thirty mistakes that users make most: the compiler catches each, in few words, and names what is allowed. */
import { describe, expect, test } from "vitest";
import { openEditor } from "./editor.js";

const prelude = `
import { c, column, count, type Database, field, sum, table, upper } from "rowtype";
import { sqlite } from "rowtype/sqlite";
import { z } from "zod";
const User = table("users", z.object({
  id: column(z.int(), { primaryKey: true, generated: true }),
  email: column(z.email(), { unique: true }),
  name: z.string().min(1),
  age: column(z.int().nullable(), { index: true }),
  role: column(z.enum(["admin", "member"]), { default: "'member'" }),
  active: z.boolean(),
  createdAt: column(z.date(), { default: "CURRENT_TIMESTAMP" }),
}));
const users = sqlite().repository(User);
declare const either: Database<"postgres" | "sqlite">;
const record = { email: "a@example.org", name: "A", active: true };
`;

const ALL = ["id", "email", "name", "age", "role", "active", "createdAt"];

// Rarer ones, whose errors are sentences.
const sentences: readonly (readonly [string, string, string])[] = [
  [
    "a range of what has no order",
    `users.query().whereBetween(field("active"), "a", "b")`,
    "these values have no order",
  ],
  [
    "a lock on a dialect that has none",
    `either.repository(User).query().forUpdate()`,
    '"sqlite has no row locks"',
  ],
  [
    "DISTINCT ON on a dialect that has none",
    `either.repository(User).query().distinctOn("name")`,
    '"sqlite has no DISTINCT ON"',
  ],
  [
    "an upsert of fields that are no key together",
    `users.insert().onConflict("id", "email")`,
    "the table has no key of several fields",
  ],
];

// What the user writes, and words that the error must hold: the valid names, or what was expected.
const mistakes: readonly (readonly [string, string, readonly string[]])[] = [
  ["an unknown field in where", `users.query().where("agee", "=", "x")`, ALL],
  ["an unknown field in fields", `users.query().fields("id", "emial")`, ALL],
  ["an unknown field in orderBy", `users.query().orderBy("nmae", "asc")`, ALL],
  ["an unknown field in set", `users.modify().set("nmae", "n")`, ["name", "email"]],
  ["an unknown field in a condition", `users.query().whereOr(c("agee", "=", "x"))`, ALL],
  ["an unknown field in groupBy", `users.query().groupBy("rol")`, ALL],
  ["an unknown field in an expression", `users.query().fields(upper("nmae").as("big"))`, ALL],
  ["a direction in capitals", `users.query().orderBy("age", "ASC")`, ["asc", "desc"]],
  ["a value of the wrong type", `users.query().where("age", "=", "n").exec({ n: "1" })`, ["number"]],
  ["LIKE on a number", `users.query().where("age", "LIKE", "x")`, ["=", "IN"]],
  ["> on a boolean", `users.query().where("active", ">", "x")`, ["=", "!="]],
  ["an operator that there is not", `users.query().where("age", "==", "x")`, ["=", "<="]],
  ["a scalar for IN", `users.query().where("age", "IN", "n").exec({ n: 1 })`, ["readonly number[]"]],
  [
    "a value that the enum has not",
    `users.query().where("role", "=", "r").exec({ r: "boss" })`,
    ["admin", "member"],
  ],
  ["undefined for a parameter", `users.query().where("age", "=", "n").exec({ n: undefined })`, ["number"]],
  ["null in a comparison", `users.query().where("age", "=", "n").exec({ n: null })`, ["number"]],
  [
    "a parameter that is missing",
    `users.query().where("age", "=", "n").where("name", "=", "m").exec({ n: 1 })`,
    ["'m'"],
  ],
  ["a parameter that is misspelt", `users.query().where("age", "=", "min").exec({ mni: 1 })`, ["min"]],
  ["one parameter too many", `users.query().where("age", "=", "n").exec({ n: 1, m: 2 })`, ["'m'"]],
  ["no parameters where there are some", `users.query().where("age", "=", "n").exec()`, ["arguments"]],
  ["an insert without a key", `users.insert().exec({ email: "a@example.org", active: true })`, ["'name'"]],
  ["an insert with an unknown key", `users.insert().exec({ ...record, nmae: "A" })`, ["nmae", "name"]],
  ["an insert with a generated key", `users.insert().exec({ ...record, id: 1 })`, ["'id'"]],
  ["an update of a generated field", `users.modify().set("id", "n")`, ["name", "email"]],
  [
    "an update without a condition",
    `users.modify().set("name", "n").exec({ n: "x" })`,
    ["needs a condition"],
  ],
  ["a removal without a condition", `users.remove().exec()`, ["needs a condition"]],
  ["reading what was not selected", `users.select().fields("id").exec().then((row) => row.name)`, ["id"]],
  [
    "a union of other columns",
    `users.query().fields("id").union(users.query().fields("name"))`,
    ["id", "name"],
  ],
  ["a sum of text", `users.query().fields(sum("name").as("total"))`, []],
  ["a sum of text by the builder", `users.sum("name")`, ["age"]],
  [
    "a field beside an aggregate",
    `users.query().fields("role", count().as("n")).exec()`,
    ["role", "groupBy"],
  ],
  ["the result of an aggregate as text", `users.count().exec().then((n: string) => n)`, ["number", "string"]],
];

describe("mistakes", () => {
  const editor = openEditor(prelude);
  editor.open([...mistakes, ...sentences].map(([, text]) => text));
  const first = (text: string) => (editor.errors(text)[0] ?? "").split("\n");

  test.each(mistakes)("%s", (_, text, words) => {
    const errors = editor.errors(text);
    expect(errors).not.toEqual([]);
    for (const word of words) expect(errors.join("\n")).toContain(word);
  });

  test.each(sentences)("%s", (_, text, sentence) => {
    expect(editor.errors(text).join("\n")).toContain(sentence);
  });

  test("an error is at most 160 characters long in the median", () => {
    const lengths = mistakes.map(([, text]) => first(text)[0]?.length ?? 0).sort((a, b) => a - b);
    expect(lengths).toHaveLength(32);
    expect(lengths[16]).toBeLessThanOrEqual(160);
  });

  test("correct code compiles", () => {
    const right = `users.query().fields("role", count().as("n")).groupBy("role").having("n", ">", "m").exec({ m: 1 });
      users.insert().exec(record); users.query().where("age", "IN", "n").exec({ n: [1] });
      users.modify().set("name", "n").where("id", "=", "id").exec({ n: "x", id: 1 });`;
    expect(editor.errors(right)).toEqual([]);
  });
});
