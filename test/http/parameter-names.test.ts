/** Names of parameters that are absent, there twice, or not declared. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { z as z3 } from "zod/v3";
import { createEngine, GET, type Handler } from "../../src/http/index.js";
import { serveRequest, serveRequestWithHeaders } from "../../src/http/testing/index.js";
import type { Parameter } from "../../src/openapi/index.js";
import { raw } from "./raw.js";
import { serve } from "./serve.js";

const lists = {
  bare: () => z.array(z.int()),
  "at least one": () => z.array(z.int()).min(1),
  nonempty: () => z.array(z.int()).nonempty(),
  "at least none": () => z.array(z.int()).min(0),
  "exactly two": () => z.array(z.int()).length(2),
  "at most two": () => z.array(z.int()).max(2),
  set: () => z.set(z.int()),
  "set of at least one": () => z.set(z.int()).min(1),
  "set of two": () => z.set(z.int()).size(2),
  pair: () => z.tuple([z.int(), z.int()]),
  "of one or two": () => z.tuple([z.int(), z.int().optional()]),
  "tuple of any": () => z.tuple([]).rest(z.int()),
};
const scalars = {
  text: () => z.string(),
  "text of at least one": () => z.string().min(1),
  integer: () => z.int(),
  unknown: () => z.unknown(),
  coerced: () => z.coerce.string(),
  "coerced number": () => z.coerce.number(),
  "text or list": () => z.union([z.string(), z.array(z.string()).min(1)]),
};
type Wrap = (schema: z.ZodType) => z.ZodType;
const wraps: Record<string, Wrap> = {
  bare: (schema) => schema,
  nullable: (schema) => schema.nullable(),
  "read only": (schema) => schema.readonly(),
  refined: (schema) => schema.refine(() => true),
  transformed: (schema) => schema.transform((value) => value),
  optional: (schema) => schema.optional(),
  "optional, refined": (schema) => schema.optional().refine(() => true),
  "not optional after all": (schema) => schema.optional().nonoptional(),
  exact: (schema) => z.exactOptional(schema),
  lazy: (schema) => z.lazy(() => schema),
  caught: (schema) => schema.catch(null),
  "both sides": (schema) => z.intersection(schema, schema),
  "or a list of two": (schema) => z.union([schema, z.array(z.int()).length(2)]),
  "or undefined": (schema) => z.union([schema, z.undefined()]),
};
const zod3: Record<string, z3.ZodTypeAny> = {
  list: z3.array(z3.number()),
  nonempty: z3.array(z3.number()).nonempty(),
  "at least one": z3.array(z3.number()).min(1).optional().nullable(),
  "exactly two": z3
    .array(z3.number())
    .length(2)
    .refine(() => true),
  "set of at least one": z3.set(z3.number()).min(1),
  pair: z3.tuple([z3.number(), z3.number()]),
  text: z3.string(),
  optional: z3.string().optional(),
  defaulted: z3.array(z3.number()).min(1).default([1]),
  "text or list": z3.union([z3.string(), z3.array(z3.string())]),
};

describe("a parameter that is absent", () => {
  const cases: [string, z.ZodType][] = [];
  // Zod cannot merge two sets.
  for (const [kind, make] of Object.entries({ ...lists, ...scalars }))
    for (const [wrap, over] of Object.entries(wraps))
      if (!(kind.includes("set") && wrap === "both sides")) cases.push([`${kind}, ${wrap}`, over(make())]);
  // A Zod 3 schema is not a Zod 4 schema to the compiler; both are one here.
  for (const [name, schema] of Object.entries(zod3)) cases.push([`Zod 3: ${name}`, schema as never]);

  test.each(["query", "headers", "cookies"] as const)(
    "is refused in %s where the document requires it, and nowhere else",
    async (place) => {
      const bare = cases.map(([, p], i) => GET(`/b${i}`, { [place]: { p } } as never, () => 1) as Handler);
      const fields = cases.map(([name, p], i) => {
        const whole = name.startsWith("Zod 3") ? z3.object({ p: p as never }) : z.object({ p });
        return GET(`/f${i}`, { [place]: whole } as never, () => 1) as Handler;
      });
      const engine = createEngine().withHandlers(...bare, ...fields);
      const { paths } = engine.openapi();
      const wrong: unknown[] = [];
      let required = 0;
      for (const [i, [name]] of cases.entries()) {
        for (const path of [`/b${i}`, `/f${i}`] as const) {
          const parameter = paths?.[path]?.get?.parameters?.[0] as Parameter;
          const answer = await serveRequest(engine, "GET", path);
          if ((parameter.required ?? false) !== (answer.status === 422))
            wrong.push([name, path, answer.status]);
          if (parameter.required) required++;
        }
      }
      expect(wrong).toEqual([]);
      expect(required).toBeGreaterThan(100);
      expect(required).toBeLessThan(cases.length * 2 - 100);
    },
  );
});

describe("a list in a header", () => {
  const engine = createEngine().withHandlers(
    GET("/x", { headers: { "x-tags": z.array(z.string()) } }, ({ params }) => params.headers["x-tags"]),
    GET("/maybe", { headers: { "x-tags": z.set(z.string()).optional() } }, ({ params }) => {
      return params.headers["x-tags"] === undefined ? "absent" : [...params.headers["x-tags"]];
    }),
    GET(
      "/some",
      { headers: { "x-tags": z.array(z.string()).min(1) } },
      ({ params }) => params.headers["x-tags"],
    ),
  );

  test("has no empty items, in one field or in several", async () => {
    const part = fc.constantFrom("a", "b c", "", " ", "\t");
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(part, { minLength: 1, maxLength: 5 }), { minLength: 1, maxLength: 3 }),
        async (lines) => {
          const headers = { "X-Tags": lines.map((line) => line.join(",")) };
          const items = lines.flat().filter((text) => text.trim() !== "");
          const list = await serveRequestWithHeaders(engine, "GET", "/x", headers);
          expect(list.decodeJSON()).toEqual(items);
          const maybe = await serveRequestWithHeaders(engine, "GET", "/maybe", headers);
          expect(maybe.decodeJSON()).toEqual([...new Set(items)]);
          const some = await serveRequestWithHeaders(engine, "GET", "/some", headers);
          expect(some.status).toBe(items.length > 0 ? 200 : 422);
        },
      ),
      { numRuns: 50 },
    );
    expect((await serveRequest(engine, "GET", "/x")).decodeJSON()).toEqual([]);
    expect((await serveRequest(engine, "GET", "/maybe")).decodeJSON()).toBe("absent");
  });
});

describe("a name that is there twice", () => {
  test("is a mistake in a query", async () => {
    const engine = createEngine().withHandlers(GET("/x", { query: { q: z.string().optional() } }, () => 1));
    const answer = await serveRequest(engine, "GET", "/x?q=a&q=a");
    expect(answer.decodeJSON()).toMatchObject({
      details: { fields: [{ field: "q", message: "given more than once", in: "query" }] },
    });
  });

  test("is the first in Cookie, as browsers send that of the closest path first; a list has all", async () => {
    const cookies = {
      theme: z.enum(["dark", "light"]).optional(),
      n: z.int(),
      all: z.array(z.string()),
      either: z.union([z.string(), z.array(z.string())]).optional(),
    };
    const engine = createEngine().withHandlers(GET("/x", { cookies }, ({ params }) => params.cookies));
    const ask = async (cookie: string) =>
      (await serveRequestWithHeaders(engine, "GET", "/x", { cookie })).decodeJSON();
    expect(await ask("theme=dark; n=1; theme=pink; n=x; all=a,%2C; all=b; either=c; either=d")).toEqual({
      theme: "dark",
      n: 1,
      all: ["a", ",", "b"],
      either: ["c", "d"],
    });
    // The first is the one that counts, also where it does not fit.
    expect(await ask("theme=pink; theme=dark; n=1")).toMatchObject({
      details: { fields: [{ field: "theme" }] },
    });
  });

  test("is one value in headers, joined as RFC 9110 joins it; what is no list there is a mistake", async () => {
    const url = await serve(
      GET(
        "/x",
        {
          headers: {
            "X-Forwarded-For": z.string(),
            "x-n": z.int().optional(),
            Cookie: z.string().optional(),
          },
        },
        ({ params }) => params.headers,
      ),
      GET("/auth", { headers: { authorization: z.string(), referer: z.string().optional() } }, () => 1),
    );
    const ask = (path: string, ...headers: string[]) =>
      raw(
        Number(new URL(url).port),
        `GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${headers.join("\r\n")}\r\n\r\n`,
      );
    expect(
      await ask(
        "/x",
        "x-forwarded-for: 10.0.0.1",
        "X-FORWARDED-FOR: 10.0.0.2, 10.0.0.3",
        "Cookie: a=1",
        "Cookie: b=2",
      ),
    ).toContain('{"X-Forwarded-For":"10.0.0.1, 10.0.0.2, 10.0.0.3","Cookie":"a=1; b=2"}');
    expect(await ask("/x", "x-forwarded-for: a", "x-n: 1", "x-n: 1")).toMatch(/ 422 [\s\S]*"field":"x-n"/);
    expect(await ask("/auth", "Authorization: a")).toMatch(/ 200 /);
    for (const name of ["Authorization", "Referer"]) {
      const answer = await ask("/auth", "Authorization: a", `${name}: b`, `${name}: c`);
      expect(answer).toMatch(/ 422 [\s\S]*"message":"given more than once"/);
    }
  });
});

describe("a name that is not declared", () => {
  test("is refused by a strict object of a query, with its name", async () => {
    const strict = {
      strict: z.strictObject({ limit: z.int().optional() }),
      refined: z
        .object({ limit: z.int().optional() })
        .strict()
        .refine(() => true),
      "Zod 3": z3.object({ limit: z3.number().optional() }).strict(),
      empty: z.strictObject({}),
    };
    for (const [name, query] of Object.entries(strict)) {
      const engine = createEngine().withHandlers(GET("/x", { query }, () => 1));
      expect([name, (await serveRequest(engine, "GET", "/x")).status]).toEqual([name, 200]);
      for (const undeclared of ["limt", "__proto__", "constructor", "Limit", "limit[]", "a b"]) {
        const search = `${name === "empty" ? "" : "limit=1&"}${encodeURIComponent(undeclared)}=2&${encodeURIComponent(undeclared)}`;
        const answer = await serveRequest(engine, "GET", `/x?${search}`);
        expect([name, answer.status, answer.decodeJSON()]).toMatchObject([
          name,
          422,
          {
            code: "VALIDATION_FAILED",
            details: { fields: [{ field: undeclared, message: "not declared", in: "query" }] },
          },
        ]);
      }
    }
    const engine = createEngine().withHandlers(GET("/x", { query: z.strictObject({ n: z.int() }) }, () => 1));
    const flood = Array.from({ length: 500 }, (_, i) => `k${i}=1`).join("&");
    const { details } = (await serveRequest(engine, "GET", `/x?n=x&${flood}`)).decodeJSON() as {
      details: { fields: unknown[] };
    };
    expect(details.fields).toHaveLength(50);
  });

  test("is let through by every other object", async () => {
    for (const query of [
      z.object({}),
      z.looseObject({}),
      z3.object({}),
      z3.object({}).passthrough(),
      { a: z.int().optional() },
    ]) {
      const engine = createEngine().withHandlers(GET("/x", { query }, ({ params }) => ({ ...params.query })));
      expect((await serveRequest(engine, "GET", "/x?b=1")).decodeJSON()).toEqual({});
    }
  });

  test("makes declarations impossible that would refuse every request, or promise what is not read", () => {
    const declare =
      (options: object, path = "/x/{id}") =>
      () =>
        GET(path, options as never, () => 1);
    for (const strict of [z.strictObject({ a: z.string() }), z3.object({ a: z3.string() }).strict()]) {
      expect(declare({ headers: strict })).toThrow(/headers: a strict object would refuse every request/);
      expect(declare({ cookies: strict })).toThrow(/cookies: a strict object would refuse every request/);
      expect(declare({ path: strict }, "/x/{a}/{id}")).toThrow(
        /the strict object of the path does not declare "id"/,
      );
      expect(declare({ path: strict }, "/x/{a}")).not.toThrow();
      expect(declare({ query: strict })).not.toThrow();
    }
    for (const others of [z.object({}).catchall(z.int()), z3.object({}).catchall(z3.number())]) {
      for (const place of ["path", "query", "headers", "cookies"])
        expect(declare({ [place]: others })).toThrow(`${place}: names that are not declared are not read`);
    }
  });
});
