/** Relations of several fields and through a table: what `table` and `repositories` refuse, and what the diagrams draw. */
import { column, DeclarationError, many, one, table, toDbml, toMermaid } from "rowtype";
import { sqlite } from "rowtype/sqlite";
import { describe, expect, test } from "vitest";
import { z } from "zod";

// biome-ignore lint/suspicious/noExplicitAny: some callers are not typed.
type Untyped = any;

const id = column(z.int(), { primaryKey: true });

const members = table("members", z.object({ tenantId: z.int(), userId: z.int(), name: z.string() }), {
  primaryKey: ["tenantId", "userId"],
  relations: { posts: many("posts", ["tenantId", "authorId"]) },
});
const tags = table("tags", z.object({ id }));
const postTags = table("post_tags", z.object({ postId: z.int(), tagId: z.int() }), {
  primaryKey: ["postId", "tagId"],
  relations: { post: one("posts", "postId"), tag: one("tags", "tagId") },
});
const posts = (relations: Untyped, options: Untyped = {}, more: Untyped = {}) =>
  table("posts", z.object({ id, tenantId: z.int(), authorId: z.int(), title: z.string(), ...more }), {
    ...options,
    relations,
  });
const plain = {
  author: one("members", ["tenantId", "authorId"]),
  tags: many("tags", { through: "postTags" }),
};

function refusal(
  relations: Untyped,
  options: Untyped = {},
  module: Untyped = {},
  more: Untyped = {},
): string {
  try {
    sqlite().repositories({ members, tags, postTags, ...module, posts: posts(relations, options, more) });
  } catch (error) {
    if (error instanceof DeclarationError) return error.message;
    throw error;
  }
  throw new Error("the declaration was accepted");
}

test("repositories takes relations of two fields and through a table", () => {
  const foreignKeys = [{ columns: ["tenantId", "authorId"], references: () => members }];
  expect(() => {
    sqlite().repositories({ members, tags, postTags, posts: posts(plain, { foreignKeys }) });
  }).not.toThrow();
});

describe("repositories refuses, and names table, relation and pair", () => {
  test.each<[string, () => string, RegExp]>([
    [
      "fewer fields than the key",
      () => refusal({ a: one("members", ["tenantId"]) }),
      /"a" of table "posts".*"members"/,
    ],
    [
      "more fields than the key",
      () => refusal({ a: one("members", ["tenantId", "authorId", "id"]) }),
      /names 3 fields.*2 \(tenantId, userId\)/,
    ],
    [
      "a pair of two kinds",
      () => refusal({ a: one("members", ["tenantId", "title"]) }),
      /"title" \(text\) with "userId" \(number\)/,
    ],
    [
      "the wrong way round",
      () => refusal({ a: one("members", ["authorId", "tenantId"]) }),
      /"a" of table "posts" pairs "tenantId" with "userId"/,
    ],
    ["a field twice", () => refusal({ a: one("members", ["tenantId", "tenantId"]) }), /"tenantId" twice/],
    [
      "a foreign key that refers elsewhere",
      () =>
        refusal(
          { a: one("members", ["tenantId", "authorId"]) },
          { foreignKeys: [{ columns: ["tenantId", "authorId"], references: () => postTags }] },
        ),
      /the foreign key references "post_tags"/,
    ],
    [
      "a reference of one field that refers elsewhere",
      () =>
        refusal(
          { a: one("members", ["tenantId", "other"]) },
          {},
          {},
          {
            other: column(z.int(), { references: "tags(id)" }),
          },
        ),
      /relates "other" to table "members", and the column references "tags"/,
    ],
    [
      "no such table between",
      () => refusal({ a: many("tags", { through: "links" }) }),
      /through "links".*not a table/,
    ],
    [
      "a table that does not lead on",
      () => refusal({ a: many("members", { through: "postTags" }) }),
      /no one\(…\) to table "members"/,
    ],
    [
      "a table that leads in two ways, and none is named",
      () =>
        refusal(
          { a: many("tags", { through: "twice" }) },
          {},
          {
            twice: table("twice", z.object({ p: z.int(), q: z.int(), t: z.int() }), {
              relations: { first: one("posts", "p"), second: one("posts", "q"), tag: one("tags", "t") },
            }),
          },
        ),
      /\{ from \}; its relations to table "posts": first, second/,
    ],
    [
      "a rule that the other table has not",
      () => refusal({ a: one("members", ["tenantId", "authorId"], { without: ["hidden"] }) }),
      /leaves out "hidden", which is no rule of table "members"/,
    ],
  ])("%s", (_, message, expected) => {
    expect(message()).toMatch(expected);
  });

  test("unless key says the order", () => {
    const swapped = { a: one("members", ["authorId", "tenantId"], { key: ["tenantId", "userId"] }) };
    expect(() => {
      sqlite().repositories({ members, tags, postTags, posts: posts({ ...plain, ...swapped }) });
    }).not.toThrow();
  });
});

test("diagrams draw them, each link once", () => {
  const module = { members, tags, postTags, posts: posts(plain) };
  expect(toMermaid(module)).toContain("members");
  expect(toDbml(module).match(/^Ref.*posts.*members/gm)).toHaveLength(1);
});
