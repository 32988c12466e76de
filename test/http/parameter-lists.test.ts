/** Lists in every place of a request: bare and below others, sent by our client, and said by the document. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { z as z3 } from "zod/v3";
import { createClient } from "../../src/http/client/index.js";
import { createEngine, type Engine, GET } from "../../src/http/index.js";
import { serveRequest, serveRequestWithHeaders, type TestResponse } from "../../src/http/testing/index.js";
import type { Parameter } from "../../src/openapi/index.js";
import { listening } from "./serve.js";
import { expectValid } from "./validate-document.js";

type Place = "path" | "query" | "headers";
const places: readonly Place[] = ["path", "query", "headers"];

/** A handler that gives its one parameter back. */
function echo(place: Place, schema: unknown, path: string) {
  const shape = { [place]: { p: schema } };
  const template = place === "path" ? `${path}/{p}` : path;
  // The schema is one that text can carry, whatever the compiler knows of it here.
  return GET(template, shape as never, ({ params }) => {
    const { p } = params[place] as { p: unknown };
    return { value: p instanceof Set ? [...p, "a set"] : p === undefined ? "absent" : p };
  });
}

/** A request with these texts as the parameter. */
function request(
  engine: AnyEngine,
  place: Place,
  path: string,
  texts: readonly string[],
): Promise<TestResponse> {
  if (place === "path")
    return serveRequest(engine, "GET", `${path}/${texts.map(encodeURIComponent).join(",")}`);
  if (place === "headers")
    return serveRequestWithHeaders(engine, "GET", path, texts.length === 0 ? {} : { p: texts.join(", ") });
  return serveRequest(
    engine,
    "GET",
    `${path}?${texts.map((text) => `p=${encodeURIComponent(text)}`).join("&")}`,
  );
}

type AnyEngine = Parameters<typeof serveRequest>[0];

function engineOf(schemas: readonly unknown[]) {
  const handlers = schemas.flatMap((schema, i) =>
    places.map((place) => echo(place, schema, `/${place}${i}`)),
  );
  return createEngine().withHandlers(...handlers);
}

/** What the document says of the parameter. */
function described(engine: Engine, place: Place, i: number): Parameter {
  const path = place === "path" ? `/path${i}/{p}` : `/${place}${i}`;
  const [parameter] = engine.openapi().paths?.[path as `/${string}`]?.get?.parameters ?? [];
  return parameter as Parameter;
}

/** Lists of integers, below everything that can stand above a list. */
const above: Record<string, z.ZodType | z3.ZodTypeAny> = {
  bare: z.array(z.int()),
  nullable: z.array(z.int()).nullable(),
  optional: z.array(z.int()).optional(),
  nullish: z.array(z.int()).nullish(),
  defaulted: z.array(z.int()).default([7]),
  prefault: z.array(z.int()).prefault([7]),
  caught: z.array(z.int()).catch([7]),
  "read only": z.array(z.int()).readonly(),
  refined: z.array(z.int()).refine(() => true),
  "refined later": z.array(z.int()).refine(async () => true),
  transformed: z.array(z.int()).transform((all) => all),
  piped: z.array(z.int()).pipe(z.array(z.int())),
  codec: z.codec(z.array(z.int()), z.array(z.int()), { decode: (all) => all, encode: (all) => all }),
  preprocessed: z.preprocess(
    (all) => (Array.isArray(all) ? all.map(Number) : [Number(all)]),
    z.array(z.int()),
  ),
  lazy: z.lazy(() => z.array(z.int())),
  "a union of lists": z.union([z.array(z.int()), z.array(z.string())]),
  "a union of unions": z.union([z.boolean(), z.union([z.null(), z.array(z.int()).optional()])]),
  "both sides": z.intersection(z.array(z.int()), z.array(z.int().min(1))),
  "of unions": z.array(z.union([z.int(), z.boolean()])),
  "of coerced": z.array(z.coerce.number()),
  tuple: z.tuple([z.int()]).rest(z.int()),
  "Zod 3": z3.array(z3.number()),
  "Zod 3, optional": z3.array(z3.number()).optional(),
  "Zod 3, defaulted": z3.array(z3.number()).default([7]),
  "Zod 3, refined": z3.array(z3.number()).refine(() => true),
  "Zod 3, transformed": z3.array(z3.number()).transform((all) => all),
  "Zod 3, piped": z3.array(z3.number()).pipe(z3.array(z3.number())),
  "Zod 3, branded": z3.array(z3.number()).brand("ids"),
  "Zod 3, lazy": z3.lazy(() => z3.array(z3.number())),
  "Zod 3, preprocessed": z3.preprocess((all) => [all].flat().map(Number), z3.array(z3.number())),
  "Zod 3, a union of lists": z3.union([z3.array(z3.number()), z3.array(z3.string())]),
  "Zod 3, a union with others": z3.union([z3.boolean(), z3.null(), z3.array(z3.number())]),
  "Zod 3, both sides": z3.intersection(z3.array(z3.number()), z3.array(z3.number())),
  "Zod 3, tuple": z3.tuple([z3.number()]).rest(z3.number()),
};

