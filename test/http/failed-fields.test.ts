/** A 422 names at most fifty fields, the first ones, wherever they are and however many fail. */
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { z as z3 } from "zod/v3";
import { form, GET, type Handler, type Identity, multipart, POST } from "../../src/http/index.js";
import { serveRequestWithHeaders, testEngine } from "../../src/http/testing/index.js";

const MOST = 50;
const counts = [1, 2, 49, 50, 51, 150];
const names = (count: number) => Array.from({ length: count }, (_, i) => `f${i}`);

interface Failed {
  readonly details: { readonly fields: readonly { readonly field: string; readonly in?: string }[] };
}

async function failedOf(
  handler: Handler<string, string, unknown, Identity>,
  path: string,
  headers: Readonly<Record<string, string>> = {},
  body?: unknown,
) {
  const engine = testEngine(handler as Handler);
  const answer = await serveRequestWithHeaders(engine, handler.method, path, headers, body);
  expect(answer.status).toBe(422);
  const { fields } = (answer.decodeJSON() as Failed).details;
  return fields.map(({ field, in: place }) => (place === undefined ? field : `${place} ${field}`));
}

const first = (all: readonly string[]) => all.slice(0, MOST);

describe.each(counts)("of %i that fail", (count) => {
  test.each([
    ["Zod 4", z],
    // The methods that are used here have the same names; the compiler sees two libraries.
    ["Zod 3", z3 as unknown as typeof z],
  ] as const)("the first fifty are named in order, in objects and lists of %s", async (_version, zod) => {
    const asked = names(count);
    const object = zod.object(Object.fromEntries(asked.map((name) => [name, zod.number()])));
    const bad = Object.fromEntries(asked.map((name) => [name, "x"]));
    expect(
      await failedOf(
        POST("/x", { body: object }, () => 1),
        "/x",
        {},
        bad,
      ),
    ).toEqual(first(asked));
    expect(
      await failedOf(
        POST("/x", { body: zod.object({ deep: object }) }, () => 1),
        "/x",
        {},
        { deep: bad },
      ),
    ).toEqual(first(asked.map((name) => `deep.${name}`)));
    const list = zod.array(zod.number());
    const items = asked.map(() => "x");
    expect(
      await failedOf(
        POST("/x", { body: list }, () => 1),
        "/x",
        {},
        items,
      ),
    ).toEqual(first(asked.map((_, i) => String(i))));
  });

  test("and of a long list, whose rest is not looked at", async () => {
    const items = Array.from({ length: 5_000 }, (_, i) => (i < 5_000 - count ? i : "x"));
    expect(
      await failedOf(
        POST("/x", { body: z.array(z.int()) }, () => 1),
        "/x",
        {},
        items,
      ),
    ).toEqual(first(Array.from({ length: count }, (_, i) => String(5_000 - count + i))));
  });

  test.each(["a form of pairs", "a form of parts"])("and of %s, in whose order they are", async (kind) => {
    const isOfParts = kind === "a form of parts";
    // It has at most a hundred.
    const asked = names(isOfParts ? Math.min(count, 100) : count);
    const data = isOfParts ? new FormData() : new URLSearchParams();
    for (const name of asked) data.append(name, "x");
    const shape = Object.fromEntries(asked.map((name) => [name, z.int()]));
    const body = isOfParts ? multipart(shape) : form(shape);
    expect(
      await failedOf(
        POST("/x", { body }, () => 1),
        "/x",
        {},
        data,
      ),
    ).toEqual(first(asked));
  });

  test("and of parameters, those of the path first, then query, headers and cookies", async () => {
    const asked = names(count);
    const shape = Object.fromEntries(asked.map((name) => [name, z.int()]));
    const pairs = (between: string) => asked.map((name) => `${name}=x`).join(between);
    expect(
      await failedOf(
        GET("/x", { query: shape }, () => 1),
        `/x?${pairs("&")}`,
      ),
    ).toEqual(first(asked.map((name) => `query ${name}`)));
    const headers = Object.fromEntries(asked.map((name) => [name, "x"]));
    expect(
      await failedOf(
        GET("/x", { headers: shape }, () => 1),
        "/x",
        headers,
      ),
    ).toEqual(first(asked.map((name) => `header ${name}`)));
    const all = GET(
      "/{id}/x",
      { path: { id: z.int() }, query: shape, headers: shape, cookies: shape },
      () => 1,
    );
    expect(await failedOf(all, `/a/x?${pairs("&")}`, { ...headers, cookie: pairs("; ") })).toEqual(
      first([
        "path id",
        ...asked.map((name) => `query ${name}`),
        ...asked.map((name) => `header ${name}`),
        ...asked.map((name) => `cookie ${name}`),
      ]),
    );
  });
});

test("the path to a field is cut after fifty steps, and its text after two hundred characters", async () => {
  interface Nested {
    next?: Nested | undefined;
    /** One letter: fifty steps by it are a text that is not cut. */
    m?: Nested | undefined;
    n: number;
  }
  const deep: z.ZodType<Nested> = z.object({
    n: z.number(),
    next: z.lazy(() => deep.optional()),
    m: z.lazy(() => deep.optional()),
  });
  for (const step of ["next", "m"])
    for (const depth of [48, 49, 50, 51, 150]) {
      let body: unknown = { n: "x" };
      for (let i = 0; i < depth; i++) body = { n: 1, [step]: body };
      const steps = [...Array.from({ length: depth }, () => step), "n"].slice(0, 50);
      const [field = ""] = await failedOf(
        POST("/x", { body: deep }, () => 1),
        "/x",
        {},
        body,
      );
      const whole = steps.join(".");
      expect(field).toBe(whole.length > 200 ? `${whole.slice(0, 199)}…` : whole);
    }
  const record = POST("/x", { body: z.record(z.string(), z.int()) }, () => 1);
  for (const length of [199, 200, 201, 5_000]) {
    const [field = ""] = await failedOf(record, "/x", {}, { ["k".repeat(length)]: "x" });
    expect(field).toBe(length > 200 ? `${"k".repeat(199)}…` : "k".repeat(length));
  }
});
