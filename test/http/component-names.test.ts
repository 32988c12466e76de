/** What components are called, and that a schema in two places is one component. */
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { z as z3 } from "zod/v3";
import { createEngine, extractor, GET, identity, model, POST } from "../../src/http/index.js";
import { column, table, view } from "../../src/index.js";
import type { OpenAPI } from "../../src/openapi/index.js";

const Comment = table(
  "comments",
  z.object({
    id: column(z.int(), { primaryKey: true, generated: true }),
    text: z.string().min(1),
    likes: column(z.int(), { default: "0" }),
    at: column(z.date().nullable(), { default: "CURRENT_TIMESTAMP" }),
    parent: z.int().nullable(),
  }),
);

const names = (document: OpenAPI) =>
  Object.keys(document.components?.schemas ?? {}).filter(
    (name) =>
      !/Error$|^Bad|^Payload|Media|^Validation|Entity$|^Unauth|^Forbidden|^ServiceUnavailable/.test(name),
  );

function component(document: OpenAPI, name: string): unknown {
  return document.components?.schemas?.[name];
}

describe("a row's component", () => {
  test("is named by the table, the model or the id of a copy, once", () => {
    const row = GET("/row", { output: Comment.schema }, () => Promise.reject(new Error()));
    const byId = GET("/id", { output: Comment.schema.meta({ id: "Comment" }) }, () =>
      Promise.reject(new Error()),
    );
    const byModel = model("Remark", Comment.schema);
    const whole = {
      type: "object",
      properties: {
        id: { type: "integer" },
        text: { type: "string", minLength: 1 },
        likes: { type: "integer" },
        at: { type: ["string", "null"], format: "date-time" },
        parent: { type: ["integer", "null"] },
      },
      required: ["id", "text", "likes", "at", "parent"],
    };
    for (const [name, engine] of [
      ["Comments", createEngine().withHandlers(row)],
      ["Comment", createEngine().withHandlers(byId)],
      ["Comment", createEngine().withHandlers(row, byId)],
      ["Comment", createEngine().withHandlers(byId, row)],
      ["Remark", createEngine().withModels(byModel).withHandlers(row)],
    ] as const) {
      const document = engine.openapi();
      expect(names(document)).toEqual([name]);
      expect(component(document, name)).toEqual(whole);
    }
  });

  test("and those of its inserts and updates have the singular that the table or its schema gives", () => {
    const row = z.object({ id: column(z.int(), { primaryKey: true, generated: true }), text: z.string() });
    const tables = {
      option: table("remarks", row, { model: "Remark" }),
      id: table("remarks", row.meta({ id: "Remark" })),
      "option over id": table("remarks", row.meta({ id: "Other" }), { model: "Remark" }),
      schema: table("remarks", row, { model: "Remark", schema: "old" }),
    };
    for (const [way, remark] of Object.entries(tables)) {
      const document = createEngine()
        .withHandlers(
          GET("/r", { output: z.array(remark.schema) }, () => []),
          POST("/w", { body: remark.insertSchema }, () => 1),
          POST("/p", { body: remark.updateSchema.optional() }, () => 1),
        )
        .openapi();
      expect([way, names(document)]).toEqual([way, ["Remark", "RemarkInsert", "RemarkUpdate"]]);
    }
    // A table over the row of another is a table of its own.
    const archive = table("old_remarks", tables.option.schema);
    const shown = view("last_remarks", row, { as: "SELECT * FROM remarks", model: "LastRemark" });
    const both = createEngine().withHandlers(
      GET("/a", { output: archive.schema }, () => Promise.reject(new Error())),
      GET("/v", { output: shown.schema }, () => Promise.reject(new Error())),
    );
    expect(names(both.openapi())).toEqual(expect.arrayContaining(["LastRemark", "OldRemarks"]));
  });

  test.each(["", "a b", "Käse", "a/b", 5, null, {}])("cannot be called %j by a table or a view", (model) => {
    const row = z.object({ id: z.int() });
    const refusal = /model of table "t" is a name of letters, digits, dots, dashes and underscores/;
    expect(() => table("t", row, { model: model as string })).toThrow(refusal);
    expect(() => view("t", row, { as: "SELECT 1 AS id", model: model as string })).toThrow(refusal);
  });

  test("is that of rows inside of rows: as a list, as a reference, and by itself", () => {
    const Post = table("posts", z.object({ id: column(z.int(), { primaryKey: true }), title: z.string() }));
    const whole = Post.schema.extend({
      comments: z.array(Comment.schema),
      pinned: Comment.schema.nullable(),
    });
    const document = createEngine()
      .withHandlers(
        GET("/posts", { output: z.array(whole.meta({ id: "PostWithComments" })) }, () => []),
        GET("/comment", { output: Comment.schema }, () => Promise.reject(new Error())),
      )
      .openapi();
    expect(names(document)).toEqual(["Comments", "PostWithComments"]);
    const ref = { $ref: "#/components/schemas/Comments" };
    expect(component(document, "PostWithComments")).toEqual({
      type: "object",
      properties: {
        id: { type: "integer" },
        title: { type: "string" },
        comments: { type: "array", items: ref },
        pinned: { anyOf: [ref, { type: "null" }] },
      },
      required: ["id", "title", "comments", "pinned"],
    });
  });

  test("stays two where a copy says more", () => {
    const more = Comment.schema.meta({ id: "Comment", description: "what somebody wrote" });
    const document = createEngine()
      .withHandlers(
        GET("/a", { output: Comment.schema }, () => Promise.reject(new Error())),
        GET("/b", { output: more }, () => Promise.reject(new Error())),
      )
      .openapi();
    expect(names(document)).toEqual(["Comment", "Comments"]);
    expect(component(document, "Comment")).toEqual({
      ...(component(document, "Comments") as object),
      description: "what somebody wrote",
    });
  });
});

