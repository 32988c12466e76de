/**
 * The document held against the server: every kind of schema, in every wrapper, bare and wrapped side by side, in every
 * order. What the server accepts and sends is what the document says, and it says so whatever else is registered.
 */
import { Ajv2020 } from "ajv/dist/2020.js";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { z } from "zod";
import type { z as z3 } from "zod/v3";
import { createEngine, type Handler, POST } from "../../src/http/index.js";
import { compileEndpoint } from "../../src/http/pipeline/endpoint.js";
import { serveRequest } from "../../src/http/testing/index.js";
import type { OpenAPI } from "../../src/openapi/index.js";
import { rounds } from "../rounds.js";
import { kinds, kindsZod3, wireValue, wireValues, wrappers, wrappersZod3 } from "../schema/kinds.js";

type AnySchema = z.ZodType | z3.ZodTypeAny;

interface Described {
  readonly input: object;
  readonly output: object;
}

/** What a document says of each schema, in the order in which they are registered. */
function documentOf(
  schemas: readonly AnySchema[],
  order: readonly number[] = schemas.map((_, i) => i),
): OpenAPI {
  const handlers = order.map((i) => handlerOf(schemas[i] as z.ZodType, i));
  return createEngine()
    .withHandlers(...handlers)
    .openapi();
}

function handlerOf(schema: z.ZodType, i: number): Handler {
  return POST(`/s${i}`, { body: schema, output: schema }, ({ body }) => body) as Handler;
}

function described(document: OpenAPI, i: number): Described {
  const operation = document.paths?.[`/s${i}`]?.post as never as {
    requestBody: { content: { "application/json": { schema: object } } };
    responses: { 200: { content: { "application/json": { schema: object } } } };
  };
  return {
    input: operation.requestBody.content["application/json"].schema,
    output: operation.responses[200].content["application/json"].schema,
  };
}

/** With every reference replaced by what it refers to, once around in a circle. */
function inFull(document: OpenAPI, json: unknown, around: readonly string[] = []): unknown {
  if (Array.isArray(json)) return json.map((one) => inFull(document, one, around));
  if (typeof json !== "object" || json === null) return json;
  const { $ref, ...beside } = json as { $ref?: string };
  const rest = Object.fromEntries(
    Object.entries(beside).map(([key, value]) => [
      key,
      key === "mapping" ? Object.keys(value as object) : inFull(document, value, around),
    ]),
  );
  if ($ref === undefined) return rest;
  if (around.includes($ref)) return { around: around.length - around.indexOf($ref), ...rest };
  const name = $ref.slice("#/components/schemas/".length);
  const component = document.components?.schemas?.[name];
  expect(component).toBeDefined();
  return { of: inFull(document, component, [...around, $ref]), ...rest };
}

const ajv = new Ajv2020({
  strict: false,
  validateFormats: false,
  validateSchema: false,
  logger: false,
  // Each validator is made for a few values: to make its code shorter takes longer than to run it.
  code: { optimize: false },
});

type Judge = (value: unknown) => boolean;

/** To make a validator takes longer than all its values: schemas of a document that say the same have one. */
const judges = new WeakMap<OpenAPI, Map<string, Judge>>();

function validatorOf(document: OpenAPI, json: object): Judge {
  const known = judges.get(document) ?? new Map<string, Judge>();
  judges.set(document, known);
  const text = JSON.stringify(json);
  let judge = known.get(text);
  if (judge === undefined) {
    const validate = ajv.compile({ ...json, components: document.components });
    judge = (value) => validate(value) === true;
    known.set(text, judge);
  }
  return judge;
}

type Served = { readonly status: 200; readonly sent: unknown } | { readonly status: 422 | 500 };

/** What the server makes of a body. */
function serverOf(handler: Handler): (value: unknown) => Promise<Served> {
  const { body: bodies, success } = compileEndpoint(handler, "");
  const body = bodies?.json;
  return async (value) => {
    try {
      const decoded = body?.decode === undefined ? value : body.decode(value);
      const result = await body?.validate(decoded);
      if (result?.ok !== true) return { status: 422 };
      const encoded = await success?.steps.encode(result.value);
      return { status: 200, sent: JSON.parse(JSON.stringify(encoded) ?? "null") };
    } catch {
      // Zod cannot freeze bytes, JSON cannot write a bigint that is `z.any()`.
      return { status: 500 };
    }
  };
}

