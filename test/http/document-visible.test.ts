import { describe, expect, test } from "vitest";
import { z } from "zod";
import { createEngine, defineError, extractor, GET, handler, identity, POST } from "../../src/http/index.js";
import { expectBelow, idleCost, stopwatch } from "../stopwatch.js";
import { expectValid } from "./validate-document.js";

const oauth = extractor(() => identity({ id: "1" }), {
  name: "oauth",
  scheme: {
    type: "oauth2",
    flows: {
      clientCredentials: {
        tokenUrl: "https://id.example/token",
        scopes: { read: "reading", "zz-scope": "zz" },
      },
    },
  },
});
const User = z.object({ id: z.int(), nick: z.string().default("") }).meta({ id: "User" });

// Everything that only a hidden handler uses has this in its name.
const secret = /zz/i;
const ZzError = defineError({
  code: "ZZ_ERROR",
  status: 418,
  message: "zz",
  details: z.object({ zz: z.int() }),
});
const hidden = {
  tags: ["zz-tag", "shared"],
  summary: "zz",
  description: "zz",
  body: User.extend({ zz: z.string() }).meta({ id: "ZzUser" }),
  output: z.object({ user: User, zz: z.date() }).meta({ id: "ZzOutput" }),
  errors: [ZzError],
  responseHeaders: { "X-Zz": "1" },
  query: { zz: z.int() },
} as const;

const engine = () =>
  createEngine()
    .withAuthenticator(oauth)
    .withTag("shared", "of both")
    .withTag("zz-tag", "zz")
    .withTag("unused", "of nobody")
    .withTagGroup("Main", "shared", "zz-tag")
    .withTagGroup("Zz", "zz-tag")
    .withSpec({
      tags: [{ name: "zz-tag", externalDocs: { url: "https://zz.example" } }, { name: "more" }],
      paths: {
        "/zz": { summary: "zz" },
        "/users": { description: "both", post: { description: "zz", responses: {} } },
        "/zz-roles": { parameters: [{ name: "zz", in: "query", schema: { type: "string" } }] },
        "/legacy": { get: { responses: { "200": { description: "OK" } } } },
      },
    })
    .withHandlers(
      POST("/users", { ...hidden, scopes: ["zz-scope"] }, ({ body, params }) => ({
        user: body,
        zz: new Date(params.query.zz),
      })),
      handler("zz", "POST", "/zz", { ...hidden, scopes: [["read"], ["zz-scope"]] }, ({ body }) => ({
        user: body,
        zz: new Date(),
      })),
      handler("zz", "GET", "/zz-roles", { roles: ["zz-role"], output: z.array(hidden.body) }, () => []),
      GET("/users", { tags: ["shared"], scopes: ["read"], output: z.array(User) }, () => []),
      GET("/open", { authentication: "optional" }, () => 1),
    );

describe("the document for an identity", () => {
  const reader = identity({ id: "1", scopes: ["read"] });

  test("does not reveal hidden handlers", async () => {
    expect(JSON.stringify(engine().openapi())).toMatch(secret);
    const document = engine().openapi(reader);
    const text = JSON.stringify(document);
    expect(text.match(secret)).toBeNull();
    // A schema is split in two only where a hidden handler takes it.
    expect(Object.keys(document.components?.schemas ?? {})).toEqual([
      "Forbidden",
      "InternalServerError",
      "ServiceUnavailable",
      "Unauthorized",
      "User",
    ]);
    expect(document.tags).toEqual([
      { name: "shared", description: "of both" },
      { name: "unused", description: "of nobody" },
      { name: "more" },
    ]);
    expect(document["x-tagGroups"]).toEqual([{ name: "Main", tags: ["shared"] }]);
    expect(Object.keys(document.paths ?? {}).sort()).toEqual(["/legacy", "/open", "/users"]);
    expect(document.paths?.["/users"]).toMatchObject({ description: "both", get: {} });
    expect(document.components?.securitySchemes?.["oauth"]).toMatchObject({
      flows: { clientCredentials: { scopes: { read: "reading" } } },
    });
    await expectValid(document);
  });

  test("is the whole document for who may call everything, and leaves the engine's own as it was", () => {
    const api = engine();
    const whole = JSON.stringify(api.openapi());
    const all = identity({ id: "1", scopes: ["read", "zz-scope"], roles: ["zz-role"] });
    expect(JSON.stringify(api.openapi(all))).toBe(whole);
    api.openapi(reader);
    expect(JSON.stringify(api.openapi())).toBe(whole);
  });
});

test("300 handlers with schemas of their own are described in under 200 ms, and once", async () => {
  const measure = () => {
    const api = createEngine().withHandlers(...manyHandlers());
    api.router();
    const elapsed = stopwatch();
    const document = api.openapi();
    const took = elapsed();
    expect(Object.keys(document.paths ?? {})).toHaveLength(300);
    expect(api.openapi()).toBe(document);
    return idleCost(took);
  };
  await expectBelow(200, measure, { attempts: 10 });
});

function manyHandlers() {
  return Array.from({ length: 300 }, (_, i) => {
    const item = z
      .object({
        id: z.int(),
        name: z.string().max(i + 1),
        at: z.date(),
        tags: z.array(z.string()),
        role: z.enum(["a", "b"]),
      })
      .meta({ id: `Item${i}` });
    return POST(
      `/r${i}/{id}`,
      {
        path: { id: z.int() },
        query: { q: z.string().optional() },
        body: item.omit({ id: true }),
        output: item,
      },
      ({ body }) => ({ ...body, id: i }),
    );
  });
}
