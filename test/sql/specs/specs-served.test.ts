/** Specs as the bodies of handlers: from a request to rows and back, and what the document says of them. */
import Sqlite from "better-sqlite3";
import { BuildError, ParameterError } from "rowtype";
import { createEngine, POST, UnprocessableEntity } from "rowtype/http";
import { assertStatus, serveRequest, testEngine } from "rowtype/http/testing";
import { sqlite } from "rowtype/sqlite";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { z } from "zod";
import { expectValid } from "../../http/validate-document.js";
import { createPeople, Person, Team } from "../../kit/people.js";
import { expectCost } from "../../stopwatch.js";

const handle = new Sqlite(":memory:");
const db = sqlite(handle);
const people = db.repository(Person);
const specs = people.specs({ fields: ["id", "name", "age", "role"], maxLimit: 3 });

beforeEach(async () => {
  await db.dropTables(Person, Team);
  await createPeople(db as never);
});
afterAll(() => handle.close());

const params = z.record(z.string(), z.unknown()).optional();
const errors = [UnprocessableEntity];

/** The answer, or 422 for values that do not fit. */
async function answer<T>(work: () => Promise<T>) {
  try {
    return await work();
  } catch (error) {
    if (error instanceof BuildError || error instanceof ParameterError)
      return UnprocessableEntity.withDetails({ reason: error.message });
    throw error;
  }
}

const handlers = [
  POST("/all", { body: specs.query }, ({ body }) => people.queryFromSpec(body).exec()),
  POST("/query", { body: specs.query.extend({ params }), errors }, ({ body: { params: values, ...spec } }) =>
    answer(() => people.queryFromSpec(spec).exec(values ?? {})),
  ),
  POST("/select", { body: z.object({ spec: specs.select, params }), errors }, ({ body }) =>
    answer(() => people.selectFromSpec(body.spec).execOrNull(body.params ?? {})),
  ),
  POST("/compound", { body: z.object({ spec: specs.compound, params }), errors }, ({ body }) =>
    answer(() => people.compoundFromSpec(body.spec).exec(body.params ?? {})),
  ),
  POST("/aggregate", { body: z.object({ spec: specs.aggregate, params }), errors }, ({ body }) =>
    answer(() => people.sumFromSpec(body.spec).exec(body.params ?? {})),
  ),
  POST("/modify", { body: z.object({ spec: specs.modify, params }), errors }, ({ body }) =>
    answer(() => people.modifyFromSpec(body.spec).execBatch([body.params ?? {}])),
  ),
  POST("/remove", { body: z.object({ spec: specs.remove, params }), errors }, ({ body }) =>
    answer(() => people.removeFromSpec(body.spec).exec(body.params ?? {})),
  ),
  POST("/insert", { body: z.object({ spec: specs.insert, name: z.string() }), errors }, ({ body }) =>
    answer(async () => {
      const now = new Date(0);
      const record = {
        id: 1,
        email: "new@example.org",
        name: body.name,
        score: 0,
        active: true,
        balance: 0n,
      };
      const stored = await people.insertFromSpec(body.spec).exec({ ...record, tags: [], createdAt: now });
      return { name: stored?.name ?? null, email: stored?.email ?? null };
    }),
  ),
] as const;

const engine = testEngine(...(handlers as unknown as Parameters<typeof testEngine>));
const ask = async (path: string, body: unknown) => {
  const response = await serveRequest(engine, "POST", path, body);
  return { status: response.status, json: response.decodeJSON() as unknown };
};