describe("a list", () => {
  const names = Object.keys(above);
  const engine = engineOf(Object.values(above));

  test.each(places)("below anything is read whole in %s", async (place) => {
    for (const [i, name] of names.entries()) {
      for (const texts of [["1"], ["1", "2"], ["3", "3", "3"]]) {
        const answer = await request(engine, place, `/${place}${i}`, texts);
        expect([name, texts, answer.status, answer.text()]).toEqual([
          name,
          texts,
          200,
          JSON.stringify({ value: texts.map(Number) }),
        ]);
      }
      const refused = await request(engine, place, `/${place}${i}`, ["1", "[]", "2"]);
      const takesAny = name.includes("union of lists") || name === "caught";
      expect([name, refused.status]).toEqual([name, takesAny ? 200 : 422]);
    }
  });

  test("is described as an array, in the style of its place", async () => {
    await expectValid(engine.openapi());
    for (const [i, name] of names.entries()) {
      for (const place of places) {
        const parameter = described(engine, place, i);
        // What the function of a preprocess takes is not known.
        if (!name.includes("preprocessed")) expect(JSON.stringify([name, parameter])).toContain('"array"');
        // The default of a path and a header is `simple`, of a query `form` with one pair for each item.
        expect(Object.keys(parameter)).not.toContain("style");
        expect(Object.keys(parameter)).not.toContain("explode");
      }
    }
  });

  test("comes in as our client has sent it, whatever its items hold", async () => {
    const text = fc.oneof(
      fc.constantFrom(
        ",",
        ".",
        "..",
        "/",
        "%2C",
        "%",
        "a,b",
        " ",
        "+",
        "&",
        "=",
        "#",
        "?",
        "ä",
        "\u{1f600}",
        "",
      ),
      fc.string({ maxLength: 5 }),
    );
    // A base URL adds segments in front.
    const api = createEngine()
      .withBaseUrl("/v1")
      .withHandlers(
        GET(
          "/p/{texts}",
          { path: { texts: z.array(z.string()) }, output: z.array(z.string()) },
          ({ params }) => {
            return params.path.texts;
          },
        ),
        GET(
          "/p/{n}/{ids}/x",
          { path: { ids: z.set(z.bigint()) }, output: z.array(z.bigint()) },
          ({ params }) => [...params.path.ids],
        ),
        GET("/q", { query: { texts: z.array(z.string()) }, output: z.array(z.string()) }, ({ params }) => {
          return params.query.texts;
        }),
        GET("/one/{text}", { output: z.string() }, ({ params }) => params.path.text),
      );
    const client = createClient<typeof api>(`${await listening(api)}/v1`);
    await fc.assert(
      fc.asyncProperty(fc.array(text, { minLength: 1, maxLength: 4 }), async (texts) => {
        const inQuery = await client.GET("/q", { query: { texts } });
        expect(inQuery.data).toEqual(texts);
        const joined = texts.map(encodeURIComponent).join(",");
        const sent = client.GET("/p/{texts}", { path: { texts } });
        // A URL has no way to hold these as a segment.
        if (["", ".", ".."].includes(joined))
          await expect(sent).rejects.toMatchObject({ code: "INVALID_REQUEST" });
        else expect((await sent).data).toEqual(texts);
      }),
      { numRuns: 60 },
    );
    expect((await client.GET("/p/{n}/{ids}/x", { path: { n: "a,b", ids: ["1", "2"] } })).data).toEqual([
      "1",
      "2",
    ]);
    expect((await client.GET("/one/{text}", { path: { text: "a,b" } })).data).toBe("a,b");
    await expect(client.GET("/p/{texts}", { path: { texts: [] } })).rejects.toMatchObject({
      code: "INVALID_REQUEST",
    });
  });
});

