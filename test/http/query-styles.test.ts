/** Parameters of a query in styles of their own: lists in one text, objects by their fields, JSON. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { z as z3 } from "zod/v3";
import { createClient } from "../../src/http/client/index.js";
import {
  commaSeparated,
  createEngine,
  DeclarationError,
  deepObject,
  form,
  GET,
  group,
  jsonParameter,
  multipart,
  POST,
  stream,
} from "../../src/http/index.js";
import { serveRequest, testEngine } from "../../src/http/testing/index.js";
import { listening } from "./serve.js";
import { expectValid } from "./validate-document.js";

const Filter = z.object({ a: z.array(z.int()), at: z.date().optional(), not: z.boolean().optional() });
const Price = { min: z.int().optional(), max: z.int().optional(), tags: z.array(z.string()) };
// Every value here is one that the compiler refuses.
const wrong = (value: unknown) => value as never;

const ids = GET(
  "/ids",
  { query: { ids: commaSeparated(z.array(z.int())) }, output: z.unknown() },
  ({ params }) => params.query.ids,
);
const texts = GET(
  "/texts",
  { query: { texts: commaSeparated(z.array(z.string()).optional()) }, output: z.unknown() },
  ({ params }) => params.query.texts ?? "none",
);
const deep = GET(
  "/deep",
  { query: { price: deepObject(Price), q: z.string().optional() }, output: z.unknown() },
  ({ params }) => params.query,
);
const maybe = GET(
  "/maybe",
  {
    query: {
      price: deepObject(
        z
          .strictObject({ min: z.int(), at: z.date().optional() })
          .refine(({ min }) => min > 0, "too small")
          .optional(),
      ),
    },
    output: z.unknown(),
  },
  ({ params }) => params.query.price ?? "none",
);
const json = GET(
  "/json",
  { query: { filter: jsonParameter(Filter) }, output: Filter },
  ({ params }) => params.query.filter,
);
const any = GET(
  "/any",
  {
    query: {
      value: jsonParameter(z.union([z.string(), z.array(z.union([z.string(), z.int()]))]).optional()),
    },
    output: z.unknown(),
  },
  ({ params }) => params.query.value ?? "none",
);
const engine = testEngine(ids, texts, deep, maybe, json, any);
const ask = async (target: string) => {
  const answer = await serveRequest(engine, "GET", target);
  return answer.status === 200
    ? answer.decodeJSON()
    : [answer.status, Reflect.get(Object(answer.decodeJSON()), "details")?.fields];
};
const fault = (field: string, message: unknown = expect.any(String)) => [
  422,
  [{ field, message, in: "query" }],
];
const json_ = (value: unknown) => encodeURIComponent(JSON.stringify(value));

describe("a list that commas separate", () => {
  test("is split before it is decoded, and there once", async () => {
    expect(await ask("/ids?ids=1,2,30")).toEqual([1, 2, 30]);
    expect(await ask("/ids?ids=1")).toEqual([1]);
    expect(await ask("/ids")).toEqual([]);
    expect(await ask("/texts?texts=a%2Cb,c+d,,%C3%A9%26")).toEqual(["a,b", "c d", "", "é&"]);
    expect(await ask("/texts?%74exts=a,b&other=c")).toEqual(["a", "b"]);
    expect(await ask("/texts")).toBe("none");
    expect(await ask("/ids?ids=1,x")).toEqual(fault("ids.1"));
    expect(await ask("/ids?ids=1&ids=2")).toEqual(fault("ids", "given more than once"));
    expect(await ask("/ids?ids=%ff")).toEqual([400, undefined]);
  });
});

describe("an object by its fields", () => {
  test("is read as parameters are, one level deep", async () => {
    expect(
      await ask("/deep?price[min]=1&price%5Bmax%5D=5&price[tags]=a&price[tags]=b&price[other]=9&q=x"),
    ).toEqual({
      price: { min: 1, max: 5, tags: ["a", "b"] },
      q: "x",
    });
    expect(await ask("/deep")).toEqual({ price: { tags: [] } });
    expect(await ask("/deep?price[min]=x&price[max]=y")).toEqual([
      422,
      ["min", "max"].map((field) => ({ field: `price.${field}`, message: expect.any(String), in: "query" })),
    ]);
    expect(await ask("/deep?price[min]=1&price[min]=2")).toEqual(fault("price.min", "given more than once"));
    expect(await ask("/deep?price[min][x]=1")).toEqual(fault("price[min][x]", "not declared"));
    expect(await ask("/deep?price=1")).toEqual(fault("price", "fields were expected, as price[field]"));
    expect(await ask("/deep?price[__proto__]=1&price[constructor]=2")).toEqual({ price: { tags: [] } });
  });

  test("may be a Zod object, optional, strict, with rules, of both Zods", async () => {
    expect(await ask("/maybe")).toBe("none");
    expect(await ask("/maybe?price[min]=2&price[at]=2026-01-02T03:04:05Z")).toEqual({
      min: 2,
      at: "2026-01-02T03:04:05.000Z",
    });
    expect(await ask("/maybe?price[at]=2026-01-02")).toEqual(fault("price.min"));
    expect(await ask("/maybe?price[min]=0")).toEqual(fault("price", "too small"));
    expect(await ask("/maybe?price[min]=2&price[x]=1")).toEqual(fault("price[x]", "not declared"));
    const three = testEngine(
      GET(
        "/x",
        { query: { o: deepObject(z3.object({ n: z3.number() }).optional()) }, output: z.unknown() },
        ({ params }) => params.query.o ?? "none",
      ),
    );
    expect((await serveRequest(three, "GET", "/x?o[n]=1.5")).decodeJSON()).toEqual({ n: 1.5 });
    expect((await serveRequest(three, "GET", "/x")).decodeJSON()).toBe("none");
  });

  test("is declared where undeclared names are refused", async () => {
    const strict = createEngine({ strictQuery: true }).withHandlers(deep, ids, json);
    expect((await serveRequest(strict, "GET", "/deep?price[min]=1&q=a")).status).toBe(200);
    expect((await serveRequest(strict, "GET", `/json?filter=${json_({ a: [] })}`)).status).toBe(200);
    for (const other of ["price[x]=1", "ids[0]=1", "other=1"])
      expect([other, (await serveRequest(strict, "GET", `/deep?${other}`)).status]).toEqual([other, 422]);
  });
});

describe("a value of JSON", () => {
  test("has the wire form of bodies, and its faults are those of the query", async () => {
    const at = "2026-01-02T03:04:05.000Z";
    expect(await ask(`/json?filter=${json_({ a: [1], at, other: 1 })}`)).toEqual({ a: [1], at });
    expect(await ask("/json")).toEqual(fault("filter"));
    expect(await ask(`/json?filter=${json_({ a: ["x"] })}`)).toEqual(fault("filter.a.0"));
    expect(await ask("/any")).toBe("none");
    for (const broken of [
      "filter=",
      "filter={",
      "filter=%7B%22a%22:1",
      `filter=${"[".repeat(300)}${"]".repeat(300)}`,
      "filter[a]=1",
      "filter=%00",
    ])
      expect([broken, await ask(`/json?${broken}`)]).toEqual([
        broken,
        fault("filter", "a value of JSON was expected"),
      ]);
    expect(await ask("/json?filter=1&filter=2")).toEqual(fault("filter", "given more than once"));
    const polluted = await ask(`/any?value=${encodeURIComponent('[{"__proto__":{"a":1}}]')}`);
    expect(polluted).toEqual([422, expect.anything()]);
  });
});

describe("a declaration", () => {
  test("refuses what has no such style, and the styles where none may stand", () => {
    const list = commaSeparated(z.array(z.int()));
    for (const schema of [z.string(), z.array(z.object({})), z.array(z.array(z.int())), undefined, 5, list])
      expect(() => commaSeparated(wrong(schema))).toThrow(DeclarationError);
    for (const fields of [
      undefined,
      5,
      [],
      { a: 1 },
      { a: z.object({}) },
      { a: list },
      { a: z3.string() },
      z.string(),
      z.object({ a: z.object({}) }),
      z.looseObject({}),
    ].slice(0, -1))
      expect(() => deepObject(wrong(fields)), String(fields)).toThrow(DeclarationError);
    for (const schema of [undefined, {}, list])
      expect(() => jsonParameter(wrong(schema))).toThrow(DeclarationError);
    for (const style of [list, deepObject({ a: z.int() }), jsonParameter(z.int())]) {
      for (const place of ["path", "headers", "cookies"])
        expect(() => GET("/{a}", wrong({ [place]: { a: style } }), () => 1)).toThrow("cannot stand in");
      expect(() => GET("/x", { query: wrong(z.object({ a: wrong(style) })) }, () => 1)).toThrow(
        DeclarationError,
      );
      expect(() => POST("/x", { body: wrong(style) }, () => 1)).toThrow("is no body");
      expect(() =>
        POST(
          "/x",
          { output: wrong(style) },
          wrong(() => 1),
        ),
      ).toThrow("is no answer");
      expect(() => POST("/x", { body: wrong(z.object({ a: wrong(style) })) }, () => 1)).toThrow(
        DeclarationError,
      );
      expect(() => form(wrong({ a: style }))).toThrow(DeclarationError);
      expect(() => multipart(wrong({ a: style }))).toThrow(DeclarationError);
      expect(() => stream("GET", "/x", wrong({ event: style }), () => {})).toThrow(DeclarationError);
    }
    expect(() =>
      createEngine()
        .withHandlers(GET("/x", { query: { a: jsonParameter(z.file()) } }, () => 1))
        .router(),
    ).toThrow(DeclarationError);
  });

  test("of a group holds for its handlers", async () => {
    const grouped = testEngine(
      group("/g", { query: { ids: commaSeparated(z.array(z.int())) } }).GET(
        "/x",
        { query: { f: jsonParameter(z.int()) }, output: z.unknown() },
        ({ params }) => params.query,
      ),
    );
    expect((await serveRequest(grouped, "GET", "/g/x?ids=1,2&f=3")).decodeJSON()).toEqual({
      ids: [1, 2],
      f: 3,
    });
  });
});

test("the document has the style of each", async () => {
  const document = createEngine().withHandlers(ids, texts, deep, maybe, json).openapi();
  await expectValid(document);
  const parameter = (path: `/${string}`) => document.paths?.[path]?.get?.parameters?.[0];
  const integers = { type: "array", items: { type: "integer" } };
  expect(parameter("/ids")).toEqual({
    name: "ids",
    in: "query",
    style: "form",
    explode: false,
    schema: integers,
  });
  expect(parameter("/deep")).toEqual({
    name: "price",
    in: "query",
    style: "deepObject",
    explode: true,
    schema: {
      type: "object",
      properties: {
        min: { type: "integer" },
        max: { type: "integer" },
        tags: { type: "array", items: { type: "string" } },
      },
      required: ["tags"],
    },
  });
  expect(parameter("/maybe")).toMatchObject({ style: "deepObject", schema: { additionalProperties: false } });
  expect(parameter("/maybe")).not.toHaveProperty("required");
  expect(parameter("/json")).toMatchObject({
    name: "filter",
    required: true,
    content: { "application/json": { schema: { type: "object" } } },
  });
  expect(parameter("/json")).not.toHaveProperty("schema");
});

describe("the client", () => {
  test("writes every style once it knows it, and gives back what was given", async () => {
    const seen: string[] = [];
    const api = createEngine()
      .withMiddleware((request, _, next) => {
        seen.push(decodeURIComponent(request.url));
        next();
      })
      .withHandlers(ids, texts, deep, maybe, json, any);
    const client = createClient<typeof api>(await listening(api));
    expect((await client.GET("/ids", { query: { ids: [1, 2] } })).data).toEqual([1, 2]);
    expect((await client.GET("/ids", { query: { ids: [3, 4] } })).data).toEqual([3, 4]);
    expect((await client.GET("/ids")).data).toEqual([]);
    expect((await client.GET("/ids", { query: { ids: [] } })).data).toEqual([]);
    expect(seen.splice(0)).toEqual(["/ids?ids=1&ids=2", "/ids?ids=1,2", "/ids?ids=3,4", "/ids", "/ids"]);
    expect(
      (await client.GET("/deep", { query: { price: { min: 1, tags: ["a", "b"] }, q: "z" } })).data,
    ).toEqual({ price: { min: 1, tags: ["a", "b"] }, q: "z" });
    expect(
      (await client.GET("/maybe", { query: { price: { min: 1, at: "2026-01-02T00:00:00.000Z" } } })).data,
    ).toMatchObject({ min: 1 });
    expect((await client.GET("/maybe")).data).toBe("none");
    expect(seen.splice(0)).toEqual([
      "/deep?price[min]=1&price[tags]=a&price[tags]=b&q=z",
      "/maybe?price[min]=1&price[at]=2026-01-02T00:00:00.000Z",
      "/maybe",
    ]);
    expect((await client.GET("/json", { query: { filter: { a: [1] } } })).data).toEqual({ a: [1] });
    expect((await client.GET("/json", { query: { filter: { a: [] } } })).data).toEqual({ a: [] });
    expect(seen.splice(0)).toEqual(["/json?filter[a]=1", '/json?filter={"a":[1]}', '/json?filter={"a":[]}']);
    // A mistake stays one, after one more attempt.
    await expect(client.GET("/maybe", { query: { price: { min: 0 } } })).rejects.toMatchObject({
      code: "VALIDATION_FAILED",
    });
    await expect(client.GET("/maybe", { query: { price: { min: 0 } } })).rejects.toMatchObject({
      code: "VALIDATION_FAILED",
    });
    expect(seen.splice(0)).toHaveLength(3);
  });

  test("sends any list and any object so that they arrive", async () => {
    const api = createEngine().withHandlers(texts, any, json);
    const url = await listening(api);
    const known = createClient<typeof api>(url);
    const item = fc.string({ unit: "grapheme", maxLength: 8 });
    await fc.assert(
      fc.asyncProperty(fc.array(item, { minLength: 1 }), fc.boolean(), async (list, isNew) => {
        const client = isNew ? createClient<typeof api>(url) : known;
        expect((await client.GET("/texts", { query: { texts: list } })).data).toEqual(list);
        expect((await client.GET("/any", { query: { value: list } })).data).toEqual(list);
      }),
      { numRuns: 60 },
    );
    for (const a of [[], [1], [1, 2]])
      expect((await createClient<typeof api>(url).GET("/json", { query: { filter: { a } } })).data).toEqual({
        a,
      });
  });
});
