import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { z as z3 } from "zod/v3";
import {
  Conflict,
  createEngine,
  defineError,
  extractor,
  GET,
  handler,
  identity,
  model,
  NotFound,
  PATCH,
  POST,
  usageLimit,
} from "../../src/http/index.js";
import { nameSchema } from "../../src/schema/names.js";
import { expectBelow, idleCost, stopwatch } from "../stopwatch.js";
import { completeEngine } from "./complete-engine.js";
import { raw } from "./raw.js";
import { ask, listening } from "./serve.js";
import { expectValid } from "./validate-document.js";

const Address = z.object({ street: z.string(), zip: z.string().optional() }).meta({ id: "Address" });
const User = z
  .object({
    id: z.int(),
    email: z.email().describe("where we write to"),
    born: z.date().nullable(),
    balance: z.bigint(),
    avatar: z.instanceof(Uint8Array).optional(),
    role: z.enum(["admin", "member"]).nullable(),
    address: Address,
    plan: z.string().default("free"),
    score: z.number().gt(0).lt(100),
  })
  .meta({ id: "User", examples: [{ id: 1, born: new Date("2024-01-01"), balance: 5n }], owner: "team-x" });
const Category = z.object({
  name: z.string(),
  get children() {
    return z.array(Category);
  },
});
const Shape = z
  .discriminatedUnion("kind", [
    z.object({ kind: z.literal("circle"), r: z.number() }),
    z.object({ kind: z.literal("square"), side: z.number() }).meta({ id: "Square" }),
  ])
  .meta({ id: "Shape" });
const OutOfStock = defineError({
  code: "OUT_OF_STOCK",
  status: 409,
  message: "out of stock",
  details: z.object({ since: z.date() }),
});
const Team = z.object({ id: z.int() });
nameSchema(Team, "Team");

const oauth = extractor(() => identity({ id: "1" }), {
  name: "oauth",
  scheme: {
    type: "oauth2",
    flows: {
      clientCredentials: { tokenUrl: "https://id.example/token", scopes: { read: "", write: "", admin: "" } },
    },
  },
});

const rich = () =>
  createEngine()
    .withAuthenticator(oauth)
    .withOpenAPIInfo({ title: "Rich </script><script>alert(1)</script>", version: "1.2.3" })
    .withTag("users", "People")
    .withTagGroup("Main", "users")
    .withModels(model("Standalone", z.object({ a: z.string() })), model("Team", Team))
    .withSpec({
      externalDocs: { url: "https://docs.example" },
      "x-internal": true,
      paths: { "/legacy": { get: { responses: { "200": { description: "OK" } } } } },
    })
    .withHandlers(
      GET(
        "/users/{id}",
        {
          summary: "One user",
          tags: ["users"],
          path: { id: z.int().describe("its number") },
          output: User,
          errors: [NotFound, Conflict, OutOfStock],
          etag: true,
        },
        () => NotFound,
      ),
      POST(
        "/users",
        {
          status: 201,
          body: User,
          output: User,
          scopes: [["read", "write"], ["admin"]],
          responseHeaders: { Location: "/" },
        },
        () => Promise.reject(),
      ),
      handler(
        "searchUsers",
        "GET",
        "/users",
        {
          query: {
            q: z.string().optional(),
            limit: z.int().min(1).max(100).default(10),
            tags: z.array(z.string()),
            since: z.date().optional(),
            exact: z.boolean(),
          },
          headers: { "X-Trace": z.uuid().optional(), Authorization: z.string() },
          cookies: { sid: z.string() },
          output: z.array(User),
          authentication: "optional",
          deprecated: true,
        },
        () => [],
      ),
      POST("/categories", { body: Category, output: Category }, ({ body }) => body),
      POST("/shapes", { body: Shape, output: z.union([Shape, z.null()]) }, () => null),
      PATCH(
        "/teams/{a}/{b}",
        { body: Team, output: Team.describe("the team"), usageLimits: [usageLimit("calls", () => 1)] },
        ({ body }) => body,
      ),
      POST(
        "/old",
        { body: z3.object({ n: z3.number().int().positive(), t: z3.tuple([z3.string(), z3.date()]) }) },
        () => 1,
      ),
      GET("/anything", () => 1),
    );

/** A value deep in a document, by its keys. */
function at(document: unknown, ...keys: readonly string[]): unknown {
  let value: unknown = document;
  for (const key of keys) {
    value = typeof value === "object" && value !== null ? Reflect.get(value, key) : undefined;
  }
  return value;
}

