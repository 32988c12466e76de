/** What JSON carries: types that it cannot carry are refused when they are declared, and values of others as failures. */
import { Ajv2020 } from "ajv/dist/2020.js";
import { json, table } from "rowtype";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { z as z3 } from "zod/v3";
import { createEngine, DeclarationError, defineError, GET, POST, stream } from "../../src/http/index.js";
import { serveRequest } from "../../src/http/testing/index.js";

class Point {}

/** The status of an answer, and its body. */
const answered = async (...args: Parameters<typeof serveRequest>) => {
  const answer = await serveRequest(...args);
  return { status: answer.status, json: answer.decodeJSON() };
};

const strangers: readonly (readonly [string, () => z.ZodType])[] = [
  ["a file", () => z.file()],
  ["a symbol", () => z.symbol()],
  ["NaN", () => z.nan()],
];

const places: readonly (readonly [string, (schema: z.ZodType) => z.ZodType])[] = [
  ["bare", (schema) => schema],
  ["in an object", (schema) => z.object({ a: schema.optional() })],
  ["in a list", (schema) => z.array(schema.nullable())],
  ["in a record", (schema) => z.record(z.string(), schema)],
  ["in a union", (schema) => z.union([z.string(), schema])],
  ["in a map", (schema) => z.map(z.string(), z.tuple([schema]))],
  ["behind a lazy", (schema) => z.lazy(() => z.object({ a: schema.default(() => 0 as never) }))],
];

describe("a type that JSON cannot carry is refused when it is declared", () => {
  const cases = strangers.flatMap(([name, make]) =>
    places.map(([place, put]) => [`${name}, ${place}`, name, put(make())] as const),
  );

  test.each(cases)("%s", (_, name, schema) => {
    const Wrong = defineError({ code: "WRONG", status: 409, message: "wrong", details: schema as never });
    for (const handler of [
      POST("/x", { body: schema }, () => 1),
      GET("/x", { output: schema }, () => 1 as never),
      stream("GET", "/x", { event: schema }, () => {}),
      GET("/x", { errors: [Wrong] }, () => 1),
    ]) {
      const engine = createEngine().withHandlers(handler);
      expect(() => engine.router()).toThrow(DeclarationError);
      expect(() => engine.router()).toThrow(`JSON cannot carry ${name}`);
    }
    expect(() => table("t", z.object({ a: json(schema) }))).toThrow(`JSON cannot carry ${name}`);
  });

  test.each([
    ["a symbol", z3.object({ a: z3.array(z3.symbol()) })],
    ["NaN", z3.union([z3.string(), z3.nan()])],
    ["a function", z3.record(z3.function())],
  ])("%s of Zod 3", (name, schema) => {
    for (const handler of [
      POST("/x", { body: schema }, () => 1),
      GET("/x", { output: schema }, () => 1 as never),
    ])
      expect(() => createEngine().withHandlers(handler).router()).toThrow(`JSON cannot carry ${name}`);
  });

  test("an instance of a class comes in no body, and may write itself in an output", async () => {
    const body = z.object({ at: z.instanceof(Point) });
    expect(() =>
      createEngine()
        .withHandlers(POST("/x", { body }, () => 1))
        .router(),
    ).toThrow("JSON cannot carry an instance of Point");
    const home = GET("/x", { output: z.instanceof(URL) }, () => new URL("http://a.test/"));
    const answer = await answered(createEngine().withHandlers(home), "GET", "/x");
    expect(answer).toMatchObject({ status: 200, json: "http://a.test/" });
  });

  test("what is read from text or bytes may be of any type", async () => {
    const body = z.object({
      at: z.instanceof(Uint8Array),
      when: z.codec(z.string(), z.instanceof(URL), { decode: (t) => new URL(t), encode: (u) => u.href }),
      made: z.string().transform(() => new Point()),
    });
    expect(() =>
      createEngine()
        .withHandlers(POST("/x", { body }, () => 1))
        .router(),
    ).not.toThrow();
  });

  test("a pipe, both sides of which contain it", () => {
    const Twice: z.ZodType = z.lazy(() =>
      z.object({ a: Twice.optional() }).pipe(z.object({ a: Twice.optional() })),
    );
    expect(() =>
      createEngine()
        .withHandlers(POST("/x", { body: Twice }, () => 1))
        .router(),
    ).toThrow(/a pipe/);
  });
});