describe("a spec that is sent", () => {
  test("alone: allowed fields and the default limit", async () => {
    expect(await ask("/all", {})).toEqual({
      status: 200,
      json: [
        { id: 1, name: "Ann", age: 30, role: "admin" },
        { id: 2, name: "bob", age: 20, role: "member" },
        { id: 3, name: "Cy_%*?[x]\\", age: null, role: "guest" },
      ],
    });
    const known = [{ field: "age", operator: "IS NOT NULL" }];
    const last = { fields: ["id"], where: known, order_by: [{ field: "id", direction: "desc" }], limit: 1 };
    expect(await ask("/all", last)).toEqual({ status: 200, json: [{ id: 5 }] });
  });

  test("with its values: conditions, groups, aggregates", async () => {
    const body = {
      fields: ["role", { func: "count", alias: "n" }],
      where: [{ field: "id", operator: "IN", param: "ids" }],
      group_by: ["role"],
      having: [{ field: "n", operator: ">=", param: "least" }],
      order_by: [
        { field: "n", direction: "desc" },
        { field: "role", direction: "asc" },
      ],
      params: { ids: [1, 2, 4, 5], least: 2 },
    };
    expect(await ask("/query", body)).toEqual({
      status: 200,
      json: [
        { role: "admin", n: 2 },
        { role: "member", n: 2 },
      ],
    });
  });

  test("with a limit parameter, whose value is reduced to the maximum", async () => {
    const paged = { fields: ["id"], order_by: [{ field: "id", direction: "asc" }], limit_param: "n" };
    const ids = async (n: unknown, more: object = {}) =>
      (await ask("/query", { ...paged, ...more, params: { n } })).json;
    expect(await ids(2)).toEqual([{ id: 1 }, { id: 2 }]);
    expect(await ids(1_000)).toHaveLength(3);
    expect(await ids(1_000, { limit: 1 })).toEqual([{ id: 1 }]);
    expect(await ids(0)).toEqual([]);
    expect(await ask("/query", { ...paged, params: { n: -1 } })).toMatchObject({ status: 422 });
    expect(await ask("/query", { ...paged, params: { n: "1; DROP TABLE people" } })).toMatchObject({
      status: 422,
    });
  });

  test("one row, a sum, a compound query", async () => {
    const byId = [{ field: "id", operator: "=", param: "id" }];
    expect(await ask("/select", { spec: { fields: ["name"], where: byId }, params: { id: 2 } })).toEqual({
      status: 200,
      json: { name: "bob" },
    });
    expect(await ask("/aggregate", { spec: { field: "age", where: byId }, params: { id: 5 } })).toEqual({
      status: 200,
      json: 41,
    });
    const spec = {
      base: { fields: ["id"] },
      operands: [{ operation: "except", query: { fields: ["id"], where: byId } }],
      order_by: [{ field: "id", direction: "desc" }],
      limit_param: "n",
    };
    expect(await ask("/compound", { spec, params: { id: 5, n: 100 } })).toEqual({
      status: 200,
      json: [{ id: 4 }, { id: 3 }, { id: 2 }],
    });
  });

  test("changes: an update, a removal, an insert with a conflict", async () => {
    const where = [{ field: "id", operator: "IN", param: "ids" }];
    const rename = { set: { name: "name" }, set_expr: { age: { operator: "+", param: "years" } }, where };
    expect(await ask("/modify", { spec: rename, params: { ids: [1, 2], name: "x", years: 1 } })).toEqual({
      status: 200,
      json: 2,
    });
    expect(handle.prepare("SELECT age FROM people WHERE name = 'x' ORDER BY id").all()).toEqual([
      { age: 31 },
      { age: 21 },
    ]);
    expect(await ask("/remove", { spec: { where }, params: { ids: [4, 5] } })).toEqual({
      status: 200,
      json: 2,
    });
    const takeName = { on_conflict: ["id"], conflict_action: "update", conflict_set: { name: "name" } };
    expect(await ask("/insert", { spec: takeName, name: "Anna" })).toEqual({
      status: 200,
      json: { name: "Anna", email: "ann@example.org" },
    });
    const nothing = { on_conflict: ["id"], conflict_action: "nothing" };
    expect(await ask("/insert", { spec: nothing, name: "Zoe" })).toEqual({
      status: 200,
      json: { name: null, email: null },
    });
  });

  test.each([
    ["/all", { fields: ["email"] }, "fields.0"],
    [
      "/query",
      { where: [{ logic: "OR", group: [{ field: "email", is_null: true }] }] },
      "where.0.group.0.field",
    ],
    ["/query", { where: [{ field: "age", operator: "=", param: "a b" }] }, "where.0.param"],
    ["/select", { spec: { order_by: [{ field: "id", direction: "up" }] } }, "spec.order_by.0.direction"],
    [
      "/compound",
      { spec: { base: {}, operands: [{ operation: "union", query: { where: [{ raw: 1 }] } }] } },
      "spec.operands.0.query.where.0.raw",
    ],
    ["/aggregate", { spec: { field: "balance" } }, "spec.field"],
    ["/modify", { spec: { set: { email: "e" }, where: [{ field: "id", is_null: true }] } }, "spec.set.email"],
    ["/remove", { spec: {} }, "spec.where"],
    [
      "/insert",
      { spec: { on_conflict: ["email"], conflict_action: "nothing" }, name: "x" },
      "spec.on_conflict.0",
    ],
  ])("to %s that is invalid is 422 with the path: %j", async (path, body, field) => {
    const { status, json } = await ask(path, body);
    expect(status).toBe(422);
    expect(json).toMatchObject({ code: "VALIDATION_FAILED", details: { fields: expect.any(Array) } });
    const { details } = json as { details: { fields: { field: string }[] } };
    expect(details.fields[0]?.field).toBe(field);
    expect(handle.prepare("SELECT count(*) AS n FROM people").get()).toEqual({ n: 5 });
  });

  test("with 20,000 conditions or 150 levels is 422 in no time", async () => {
    const leaf = { field: "age", operator: "=", param: "p" };
    let deep: object = leaf;
    for (let i = 0; i < 75; i++) deep = { logic: "AND", group: [deep] };
    for (const where of [Array(20_000).fill(leaf), [deep]]) {
      const response = await expectCost(1_000, () => serveRequest(engine, "POST", "/all", { where }));
      assertStatus(response, 422);
    }
  });
});