describe("the document of a rich engine", () => {
  const document = rich().openapi();
  const schemas = at(document, "components", "schemas");

  test("is valid by two independent validators", async () => {
    await expectValid(document);
  });

  test("is the same bytes each time", () => {
    expect(JSON.stringify(rich().openapi())).toBe(JSON.stringify(document));
  });

  test("describes a schema as it travels, without noise", () => {
    expect(at(schemas, "User")).toEqual({
      type: "object",
      properties: {
        id: { type: "integer" },
        email: { type: "string", format: "email", description: "where we write to" },
        born: { type: ["string", "null"], format: "date-time" },
        balance: { type: "string", pattern: "^-?\\d+$" },
        avatar: { type: "string", contentEncoding: "base64" },
        role: { type: ["string", "null"], enum: ["admin", "member", null] },
        address: { $ref: "#/components/schemas/Address" },
        plan: { type: "string", default: "free" },
        score: { type: "number", exclusiveMinimum: 0, exclusiveMaximum: 100 },
      },
      required: ["id", "email", "born", "balance", "role", "address", "plan", "score"],
      examples: [{ id: 1, born: "2024-01-01T00:00:00.000Z", balance: "5" }],
    });
  });

  test("has two components for a schema only where requests and responses differ", () => {
    expect(at(schemas, "UserInput", "required")).not.toContain("plan");
    expect(at(schemas, "AddressInput")).toBeUndefined();
    expect(
      at(document, "paths", "/users", "post", "requestBody", "content", "application/json", "schema"),
    ).toEqual({
      $ref: "#/components/schemas/UserInput",
    });
    expect(
      at(document, "paths", "/users", "post", "responses", "201", "content", "application/json", "schema"),
    ).toEqual({
      $ref: "#/components/schemas/User",
    });
  });

  test("names recursion and the variants of discriminated unions", () => {
    expect(at(schemas, "PostCategoriesBody", "properties", "children", "items")).toEqual({
      $ref: "#/components/schemas/PostCategoriesBody",
    });
    expect(at(schemas, "Shape")).toEqual({
      oneOf: [{ $ref: "#/components/schemas/ShapeCircle" }, { $ref: "#/components/schemas/Square" }],
      discriminator: {
        propertyName: "kind",
        mapping: { circle: "#/components/schemas/ShapeCircle", square: "#/components/schemas/Square" },
      },
    });
  });

  test("lists declared errors and those of the framework, several of one status as oneOf", () => {
    const responses = at(document, "paths", "/users/{id}", "get", "responses");
    expect(Object.keys(responses ?? {})).toEqual(["200", "304", "400", "404", "409", "422", "500"]);
    expect(at(responses, "409", "content", "application/json", "schema")).toEqual({
      oneOf: [{ $ref: "#/components/schemas/Conflict" }, { $ref: "#/components/schemas/OutOfStock" }],
    });
    expect(at(schemas, "OutOfStock")).toEqual({
      type: "object",
      properties: {
        code: { type: "string", const: "OUT_OF_STOCK" },
        message: { type: "string" },
        details: {
          type: "object",
          properties: { since: { type: "string", format: "date-time" } },
          required: ["since"],
        },
      },
      required: ["code", "message", "details"],
    });
    expect(Object.keys(at(document, "paths", "/users", "post", "responses") ?? {})).toEqual([
      "201",
      "401",
      "403",
      "413",
      "415",
      "422",
      "500",
      "503",
    ]);
    expect(Object.keys(at(document, "paths", "/anything", "get", "responses") ?? {})).toEqual(["200", "500"]);
  });

  test("describes parameters by place, with what is required", () => {
    expect(at(document, "paths", "/users", "get", "parameters")).toEqual([
      { name: "q", in: "query", schema: { type: "string" } },
      { name: "limit", in: "query", schema: { type: "integer", minimum: 1, maximum: 100, default: 10 } },
      { name: "tags", in: "query", schema: { type: "array", items: { type: "string" } } },
      { name: "since", in: "query", schema: { type: "string", format: "date-time" } },
      { name: "exact", in: "query", required: true, schema: { type: "boolean" } },
      { name: "X-Trace", in: "header", schema: { type: "string", format: "uuid" } },
      { name: "sid", in: "cookie", required: true, schema: { type: "string" } },
    ]);
    expect(at(document, "paths", "/users/{id}", "get", "parameters")).toEqual([
      { name: "id", in: "path", description: "its number", required: true, schema: { type: "integer" } },
    ]);
    expect(at(document, "paths", "/teams/{a}/{b}", "patch", "parameters")).toHaveLength(2);
  });

  test("names operations, and says who may call them", () => {
    expect(at(document, "paths", "/users/{id}", "get", "operationId")).toBe("getUsersById");
    expect(at(document, "paths", "/users", "get", "operationId")).toBe("searchUsers");
    expect(at(document, "paths", "/users", "get", "deprecated")).toBe(true);
    expect(at(document, "paths", "/users", "post", "security")).toEqual([
      { oauth: ["read", "admin"] },
      { oauth: ["write", "admin"] },
    ]);
    expect(at(document, "paths", "/users", "get", "security")).toEqual([{}, { oauth: [] }]);
    expect(at(document, "components", "securitySchemes", "oauth", "type")).toBe("oauth2");
  });

  test("holds models, tags, tag groups, named tables and what was given by withSpec", () => {
    expect(at(schemas, "Standalone")).toEqual({
      type: "object",
      properties: { a: { type: "string" } },
      required: ["a"],
    });
    expect(at(schemas, "Team")).toBeDefined();
    expect(
      at(
        document,
        "paths",
        "/teams/{a}/{b}",
        "patch",
        "responses",
        "200",
        "content",
        "application/json",
        "schema",
      ),
    ).toEqual({ $ref: "#/components/schemas/Team", description: "the team" });
    expect(document.tags).toEqual([{ name: "users", description: "People" }]);
    expect(document["x-tagGroups"]).toEqual([{ name: "Main", tags: ["users"] }]);
    expect(document).toMatchObject({ "x-internal": true, externalDocs: { url: "https://docs.example" } });
    expect(at(document, "paths", "/legacy", "get")).toBeDefined();
    expect(document.servers).toEqual([{ url: "." }]);
  });

  test("for an identity holds what it may call", () => {
    const paths = (scopes: string[]) => rich().openapi(identity({ id: "1", scopes })).paths;
    expect(at(paths(["read"]), "/users", "post")).toBeUndefined();
    expect(at(paths(["read", "admin"]), "/users", "post")).toBeDefined();
    expect(at(paths([]), "/users", "get")).toBeDefined();
  });
});