describe("a table's schemas side by side", () => {
  test("are described as each is alone, whatever is registered first", () => {
    const read = GET("/r", { output: Comment.schema }, () => Promise.reject(new Error()));
    const write = POST("/w", { body: Comment.insertSchema }, () => 1);
    const patch = POST("/p", { body: Comment.updateSchema }, () => 1);
    const alone = new Map(
      [read, write, patch].flatMap((one) =>
        Object.entries(createEngine().withHandlers(one).openapi().components?.schemas ?? {}),
      ),
    );
    for (const order of [
      [read, write, patch],
      [patch, write, read],
      [write, read, patch],
    ]) {
      const { components } = createEngine()
        .withHandlers(...order)
        .openapi();
      expect(names({ components } as OpenAPI)).toEqual(["Comments", "CommentsInsert", "CommentsUpdate"]);
      for (const [name, json] of Object.entries(components?.schemas ?? {}))
        expect(json).toEqual(alone.get(name));
    }
    expect(alone.get("CommentsInsert")).toEqual({
      type: "object",
      properties: {
        text: { type: "string", minLength: 1 },
        likes: { type: "integer" },
        at: { type: ["string", "null"], format: "date-time" },
        parent: { type: ["integer", "null"] },
      },
      required: ["text"],
    });
  });
});

describe("what contains itself", () => {
  test("is one component in both directions, also where it is made twice", () => {
    const record: z.ZodType = z.lazy(() => z.record(z.string(), record));
    const document = createEngine()
      .withHandlers(
        POST("/a", { body: z.json(), output: z.json() }, ({ body }) => body),
        POST("/b", { body: z.object({ held: record }), output: record }, () => ({})),
      )
      .openapi();
    // Any JSON is said by `{}`.
    expect(names(document)).toEqual(["PostBBodyHeld"]);
    expect(component(document, "PostBBodyHeld")).toEqual({
      type: "object",
      additionalProperties: { $ref: "#/components/schemas/PostBBodyHeld" },
    });
  });

  test("is the same component from wherever it is reached", () => {
    const A = z.object({
      get b() {
        return B.optional();
      },
    });
    const B = z.object({
      get a() {
        return A.nullable();
      },
    });
    const text = (schemas: readonly z.ZodType[]) => {
      const document = createEngine()
        .withHandlers(
          ...schemas.map((output, i) => GET(`/${i}`, { output }, () => Promise.reject(new Error()))),
        )
        .openapi();
      return names(document).length;
    };
    expect([text([A]), text([B]), text([A, B]), text([B, A])]).toEqual([2, 2, 2, 2]);
  });
});