describe("a number that JSON does not have is a failure of the server", () => {
  const numbers = [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  const outputs: readonly (readonly [string, z.ZodType | z3.ZodTypeAny, (value: number) => unknown])[] = [
    ["bare", z.number(), (value) => value],
    ["in a field", z.object({ a: z.object({ b: z.number() }) }), (b) => ({ a: { b } })],
    ["in a list", z.array(z.number().nullable()), (value) => [null, value]],
    ["in a union", z.object({ a: z.union([z.string(), z.number()]) }), (a) => ({ a })],
    ["in a record", z.record(z.string(), z.number()), (a) => ({ a })],
    ["in a map", z.map(z.string(), z.number()), (value) => new Map([["a", value]])],
  ];

  test.each(outputs)("%s", async (_, output, of) => {
    for (const value of numbers) {
      const told: unknown[] = [];
      const handler = GET("/x", { output }, () => of(value) as never);
      const engine = createEngine({ onError: (error) => void told.push(error) }).withHandlers(handler);
      const answer = await serveRequest(engine, "GET", "/x");
      expect(answer.status).toBe(500);
      expect(told).toHaveLength(1);
    }
  });

  test("and so is a date that is none; null itself is sent", async () => {
    const output = z.object({ at: z.date(), n: z.number().nullable() });
    const serve = async (at: Date) => {
      const handler = GET("/x", { output }, () => ({ at, n: null }));
      const engine = createEngine({ onError: () => {} }).withHandlers(handler);
      return answered(engine, "GET", "/x");
    };
    expect((await serve(new Date(Number.NaN))).status).toBe(500);
    expect(await serve(new Date(0))).toMatchObject({
      status: 200,
      json: { at: "1970-01-01T00:00:00.000Z", n: null },
    });
  });
});

test("the letters of a date-time may be small", async () => {
  const handler = POST("/x", { body: z.date(), output: z.date() }, ({ body }) => body);
  const engine = createEngine().withHandlers(handler);
  for (const body of ["2026-01-02t03:04:05z", "2026-01-02T03:04:05z", "2026-01-02t04:04:05+01:00"])
    expect(await answered(engine, "POST", "/x", JSON.stringify(body))).toMatchObject({
      status: 200,
      json: "2026-01-02T03:04:05.000Z",
    });
});

test("sides of an intersection that give different values are a 422", async () => {
  const body = z.intersection(z.string().trim(), z.string());
  const engine = createEngine().withHandlers(POST("/x", { body }, ({ body }) => body));
  expect(await answered(engine, "POST", "/x", '" a"')).toMatchObject({
    status: 422,
  });
  expect(await answered(engine, "POST", "/x", '"a"')).toMatchObject({ json: "a" });
});

describe("the document", () => {
  const described = (schema: z.ZodType) => {
    const document = createEngine()
      .withHandlers(POST("/x", { body: schema }, () => 1))
      .openapi();
    return [document.paths?.["/x"]?.post?.requestBody, document.components?.schemas] as const;
  };

  test("says any JSON by {}, without a component that contains itself", () => {
    const own: z.ZodType = z.lazy(() =>
      z.union([z.null(), z.boolean(), z.number(), z.string(), z.record(z.string(), own), z.array(own)]),
    );
    for (const schema of [z.json(), own, z.json().nullable().describe("x"), z.object({ a: z.json() })])
      expect(JSON.stringify(described(schema))).not.toContain("$ref");
    const [body] = described(z.json());
    expect(body).toMatchObject({ content: { "application/json": { schema: {} } } });
    // What is narrower keeps its description.
    const narrow: z.ZodType = z.lazy(() =>
      z.union([
        z.string(),
        z.number(),
        z.boolean(),
        z.null(),
        z.array(narrow).max(2),
        z.record(z.string(), narrow),
      ]),
    );
    expect(JSON.stringify(described(narrow))).toContain("maxItems");
  });

  test("is valid whatever .meta() holds", () => {
    const values = [
      "text",
      5,
      true,
      null,
      [],
      ["a"],
      {},
      { url: "http://a.test" },
      { one: { value: "a" } },
      "(",
    ];
    const keys =
      "title description examples example deprecated readOnly writeOnly format pattern contentEncoding contentMediaType externalDocs xml $comment".split(
        " ",
      );
    const ajv = new Ajv2020({ strict: false, validateFormats: false });
    for (const key of keys) {
      for (const value of values) {
        const [body] = described(z.string().meta({ [key]: value }));
        const { schema } = (body as { content: { "application/json": { schema: Record<string, unknown> } } })
          .content["application/json"];
        expect([key, value, ajv.validateSchema(schema)]).toEqual([key, value, true]);
        expect(() => ajv.compile(schema)).not.toThrow();
        if (key === "externalDocs" && "externalDocs" in schema)
          expect(schema["externalDocs"]).toHaveProperty("url", expect.any(String));
      }
    }
    const [kept] = described(z.string().meta({ deprecated: true, title: "T", examples: ["a"] }));
    expect(kept).toMatchObject({
      content: { "application/json": { schema: { deprecated: true, title: "T", examples: ["a"] } } },
    });
  });
});