describe("names", () => {
  test("of two schemas that differ never collide; those that say the same are one", async () => {
    const document = createEngine()
      .withHandlers(
        GET("/a", { output: z.object({ a: z.string() }).meta({ id: "Thing" }) }, () => ({ a: "" })),
        GET("/b", { output: z.object({ b: z.string() }).meta({ id: "Thing" }) }, () => ({ b: "" })),
        GET("/c", { output: z.object({ a: z.string() }).meta({ id: "Thing" }) }, () => ({ a: "" })),
        GET(
          "/d",
          { output: z.object({ x: z.string() }).meta({ id: "NotFound" }), errors: [NotFound] },
          () => NotFound,
        ),
        GET("/e", { output: z.object({}).meta({ id: "a/b c~d" }) }, () => ({})),
      )
      .openapi();
    await expectValid(document);
    expect(Object.keys(at(document, "components", "schemas") ?? {})).toEqual([
      "InternalServerError",
      "NotFound",
      "NotFound2",
      "Thing",
      "Thing2",
      "a_b_c_d",
    ]);
    const ref = (path: string) =>
      at(document, "paths", path, "get", "responses", "200", "content", "application/json", "schema", "$ref");
    expect([ref("/a"), ref("/b"), ref("/c")].map((text) => String(text).split("/").at(-1))).toEqual([
      "Thing",
      "Thing2",
      "Thing",
    ]);
  });

  test("two calls of withSpec are merged", () => {
    const document = createEngine()
      .withSpec({ components: { schemas: { A: true, B: true } }, "x-a": [1], "x-b": [1] })
      .withSpec({ components: { schemas: { B: false, C: true } }, "x-b": [2] })
      .openapi();
    expect(document.components?.schemas).toEqual({ A: true, B: false, C: true });
    expect([document["x-a"], document["x-b"]]).toEqual([[1], [2]]);
  });

  test("a model is called as its program calls it, whatever names its schema has", () => {
    const Member = z.object({ id: z.int() });
    nameSchema(Member, "Members");
    const Old = z3.object({ at: z3.date(), left: z3.number().optional() });
    const document = createEngine()
      .withModels(model("Person", Member), model("Human", Member), model("Old", Old))
      .withHandlers(GET("/a", { output: z.array(Member) }, () => []))
      .openapi();
    expect(at(document, "components", "schemas", "Person", "properties")).toEqual({
      id: { type: "integer" },
    });
    expect(at(document, "components", "schemas", "Human")).toEqual({ $ref: "#/components/schemas/Person" });
    expect(at(document, "components", "schemas", "Members")).toBeUndefined();
    expect(at(document, "components", "schemas", "Old")).toMatchObject({
      type: "object",
      properties: { at: { type: "string", format: "date-time" }, left: { type: "number" } },
      required: ["at"],
    });
    const output = at(document, "paths", "/a", "get", "responses", "200", "content", "application/json");
    expect(output).toEqual({ schema: { type: "array", items: { $ref: "#/components/schemas/Person" } } });
  });

  test("row 118: five thousand models are described once, in a moment", async () => {
    const measure = () => {
      const models = Array.from({ length: 5_000 }, (_, i) =>
        model(`M${i}`, z.object({ a: z.string(), b: z.array(z.int()) })),
      );
      const engine = createEngine().withModels(...models);
      const elapsed = stopwatch();
      const document = engine.openapi();
      const took = elapsed();
      expect(Object.keys(at(document, "components", "schemas") ?? {})).toHaveLength(5_000);
      return idleCost(took);
    };
    await expectBelow(2_000, measure);
  });
});

