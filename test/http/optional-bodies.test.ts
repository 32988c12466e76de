/** Bodies that may be missing: every schema that takes `undefined`, at every door, in the document and in the client. */
import express from "express";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { z as z3 } from "zod/v3";
import { createClient } from "../../src/http/client/index.js";
import { createEngine, HostLoopback, listen, POST } from "../../src/http/index.js";
import { serveRequest, serveRequestWithHeaders } from "../../src/http/testing/index.js";
import { atEnd } from "../at-end.js";
import { raw } from "./raw.js";
import { ask, listening } from "./serve.js";
import { expectValid } from "./validate-document.js";

/** Makes schemas of one kind; both Zods have these. */
const kinds = {
  text: () => z.string(),
  object: () => z.object({ priority: z.int(), at: z.date().optional() }),
  "all optional": () => z.object({ a: z.string().optional() }),
  list: () => z.array(z.date()),
  union: () => z.union([z.object({ n: z.bigint() }), z.string()]),
};
const kindsZod3 = {
  text: () => z3.string(),
  object: () => z3.object({ priority: z3.number().int(), at: z3.date().optional() }),
  list: () => z3.array(z3.date()),
  union: () => z3.union([z3.object({ n: z3.bigint() }), z3.string()]),
};

type Wrap<S> = (schema: S) => z.ZodType;
const wraps: Record<string, Wrap<z.ZodType>> = {
  bare: (schema) => schema,
  nullable: (schema) => schema.nullable(),
  refined: (schema) => schema.refine(() => true),
  optional: (schema) => schema.optional(),
  nullish: (schema) => schema.nullish(),
  "optional, read only": (schema) => schema.optional().readonly(),
  "optional, refined": (schema) => schema.optional().refine(() => true),
  "optional, transformed": (schema) => schema.optional().transform((value) => value ?? "none"),
  "optional, refined later": (schema) => schema.optional().refine(async () => true),
  "nullable of an optional": (schema) => schema.optional().nullable(),
  "not optional after all": (schema) => schema.optional().nonoptional(),
  exact: (schema) => z.exactOptional(schema),
  lazy: (schema) => z.lazy(() => schema.optional()),
  "or undefined": (schema) => z.union([schema, z.undefined()]),
  "one variant optional": (schema) => z.union([schema.optional(), z.int()]),
  "both sides optional": (schema) => z.intersection(schema.optional(), schema.optional()),
  "one side optional": (schema) => z.intersection(schema.optional(), schema),
  caught: (schema) => schema.catch("caught"),
  described: (schema) => schema.optional().describe("maybe").meta({ id: "Maybe" }),
};
const wrapsZod3: Record<string, (schema: z3.ZodTypeAny) => z3.ZodTypeAny> = {
  bare: (schema) => schema,
  nullable: (schema) => schema.nullable(),
  optional: (schema) => schema.optional(),
  nullish: (schema) => schema.nullish(),
  "optional, transformed": (schema) => schema.optional().transform((value) => value ?? "none"),
  "optional, refined later": (schema) => schema.optional().refine(async () => true),
  lazy: (schema) => z3.lazy(() => schema.optional()),
  branded: (schema) => schema.optional().brand("B"),
  "or undefined": (schema) => z3.union([schema, z3.undefined()]),
  caught: (schema) => schema.catch("caught"),
};

interface Case {
  readonly name: string;
  readonly schema: z.ZodType;
  readonly takes: boolean;
}

const own: readonly Case[] = [
  ["default", z.object({ n: z.int().default(1) }).default({ n: 2 }), true],
  ["prefault", z.object({ n: z.int().default(1) }).prefault({}), true],
  ["undefined or null", z.literal([undefined, null]), true],
  // Whatever JSON can hold: there is a value.
  ["unknown", z.unknown(), false],
  ["any", z.any(), false],
  ["unknown, nullable", z.unknown().nullable(), false],
  ["unknown, optional", z.unknown().optional(), true],
  ["coerced", z.coerce.string(), false],
  // A Zod 3 schema is not a Zod 4 schema to the compiler; both are one here.
  ["unknown of Zod 3", z3.unknown() as never, false],
  ["any of Zod 3, refined", z3.any().refine(() => true) as never, false],
  ["unknown of Zod 3, optional", z3.unknown().optional() as never, true],
  ["default of Zod 3", z3.object({ n: z3.number() }).default({ n: 2 }) as never, true],
].map(([name, schema, takes]) => ({ name, schema, takes }) as Case);

async function made(): Promise<Case[]> {
  const cases: Case[] = [...own];
  const add = async (name: string, schema: z.ZodType) => {
    cases.push({ name, schema, takes: (await schema.safeParseAsync(undefined)).success });
  };
  for (const [kind, make] of Object.entries(kinds))
    for (const [wrap, over] of Object.entries(wraps)) await add(`${kind}, ${wrap}`, over(make()));
  for (const [kind, make] of Object.entries(kindsZod3))
    for (const [wrap, over] of Object.entries(wrapsZod3))
      await add(`Zod 3: ${kind}, ${wrap}`, over(make()) as never);
  return cases;
}

const none = Symbol("the handler has not run");