describe("a part of a document", () => {
  const auth = extractor(() => identity({ id: "1" }), {
    name: "key",
    scheme: { type: "http", scheme: "bearer" },
  });
  const User = z.object({ id: z.int(), nick: z.string().default("") }).meta({ id: "User" });
  const Other = z.object({ x: z.string() }).meta({ id: "User" });
  const Tree = z.object({
    get kids() {
      return z.array(Tree);
    },
  });

  test("describes each component as the whole does, and reveals no name of a hidden one", () => {
    const api = createEngine()
      .withAuthenticator(auth)
      .withHandlers(
        GET("/hidden/secret", { roles: ["boss"], output: z.tuple([User, Tree]) }, () =>
          Promise.reject(new Error()),
        ),
        POST("/in", { authentication: true, body: User }, () => 1),
        POST("/other", { authentication: true, body: Other, output: Tree }, () =>
          Promise.reject(new Error()),
        ),
      );
    const whole = api.openapi();
    const part = api.openapi(identity({ id: "1" }));
    expect(names(whole)).toEqual(["GetHiddenSecretOutputItem", "User", "User2", "UserInput"]);
    expect(names(part)).toEqual(["PostOtherOutput", "User2", "UserInput"]);
    for (const name of ["User2", "UserInput"]) expect(component(part, name)).toEqual(component(whole, name));
    expect(JSON.stringify(part)).not.toMatch(/secret/i);
  });
});

describe("of Zod 3", () => {
  test("a map has no largest size, a strict object is closed, and a pattern with flags is left out", () => {
    const schema = z3.object({
      map: z3.map(z3.string(), z3.number()),
      strict: z3.object({ a: z3.string() }).strict(),
      loud: z3.string().regex(/^a/i).max(3),
      quiet: z3.string().regex(/^a/),
      set: z3.set(z3.string()),
    });
    const document = createEngine().withModels(model("Old", schema)).openapi();
    expect(component(document, "Old")).toEqual({
      type: "object",
      properties: {
        map: {
          type: "array",
          items: {
            type: "array",
            prefixItems: [{ type: "string" }, { type: "number" }],
            items: false,
            minItems: 2,
            maxItems: 2,
          },
        },
        strict: {
          type: "object",
          properties: { a: { type: "string" } },
          required: ["a"],
          additionalProperties: false,
        },
        loud: { type: "string", maxLength: 3 },
        quiet: { type: "string", pattern: "^a" },
        set: { type: "array", items: { type: "string" } },
      },
      required: ["map", "strict", "loud", "quiet", "set"],
    });
  });
});

/** Not to be written otherwise by the linter, and not known to the compiler. */
function made(source: string, flags = ""): RegExp {
  return new RegExp(source, flags);
}

describe("patterns", () => {
  test.each<[RegExp, string | undefined]>([
    [/^a/, "^a"],
    [/^a/u, "^a"],
    [/a/gy, "a"],
    [/^a/i, undefined],
    [/^a$/m, undefined],
    [/a.b/s, undefined],
    [/a/ms, "a"],
    [made("[\\p{L}--[a-z]]", "v"), undefined],
    // With `u`, as JSON Schema reads patterns, this one is not a pattern.
    [made("\\-a"), undefined],
  ])("%s", (pattern, said) => {
    for (const schema of [z.string().regex(pattern), z3.string().regex(pattern)]) {
      const document = createEngine().withModels(model("Text", schema)).openapi();
      expect(component(document, "Text")).toEqual(
        said === undefined ? { type: "string" } : { type: "string", pattern: said },
      );
    }
  });
});

test("an id that is no text names nothing, wherever the schema stands", () => {
  for (const id of [5, null, true, ["A"], { a: 1 }, Symbol("A"), 5n, () => "A"]) {
    // Zod takes any value there.
    const odd = z.object({ a: z.string() }).meta({ id: id as never });
    const document = createEngine()
      .withHandlers(
        GET("/one", { output: odd }, () => ({ a: "x" })),
        POST("/two", { body: z.object({ odd, list: z.array(odd) }), output: odd.nullable() }, () => null),
      )
      .openapi();
    expect(names(document)).toEqual([]);
  }
});