describe("served", () => {
  test("as JSON, and as YAML by Accept and at its own path", async () => {
    const url = await listening(rich());
    const json = await ask(`${url}/openapi`);
    expect([json.status, json.headers.get("content-type")]).toEqual([200, "application/json; charset=utf-8"]);
    expect(json.json).toEqual(JSON.parse(JSON.stringify(rich().openapi())));
    for (const [path, accept] of [
      ["/openapi", "application/yaml"],
      ["/openapi", "text/yaml, application/json;q=0.5"],
      ["/openapi.yaml", "*/*"],
    ] as const) {
      const yaml = await ask(url + path, { headers: { accept } });
      expect(yaml.headers.get("content-type")).toBe("application/yaml; charset=utf-8");
      expect(yaml.text).toMatch(/^openapi: /);
    }
    expect(
      (await ask(`${url}/openapi`, { headers: { accept: "application/json, application/yaml" } })).json,
    ).toBeDefined();
  });

  test.each<[string, "json" | "yaml"]>([
    ["", "json"],
    ["Accept: */*", "json"],
    ["Accept: application/*", "json"],
    ["Accept: text/html", "json"],
    ["Accept: text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8", "json"],
    ["Accept: application/yaml;q=0", "json"],
    ["Accept: application/yaml;q=0.5, */*", "json"],
    ["Accept: application/json;q=0.9, application/yaml", "yaml"],
    ["Accept: application/yaml, */*;q=0.1", "yaml"],
    ["Accept: application/yaml, application/json", "yaml"],
    ["Accept: APPLICATION/YAML", "yaml"],
    ["Accept: application/yaml; charset=utf-8", "yaml"],
    ["Accept: application/vnd.oai.openapi;version=3.1", "yaml"],
    ["Accept: application/vnd.oai.openapi+json;version=3.1", "json"],
    ["Accept: garbage,,;", "json"],
    ["Accept: application/yaml\r\nAccept: application/json;q=0.5", "yaml"],
  ])("%j is answered in %s", async (header, format) => {
    const { port } = new URL(await listening(rich()));
    const lines = [
      "GET /openapi HTTP/1.1",
      "Host: a",
      "Connection: close",
      ...(header === "" ? [] : [header]),
    ];
    const answer = await raw(Number(port), `${lines.join("\r\n")}\r\n\r\n`);
    expect(answer).toContain(`Content-Type: application/${format}; charset=utf-8`);
  });

  test("row 79: the page holds nothing of the document, loads nothing from elsewhere and forbids it", async () => {
    const url = await listening(rich());
    const page = await ask(`${url}/docs`);
    expect(page.headers.get("content-type")).toBe("text/html; charset=utf-8");
    expect(page.text).not.toContain("Rich");
    expect(page.text).not.toMatch(/https?:/);
    const policy = page.headers.get("content-security-policy") ?? "";
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("script-src 'self';");
    const init = await ask(`${url}/docs/init.js`);
    expect(init.text).toContain("queryConfigEnabled: false");
    expect((await ask(`${url}/docs/swagger-ui-bundle.js`)).headers.get("content-type")).toContain(
      "javascript",
    );
    expect((await ask(`${url}/docs/swagger-ui.css`)).status).toBe(200);
  });

  test("row 80: the page can be removed, page and document can be guarded", async () => {
    const removed = await listening(createEngine({ docs: false }));
    expect([(await ask(`${removed}/docs`)).status, (await ask(`${removed}/docs/init.js`)).status]).toEqual([
      404, 404,
    ]);
    const guarded = await listening(
      createEngine({ docs: { authentication: true } }).withAuthenticator(() => null),
    );
    for (const path of ["/docs", "/docs/init.js", "/openapi", "/openapi.yaml"]) {
      expect((await ask(guarded + path)).status).toBe(401);
    }
  });
});

test("an engine that uses none of the newer words has the document that it had before them, to the byte", () => {
  // That of the commit before the first kind.
  const before = "363a97fb7aca993a991b31f0f02846346fb760a9141eef1e2dab819f636e6ad6";
  expect(createHash("sha256").update(JSON.stringify(completeEngine().openapi())).digest("hex")).toBe(before);
});