describe("text or a list", () => {
  const either = {
    "text or list": z.union([z.string(), z.array(z.string())]),
    "list or text": z.union([z.array(z.string()), z.string()]),
    "text or list, optional": z.union([z.string(), z.array(z.string())]).optional(),
    "text or set": z.union([z.string(), z.set(z.string())]),
    transformed: z.union([z.string(), z.array(z.string())]).transform((given) => given),
    "inner optional": z.union([z.string().optional(), z.array(z.string()).optional()]),
    nested: z.union([z.literal("a"), z.union([z.string(), z.array(z.string()).nullable()])]),
    "Zod 3": z3.union([z3.string(), z3.array(z3.string())]),
    "Zod 3, optional": z3.string().or(z3.array(z3.string())).optional(),
  };
  const engine = engineOf(Object.values(either));

  test.each(places)("comes in as what was given in %s", async (place) => {
    for (const [i, name] of Object.keys(either).entries()) {
      const one = await request(engine, place, `/${place}${i}`, ["a"]);
      expect([name, one.status, one.decodeJSON()]).toEqual([name, 200, { value: "a" }]);
      const two = await request(engine, place, `/${place}${i}`, ["a", "b"]);
      const items = name.includes("set") ? ["a", "b", "a set"] : ["a", "b"];
      expect([name, two.status, two.decodeJSON()]).toEqual([name, 200, { value: items }]);
      // Our client, which encodes the comma, means one text.
      if (place === "path") {
        const comma = await serveRequest(engine, "GET", `/path${i}/a%2Cb`);
        expect([name, comma.decodeJSON()]).toEqual([name, { value: "a,b" }]);
      }
    }
  });

  test("one text is one value where that fits, and else a list of one", async () => {
    const shapes = {
      n: z.union([z.array(z.int()), z.literal("all")]),
      either: z.union([z.int(), z.array(z.boolean())]),
    };
    const api = createEngine().withHandlers(GET("/x", { query: shapes }, ({ params }) => params.query));
    for (const [query, values] of [
      ["n=all&either=1", { n: "all", either: 1 }],
      ["n=1&either=true", { n: [1], either: [true] }],
      ["n=1&n=2&either=true&either=false", { n: [1, 2], either: [true, false] }],
    ] as const) {
      expect((await serveRequest(api, "GET", `/x?${query}`)).decodeJSON()).toEqual(values);
    }
    expect((await serveRequest(api, "GET", "/x?n=all&n=all&either=1")).status).toBe(422);
  });

  test("a function in front of a schema is given the text, whatever it makes of it", async () => {
    const parse = (text: unknown) => JSON.parse(String(text));
    const shapes = [
      z.preprocess(parse, z.object({ a: z.int() })),
      z.preprocess(parse, z.array(z.object({ a: z.int() }))),
      z
        .string()
        .transform(parse)
        .pipe(z.object({ a: z.int() })),
      z3.preprocess(parse, z3.object({ a: z3.number() })),
      z.preprocess(parse, z.array(z.int())),
    ];
    const engine = engineOf(shapes);
    for (const [i, text] of ['{"a":1}', '[{"a":1}]', '{"a":1}', '{"a":1}', "[1,2]"].entries()) {
      const answer = await request(engine, "query", `/query${i}`, [text]);
      expect([answer.status, answer.text()]).toEqual([200, `{"value":${text}}`]);
      if (i < 4) expect((await request(engine, "query", `/query${i}`, [text, text])).status).toBe(422);
    }
  });

  test.each([
    ["a list of lists", z.array(z.array(z.string()))],
    ["a list of texts or lists", z.array(z.union([z.string(), z.array(z.string())]))],
    ["text or an object", z.union([z.string(), z.object({})])],
    ["a record", z.record(z.string(), z.string())],
    ["text or a list of objects", z.union([z.string(), z.array(z.object({}))])],
    ["any JSON", z.json()],
    ["a file", z.file()],
    ["an instance of a class", z.instanceof(URL)],
    ["an optional list of files", z.array(z.file()).optional()],
    ["a tuple with an object", z.tuple([z.string(), z.object({})])],
    ["a list of itself", z.lazy(() => selfish)],
    ["null alone", z.null()],
    ["Zod 3: a list of lists", z3.array(z3.array(z3.string()))],
    ["Zod 3: text or an object", z3.union([z3.string(), z3.object({})])],
    ["Zod 3: null alone", z3.null()],
  ])("%s is refused when it is declared", (_, schema) => {
    for (const place of places)
      expect(() => echo(place, schema, "/x")).toThrow(/has a type that text cannot carry/);
  });
});

const selfish: z.ZodType = z.array(z.lazy(() => selfish));