describe("the document of handlers that take specs", () => {
  const document = createEngine()
    .withOpenAPIInfo({ title: "People", version: "1" })
    .withHandlers(...(handlers as unknown as Parameters<typeof testEngine>))
    .openapi();

  test("is valid", () => expectValid(document));

  /** The schema of a body with its references in place, down to the same one again. */
  function bodyOf(path: string): unknown {
    const { components, paths } = JSON.parse(JSON.stringify(document));
    const inPlace = (node: unknown, open: readonly string[]): unknown => {
      if (Array.isArray(node)) return node.map((one) => inPlace(one, open));
      if (typeof node !== "object" || node === null) return node;
      if ("$ref" in node && typeof node.$ref === "string") {
        const name = node.$ref.replace("#/components/schemas/", "");
        return open.includes(name) ? {} : inPlace(components.schemas[name], [...open, name]);
      }
      return Object.fromEntries(Object.entries(node).map(([key, inner]) => [key, inPlace(inner, open)]));
    };
    return inPlace(paths[path].post.requestBody.content["application/json"].schema, []);
  }

  test.each(["/all", "/query", "/select", "/compound", "/aggregate", "/modify", "/remove", "/insert"])(
    "%s lists the real fields, without hidden ones",
    (path) => {
      const text = JSON.stringify(bodyOf(path));
      for (const field of ["id", "name", "age"]) expect(text).toContain(`"${field}"`);
      expect(text).not.toMatch(/email|balance|bornAt|born_at|settings|photo/);
      expect(text).not.toContain("for_locking");
      expect(text).not.toContain('"~');
    },
  );

  test("describes each key", () => {
    const all = ["id", "name", "age", "role"];
    expect(bodyOf("/all")).toMatchObject({
      type: "object",
      additionalProperties: false,
      properties: {
        fields: { default: all, items: { anyOf: [{ enum: all }, { required: ["func", "alias"] }] } },
        group_by: { items: { enum: all } },
        limit: { type: "integer", minimum: 0, maximum: 3, default: 3 },
        limit_param: { type: "string", pattern: "^[A-Za-z_][A-Za-z0-9_]{0,62}$" },
      },
    });
    expect(bodyOf("/modify")).toMatchObject({
      properties: {
        spec: {
          required: ["where"],
          properties: {
            set: { properties: { name: { type: "string" } }, additionalProperties: false },
            set_expr: {
              properties: { age: { required: ["operator", "param"] } },
              additionalProperties: false,
            },
            where: { minItems: 1 },
          },
        },
      },
    });
    const names = Object.keys(document.components?.schemas ?? {});
    expect(names).toContain("PeopleCondition");
    expect(names).toContain("PeopleQuery");
    expect(names.filter((name) => /^(Schema|__)/.test(name))).toEqual([]);
  });
});