async function hold(
  document: OpenAPI,
  handler: Handler,
  i: number,
  values: readonly unknown[],
  isWider: boolean,
) {
  const { input, output } = described(document, i);
  const accepts = validatorOf(document, input);
  const sends = validatorOf(document, output);
  const serve = serverOf(handler);
  const faults: unknown[] = [];
  let taken = 0;
  for (const value of values) {
    const answer = await serve(value);
    const said = accepts(value);
    if (answer.status !== 422) taken++;
    if (answer.status === 200 && !said) faults.push(["accepted, but not by", input, value]);
    if (answer.status === 422 && said && !isWider) faults.push(["refused, but not by", input, value]);
    if (answer.status === 200 && !sends(answer.sent)) faults.push(["sent, but not by", output, answer.sent]);
  }
  expect(faults).toEqual([]);
  return taken;
}

describe.each([
  ["Zod 4", kinds, wrappers],
  ["Zod 3", kindsZod3, wrappersZod3],
] as const)("every kind of %s", (_, allKinds, allWrappers) => {
  // A Zod 3 schema is not a Zod 4 schema to the compiler; both are one here.
  const cases = allKinds as typeof kinds;
  const wraps = allWrappers as typeof wrappers;

  test.each(cases.map((kind) => [kind.name, kind] as const))(
    "%s: bare and wrapped, in both orders",
    async (_, kind) => {
      const bare = kind.make();
      const all = [bare, ...wraps.map(({ wrap }) => wrap(bare))];
      const forwards = documentOf(all);
      const backwards = documentOf(all, all.map((_, i) => i).reverse());
      for (const [i, schema] of all.entries()) {
        const alone = documentOf([schema]);
        const said = described(alone, 0);
        for (const document of [forwards, backwards]) {
          const there = described(document, i);
          for (const io of ["input", "output"] as const)
            expect(inFull(document, there[io])).toEqual(inFull(alone, said[io]));
        }
        const taken = await hold(forwards, handlerOf(schema, i), i, wireValues, kind.isWider === true);
        expect(taken).toBeGreaterThan(0);
      }
    },
  );
});

describe("generated schemas", () => {
  const layer = fc.array(fc.constantFrom(...wrappers), { maxLength: 3 });
  const schemas = fc
    .array(
      fc.record({ kind: fc.constantFrom(...kinds), layers: fc.array(layer, { minLength: 1, maxLength: 3 }) }),
      {
        minLength: 1,
        maxLength: 3,
      },
    )
    .map((picks) =>
      picks.flatMap(({ kind, layers }) => {
        const bare = kind.make();
        const wrapped = layers.map((wraps) => ({
          name: [kind.name, ...wraps.map(({ name }) => name)].join(" > "),
          isWider: kind.isWider === true,
          schema: wraps.reduce((schema, { wrap }) => wrap(schema), bare),
        }));
        return [{ name: kind.name, isWider: kind.isWider === true, schema: bare }, ...wrapped];
      }),
    );

  test("are described the same alone and among others, in every order", () => {
    fc.assert(
      fc.property(
        schemas.chain((all) =>
          fc.tuple(
            fc.constant(all),
            fc.shuffledSubarray(
              all.map((_, i) => i),
              { minLength: all.length },
            ),
          ),
        ),
        ([all, order]) => {
          const document = documentOf(
            all.map(({ schema }) => schema),
            order,
          );
          for (const [i, { schema }] of all.entries()) {
            const alone = documentOf([schema]);
            const [said, there] = [described(alone, 0), described(document, i)];
            expect(inFull(document, there.input)).toEqual(inFull(alone, said.input));
            expect(inFull(document, there.output)).toEqual(inFull(alone, said.output));
          }
        },
      ),
      { numRuns: rounds({ small: 30, full: 1_000 }) },
    );
  });

  test("are what the server accepts and sends", async () => {
    await fc.assert(
      fc.asyncProperty(
        schemas,
        fc.array(wireValue, { minLength: 30, maxLength: 60 }),
        async (all, values) => {
          const document = documentOf(all.map(({ schema }) => schema));
          for (const [i, { schema, isWider }] of all.entries())
            await hold(
              document,
              handlerOf(schema, i),
              i,
              values,
              isWider || all[i]?.name.includes(" > ") === true,
            );
        },
      ),
      { numRuns: rounds({ small: 30, full: 1_000 }) },
    );
  });
});

// Each value goes through the server with the schemas of several kinds.
const SHARE = rounds({ small: 25, full: 1 });

test("the document that is checked here is the served one", async () => {
  const engine = createEngine().withHandlers(...kinds.map((kind, i) => handlerOf(kind.make(), i)));
  for (const [i, kind] of kinds.entries()) {
    for (const value of wireValues.filter((_, n) => n % SHARE === i % SHARE)) {
      const expected = await serverOf(handlerOf(kind.make(), i))(value);
      const answer = await serveRequest(engine, "POST", `/s${i}`, JSON.stringify(value));
      expect([kind.name, value, answer.status]).toEqual([kind.name, value, expected.status]);
      if (expected.status === 200) expect(answer.decodeJSON()).toEqual(expected.sent);
    }
  }
});
