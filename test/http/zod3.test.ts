import { describe, expect, test, vi } from "vitest";
import { z } from "zod/v3";
import { createEngine, DeclarationError, GET, model, POST } from "../../src/http/index.js";
import { ask, send, serve } from "./serve.js";

describe("zod/v3 schemas", () => {
  test("in parameters are read from text by their declared type, as those of Zod 4 are", async () => {
    let seen: unknown;
    const url = await serve(
      GET(
        "/x/{id}",
        {
          path: { id: z.number().int() },
          query: {
            n: z.number(),
            flag: z.boolean(),
            day: z.date(),
            big: z.bigint(),
            role: z.enum(["a", "b"]),
            level: z.union([z.literal(1), z.literal(2)]),
            either: z.union([z.number().int(), z.string()]),
            tags: z.array(z.string()),
            ids: z.array(z.number().int()).optional(),
            none: z.array(z.string()).default(["d"]),
            kinds: z.set(z.number()),
            page: z.number().int().default(1),
            coerced: z.coerce.number(),
            branded: z.number().brand("N").readonly().nullable(),
            refined: z.number().refine((n) => n > 1),
            prepared: z.preprocess((text) => `${text}!`, z.string()),
            piped: z.number().pipe(z.number().min(1)),
            q: z.string().optional(),
            both: z.intersection(z.number(), z.number().min(2)),
          },
          headers: { "X-Count": z.number().int(), "x-list": z.array(z.string()) },
          cookies: { sid: z.string() },
        },
        ({ params }) => {
          seen = params;
          return 1;
        },
      ),
    );
    const query =
      "n=-1.5e3&flag=true&day=2024-02-29&big=-12345678901234567890&role=b&level=2&either=7&ids=1&ids=2&kinds=3" +
      "&coerced=0x10&branded=4&refined=5&prepared=a&piped=6&both=8";
    const answer = await ask(`${url}/x/007?${query}`, {
      headers: { "x-count": "5", "X-List": "a, b", cookie: "sid=a%20b" },
    });
    expect(answer).toMatchObject({ status: 200 });
    expect(seen).toEqual({
      path: { id: 7 },
      query: {
        n: -1500,
        flag: true,
        day: new Date("2024-02-29"),
        big: -12345678901234567890n,
        role: "b",
        level: 2,
        either: 7,
        tags: [],
        ids: [1, 2],
        none: ["d"],
        kinds: new Set([3]),
        page: 1,
        coerced: 16,
        branded: 4,
        refined: 5,
        prepared: "a!",
        piped: 6,
        both: 8,
      },
      headers: { "X-Count": 5, "x-list": ["a", "b"] },
      cookies: { sid: "a b" },
    });
  });

  test("in parameters refuse text that does not read as the type", async () => {
    const url = await serve(GET("/x", { query: { n: z.number().int(), flag: z.boolean() } }, () => 1));
    expect(await ask(`${url}/x?n=1.0&flag=1`)).toMatchObject({
      status: 422,
      json: {
        details: {
          fields: [
            { field: "n", in: "query" },
            { field: "flag", in: "query" },
          ],
        },
      },
    });
  });

  test("in parameters that text cannot carry are refused at once", () => {
    const query = { o: z.object({}) as unknown as z.ZodString };
    expect(() => GET("/x", { query }, () => 1)).toThrow(DeclarationError);
  });

  test("of bodies and outputs have the wire forms of Zod 4", async () => {
    interface Tree {
      at: Date;
      next?: Tree | undefined;
    }
    const tree: z.ZodType<Tree> = z.object({ at: z.date(), next: z.lazy(() => tree).optional() });
    const body = z.object({
      at: z.date().nullable(),
      big: z.bigint(),
      list: z.array(z.tuple([z.date(), z.literal(7n)]).rest(z.bigint())),
      byName: z.record(z.bigint()),
      days: z.set(z.date()),
      pairs: z.map(z.string(), z.date()),
      either: z.union([z.bigint(), z.object({ day: z.date() })]),
      kind: z.discriminatedUnion("kind", [
        z.object({ kind: z.literal("a"), at: z.date() }),
        z.object({ kind: z.literal("b"), at: z.string() }),
      ]),
      both: z.intersection(z.object({ a: z.date() }), z.object({ b: z.bigint() })),
      tree,
    });
    let seen: unknown;
    const url = await serve(
      POST("/x", { body, output: body }, ({ body }) => {
        seen = body;
        return { ...body, hash: "secret" };
      }),
    );
    const at = "2024-02-29T00:00:00.000Z";
    const sent = {
      at,
      big: "9007199254740993",
      list: [[at, "7", "8"]],
      byName: { a: "1" },
      days: [at],
      pairs: [["x", at]],
      either: { day: at },
      kind: { kind: "b", at },
      both: { a: at, b: "2" },
      tree: { at, next: { at } },
    };
    expect(await ask(`${url}/x`, send("POST", sent))).toMatchObject({ status: 200, json: sent });
    const date = new Date(at);
    expect(seen).toEqual({
      at: date,
      big: 9007199254740993n,
      list: [[date, 7n, 8n]],
      byName: { a: 1n },
      days: new Set([date]),
      pairs: new Map([["x", date]]),
      either: { day: date },
      kind: { kind: "b", at },
      both: { a: date, b: 2n },
      tree: { at: date, next: { at: date } },
    });
    expect((await ask(`${url}/x`, send("POST", sent))).text).not.toContain("secret");
  });

  test("say in the document what must be given", () => {
    const query = {
      list: z.array(z.string()),
      n: z.number(),
      o: z.string().optional(),
      d: z.string().default(""),
    };
    const document = createEngine()
      .withHandlers(GET("/x", { query }, () => 1))
      .openapi();
    const parameters = document.paths?.["/x"]?.get?.parameters ?? [];
    expect(parameters.map((one) => "required" in one && one.required === true)).toEqual([
      false,
      true,
      false,
      false,
    ]);
  });

  test("say in the document what may be given, without a word on what may be left out", () => {
    const query = {
      n: z.number().int().min(1).optional(),
      d: z.string().optional().describe("a word"),
      l: z.array(z.boolean().optional()),
    };
    const { paths } = createEngine()
      .withHandlers(POST("/x", { query, body: z.object({ a: z.bigint().optional() }).optional() }, () => 1))
      .openapi();
    expect(paths?.["/x"]?.post).toMatchObject({
      parameters: [
        { name: "n", schema: { type: "integer", minimum: 1 } },
        { name: "d", description: "a word", schema: { type: "string" } },
        { name: "l", schema: { type: "array", items: { type: "boolean" } } },
      ],
      requestBody: { content: { "application/json": { schema: { type: "object" } } } },
    });
    expect(JSON.stringify(paths)).not.toContain('"not"');
  });

  test("are components in the document if they are recursive or have a discriminator", () => {
    type Tree = { size: bigint | null; branches: Tree[] };
    const Tree: z.ZodType<Tree> = z.lazy(() =>
      z.object({ size: z.bigint().nullable(), branches: z.array(Tree) }),
    );
    const Shape = z.discriminatedUnion("kind", [
      z.object({ kind: z.literal("circle"), r: z.number() }),
      z.object({ kind: z.enum(["square", "diamond"]), within: z.lazy((): z.ZodTypeAny => z.array(Shape)) }),
    ]);
    const warn = vi.spyOn(console, "warn");
    const { components, paths } = createEngine()
      .withModels(model("Tree", Tree))
      .withHandlers(
        POST("/x", { body: Tree, output: z.object({ shape: Shape, other: Shape.optional() }) }, () => {
          throw new Error();
        }),
      )
      .openapi();
    expect(warn).not.toHaveBeenCalled();
    const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
    expect(paths?.["/x"]?.post).toMatchObject({
      requestBody: { content: { "application/json": { schema: ref("Tree") } } },
      responses: {
        200: {
          content: {
            "application/json": {
              schema: { properties: { shape: ref("PostXOutput"), other: ref("PostXOutput") } },
            },
          },
        },
      },
    });
    expect(components?.schemas).toMatchObject({
      Tree: {
        properties: {
          size: { anyOf: [{ type: "string", pattern: "^-?\\d+$" }, { type: "null" }] },
          branches: { type: "array", items: ref("Tree") },
        },
      },
      PostXOutput: {
        oneOf: [ref("PostXOutputCircle"), ref("PostXOutputSquare")],
        discriminator: {
          propertyName: "kind",
          mapping: {
            circle: ref("PostXOutputCircle").$ref,
            square: ref("PostXOutputSquare").$ref,
            diamond: ref("PostXOutputSquare").$ref,
          },
        },
      },
      PostXOutputCircle: { properties: { kind: { const: "circle" }, r: { type: "number" } } },
      PostXOutputSquare: { properties: { within: { type: "array", items: ref("PostXOutput") } } },
    });
  });
});