/** An engine with a handler for each case that keeps what it got, and says whether it ran. */
function engineOf(cases: readonly Case[]) {
  let got: unknown = none;
  const engine = createEngine().withHandlers(
    ...cases.map(({ schema }, i) =>
      POST(`/c${i}`, { body: schema }, ({ body }) => {
        got = body;
        return "ran";
      }),
    ),
  );
  const taken = () => {
    const held = got;
    got = none;
    return held;
  };
  return { engine, taken };
}

describe("a body that is missing", () => {
  test("is what the schema makes of undefined where it takes it, and refused where it does not", async () => {
    const cases = await made();
    expect(cases.filter(({ takes }) => takes).length).toBeGreaterThan(60);
    expect(cases.filter(({ takes }) => !takes).length).toBeGreaterThan(30);
    const { engine, taken } = engineOf(cases);
    const document = engine.openapi();
    for (const [i, { name, schema, takes }] of cases.entries()) {
      const answer = await serveRequest(engine, "POST", `/c${i}`);
      expect([name, answer.status]).toEqual([name, takes ? 200 : 422]);
      if (takes) expect([name, taken()]).toEqual([name, (await schema.safeParseAsync(undefined)).data]);
      else expect(answer.decodeJSON()).toMatchObject({ message: "invalid request body" });
      const body = document.paths?.[`/c${i}`]?.post?.requestBody;
      expect([name, body]).toMatchObject([name, { required: !takes }]);
    }
    await expectValid(document);
  });

  test("is no null and no blank: what is there is read, and must be of the right type", async () => {
    const { engine } = engineOf([{ name: "", schema: z.object({}).optional(), takes: true }]);
    for (const [type, text, status] of [
      ["application/json", "null", 422],
      ["application/json", " ", 422],
      ["application/json", "{", 422],
      ["application/json", "{}", 200],
      ["text/plain", "{}", 415],
      ["text/plain", "", 200],
    ] as const) {
      const answer = await serveRequestWithHeaders(engine, "POST", "/c0", { "content-type": type }, text);
      expect([type, text, answer.status]).toEqual([type, text, status]);
    }
  });

  test("is missing however the request says so", async () => {
    const { engine, taken } = engineOf([{ name: "", schema: z.int().default(7), takes: true }]);
    const { port } = new URL(await listening(engine));
    for (const type of ["", "Content-Type: application/json\r\n", "Content-Type: text/plain\r\n"]) {
      for (const rest of [
        "\r\n",
        "Content-Length: 0\r\n\r\n",
        "Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
        "Content-Length: 0\r\nExpect: 100-continue\r\n\r\n",
      ]) {
        const answer = await raw(
          Number(port),
          `POST /c0 HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${type}${rest}`,
        );
        expect([type, rest, answer]).toEqual([type, rest, expect.stringMatching(/HTTP\/1\.1 200 /)]);
        expect(taken()).toBe(7);
      }
    }
  });

  test("is missing at every door, whichever parser the application has in front", async () => {
    const parsers = {
      none: [],
      "that of Express": [express.json()],
      "one that leaves an empty object where there is no body": [
        express.json(),
        ((request, _response, next) => {
          request.body ??= {};
          next();
        }) as express.RequestHandler,
      ],
    };
    for (const [name, parser] of Object.entries(parsers)) {
      const optional = { name, schema: z.object({ n: z.int() }).optional(), takes: true };
      const { engine, taken } = engineOf([optional, { name, schema: z.object({}), takes: false }]);
      const app = express();
      app.use(...[...parser, engine.router()]);
      const { url } = await listen(app, HostLoopback, 0);
      atEnd(() => engine.shutdown({ timeoutMs: 1_000 }));
      expect([name, (await ask(`${url}/c0`, { method: "POST" })).status]).toEqual([name, 200]);
      expect(taken()).toBeUndefined();
      expect([name, (await ask(`${url}/c1`, { method: "POST" })).status]).toEqual([name, 422]);
      const client = createClient<typeof api>(url);
      expect((await client.POST("/c0", { body: { n: 1 } })).data).toBe("ran");
      expect(taken()).toEqual({ n: 1 });
    }
  });

  test("may be left out of a call, in its types too", async () => {
    const client = createClient<typeof api>(await listening(api));
    expect((await client.POST("/c0")).data).toBe(0);
    expect((await client.POST("/c0", {})).data).toBe(0);
    expect((await client.POST("/c0", { body: undefined })).data).toBe(0);
    expect((await client.POST("/c0", { body: { n: 3 } })).data).toBe(3);
    expect((await client.POST("/default")).data).toBe(5);
    // @ts-expect-error this one is required
    await expect(client.POST("/required", {})).rejects.toMatchObject({ status: 422 });
    // @ts-expect-error a value of any type is a value
    await expect(client.POST("/any", {})).rejects.toMatchObject({ status: 422 });
  });
});

const api = createEngine().withHandlers(
  POST("/c0", { body: z.object({ n: z.int() }).optional(), output: z.unknown() }, ({ body }) => body?.n ?? 0),
  POST("/default", { body: z.int().default(5), output: z.int() }, ({ body }) => body),
  POST("/required", { body: z.object({ n: z.int() }) }, () => 1),
  POST("/any", { body: z.unknown() }, () => 1),
);
