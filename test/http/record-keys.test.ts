/** Records in bodies and outputs: their keys are the names of a JSON object, which are text. */
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { createEngine, DeclarationError, POST, stream } from "../../src/http/index.js";
import { serveRequest } from "../../src/http/testing/index.js";

// The compiler refuses most of these keys; callers without types do not have it.
const keyed = (key: unknown) => z.record(key as z.ZodString, z.int());

describe("keys that no text can be are refused when the engine is used", () => {
  test.each([
    ["objects", z.object({ a: z.int() })],
    ["lists", z.array(z.string())],
    ["tuples", z.tuple([z.string()])],
    ["dates", z.date()],
    ["bigints", z.bigint()],
    ["booleans", z.boolean()],
    ["nothing", z.null()],
    ["wrapped objects", z.object({}).optional().readonly()],
    ["objects that become text", z.object({}).transform(() => "text")],
    ["one of two that cannot be", z.union([z.date(), z.boolean()])],
    ["themselves", z.lazy((): z.ZodType => z.array(z.string()))],
  ])("%s", (_name, key) => {
    const record = z.object({ list: z.array(keyed(key).nullable()) });
    for (const handler of [
      POST("/x", { body: record }, () => 1),
      POST("/x", { output: record }, () => ({ list: [] })),
      stream("GET", "/x", { event: record }, () => {}),
    ]) {
      const engine = createEngine().withHandlers(handler);
      expect(() => engine.router()).toThrow(DeclarationError);
      expect(() => engine.router()).toThrow(/\/x: the keys of a record/);
    }
  });
});

describe("keys that text can be are described and validated alike", () => {
  const digits = "^-?\\d+(?:\\.\\d+)?$";
  test.each<[string, z.ZodType, object, object[], object[]]>([
    [
      "names of a list, all of which must be there",
      keyed(z.enum(["a", "b"])),
      { propertyNames: { type: "string", enum: ["a", "b"] }, required: ["a", "b"] },
      [{ a: 1, b: 2 }],
      [{ a: 1 }, { a: 1, b: 2, c: 3 }],
    ],
    [
      "names of a list, any of them",
      z.partialRecord(z.enum(["a", "b"]), z.int()),
      { propertyNames: { type: "string", enum: ["a", "b"] } },
      [{}, { b: 2 }],
      [{ c: 3 }],
    ],
    [
      "numbers",
      keyed(z.number()),
      { propertyNames: { type: "string", pattern: digits } },
      [{ 1: 1 }],
      [{ a: 1 }],
    ],
    [
      "literal numbers",
      keyed(z.literal([1, 2])),
      { propertyNames: { type: "string", enum: ["1", "2"] }, required: ["1", "2"] },
      [{ 1: 1, 2: 2 }],
      [{ 1: 1 }],
    ],
    [
      "a pattern",
      keyed(z.string().regex(/^x-/)),
      { propertyNames: { type: "string", pattern: "^x-" } },
      [{ "x-a": 1 }],
      [{ a: 1 }],
    ],
    [
      "a format",
      keyed(z.email()),
      { propertyNames: { type: "string", format: "email" } },
      [{ "a@b.co": 1 }],
      [{ a: 1 }],
    ],
    ["text that is changed", keyed(z.string().transform((text) => text.trim())), {}, [{ a: 1 }], []],
    ["any text", keyed(z.string()), {}, [{ a: 1, "": 2 }], [{ a: "x" }]],
  ])("%s", async (_name, schema, keywords, right, wrong) => {
    const engine = createEngine().withHandlers(
      POST("/x", { body: schema, output: schema }, ({ body }) => body),
    );
    const post = engine.openapi().paths?.["/x"]?.post;
    const expected = { type: "object", additionalProperties: { type: "integer" }, ...keywords };
    expect(post?.requestBody).toMatchObject({ content: { "application/json": { schema: expected } } });
    expect(JSON.parse(JSON.stringify(post?.responses?.["200"]))).toMatchObject({
      content: { "application/json": { schema: expected } },
    });
    for (const body of right) {
      const answer = await serveRequest(engine, "POST", "/x", body);
      expect([answer.status, answer.decodeJSON()]).toEqual([200, body]);
    }
    for (const body of wrong) expect((await serveRequest(engine, "POST", "/x", body)).status).toBe(422);
  });
});

test("a loose record converts what it validates, and passes on the rest as it came, both ways", async () => {
  const schema = z.looseRecord(z.string().regex(/^x-/), z.date());
  const seen: unknown[] = [];
  const engine = createEngine().withHandlers(
    POST("/x", { body: schema, output: schema }, ({ body }) => {
      seen.push(body);
      return body;
    }),
  );
  const text = "2026-01-01T00:00:00.000Z";
  for (const other of [text, "no date", 1, null, [text], { "x-a": text }]) {
    const answer = await serveRequest(engine, "POST", "/x", { "x-a": text, other });
    expect([answer.status, answer.decodeJSON()]).toEqual([200, { "x-a": text, other }]);
    expect(seen.at(-1)).toEqual({ "x-a": new Date(text), other });
  }
  expect((await serveRequest(engine, "POST", "/x", { "x-a": "no date" })).status).toBe(422);
});
