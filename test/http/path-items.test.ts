/** Templates that differ only in the names of parameters are one path: one path item of the document, whoever gave it. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { createClient } from "../../src/http/client/index.js";
import {
  createEngine,
  DELETE,
  GET,
  type Handler,
  handler,
  type Method,
  POST,
  PUT,
} from "../../src/http/index.js";
import { mockIdentity } from "../../src/http/testing/index.js";
import type { OpenAPI, Parameter, Paths } from "../../src/openapi/index.js";
import { listening } from "./serve.js";
import { expectValid } from "./validate-document.js";

/** What two templates of one path have in common. */
const form = (path: string) => decodeURIComponent(path.replace(/\{[^}]*\}/g, "{}"));
const namesIn = (path: string) => [...path.matchAll(/\{([^}]*)\}/g)].map(([, name]) => name ?? "");

/** The path parameters of each operation, those of its path item included. */
function* operations(document: OpenAPI) {
  for (const [path, item] of Object.entries(document.paths ?? {})) {
    const shared = (item?.parameters ?? []) as Parameter[];
    for (const method of ["get", "put", "post", "delete", "patch", "head"] as const) {
      const operation = item?.[method];
      if (operation === undefined) continue;
      const all = [...shared, ...((operation.parameters ?? []) as Parameter[])];
      const inPath = all.filter((one) => "in" in one && one.in === "path");
      yield { path, method, operation, names: inPath.map(({ name }) => name), parameters: inPath };
    }
  }
}

describe("paths of one form", () => {
  test("are one path item, its parameters named by the first template", async () => {
    const engine = createEngine().withHandlers(
      GET("/users/{id}", { path: { id: z.int() }, tags: ["users"] }, () => 1),
      DELETE("/users/{userId}", { status: 204, path: { userId: z.int().min(1) }, tags: ["users"] }, () => {}),
      PUT("/users/{name}", () => 1),
      GET("/a/{x}/{y}", () => 1),
      // The names change places.
      POST("/a/{y}/{x}", { path: { x: z.int(), y: z.boolean() }, query: { x: z.string() } }, () => 1),
      handler("shops", "GET", "/caf%C3%A9/{id}", {}, () => 1),
      POST("/café/{shop}", () => 1),
    );
    const document = engine.openapi();
    await expectValid(document);
    expect(Object.keys(document.paths ?? {})).toEqual(["/users/{id}", "/a/{x}/{y}", "/caf%C3%A9/{id}"]);
    const users = document.paths?.["/users/{id}"];
    expect(Object.keys(users ?? {})).toEqual(["get", "delete", "put"]);
    expect(users?.delete).toMatchObject({
      operationId: "deleteUsersByUserId",
      tags: ["users"],
      parameters: [{ name: "id", in: "path", required: true, schema: { type: "integer", minimum: 1 } }],
    });
    expect(users?.put?.parameters).toMatchObject([{ name: "id", in: "path" }]);
    expect(document.paths?.["/a/{x}/{y}"]?.post?.parameters).toMatchObject([
      { name: "y", in: "path", schema: { type: "integer" } },
      { name: "x", in: "path", schema: { type: "boolean" } },
      { name: "x", in: "query" },
    ]);
  });

  test("are called as they were declared", async () => {
    const api = createEngine().withHandlers(
      GET("/users/{id}", { path: { id: z.int() }, output: z.int() }, ({ params }) => params.path.id),
      PUT(
        "/users/{userId}",
        { path: { userId: z.int() }, output: z.int() },
        ({ params }) => params.path.userId,
      ),
    );
    const client = createClient<typeof api>(await listening(api));
    expect((await client.GET("/users/{id}", { path: { id: 1 } })).data).toBe(1);
    expect((await client.PUT("/users/{userId}", { path: { userId: 2 } })).data).toBe(2);
  });

  test("are one with what withSpec gives for them, by reference too", async () => {
    const described = (name: string) =>
      ({ name, in: "path", required: true, schema: { type: "string" } }) as const;
    const engine = createEngine()
      .withHandlers(GET("/users/{id}", () => 1))
      .withSpec({
        components: {
          parameters: { Key: described("key"), Page: { name: "page", in: "query", schema: {} } },
        },
        paths: {
          "/users/{key}": {
            summary: "first",
            parameters: [{ $ref: "#/components/parameters/Page" }],
            put: {
              parameters: [{ $ref: "#/components/parameters/Key" }],
              responses: { "200": { description: "put" } },
            },
          },
          "/only/{a}": { get: { parameters: [described("a")], responses: { "200": { description: "a" } } } },
        },
      })
      .withSpec({
        paths: {
          "/users/{user}": {
            summary: "second",
            head: { parameters: [described("user")], responses: { "200": { description: "head" } } },
          },
          "/only/{b}": { put: { parameters: [described("b")], responses: { "200": { description: "b" } } } },
        },
      });
    const document = engine.openapi();
    await expectValid(document);
    expect(
      Object.keys(document.paths ?? {})
        .map(form)
        .sort(),
    ).toEqual(["/only/{}", "/users/{}"]);
    const users = document.paths?.["/users/{id}"];
    expect(users).toMatchObject({
      summary: "second",
      parameters: [{ $ref: "#/components/parameters/Page" }],
      put: { parameters: [{ name: "id" }] },
      head: { parameters: [{ name: "id" }] },
    });
    for (const { path, names } of operations(document)) expect(names).toEqual(namesIn(path));
  });

  test("are shown to an identity under the names of the whole document, without a trace of hidden ones", () => {
    const engine = createEngine()
      .withHandlers(
        GET("/users/{hidden}", { scopes: ["admin"] }, () => 1),
        DELETE("/users/{id}", { status: 204 }, () => {}),
        GET("/secrets/{a}", { scopes: ["admin"] }, () => 1),
      )
      .withSpec({
        paths: {
          "/users/{other}": { get: { description: "for admins", responses: {} }, put: { responses: {} } },
          "/secrets/{b}": { summary: "for admins", get: { description: "for admins", responses: {} } },
        },
      });
    const part = engine.openapi(mockIdentity());
    expect(JSON.stringify(part)).not.toContain("for admins");
    expect(Object.keys(part.paths ?? {})).toEqual(["/users/{hidden}"]);
    const whole = engine.openapi().paths?.["/users/{hidden}"];
    expect(part.paths?.["/users/{hidden}"]?.delete).toEqual(whole?.delete);
    expect(JSON.stringify(whole)).toContain("for admins");
  });

  test("are one whatever the templates, the order and the names", () => {
    const segment = fc.oneof(
      fc.constantFrom("a", "b", "caf%C3%A9", "café"),
      fc.constantFrom("x", "y", "z", "w").map((name) => ({ name })),
    );
    const template = fc
      .uniqueArray(segment, { minLength: 1, maxLength: 3, selector: (one) => JSON.stringify(one) })
      .map((all) => `/${all.map((one) => (typeof one === "string" ? one : `{${one.name}}`)).join("/")}`);
    const method = fc.constantFrom<Method>("GET", "PUT", "POST", "DELETE");
    const pairs = fc.uniqueArray(fc.tuple(method, template), {
      minLength: 1,
      maxLength: 12,
      selector: ([method, path]) => `${method} ${form(path)}`,
    });
    fc.assert(
      fc.property(pairs, fc.array(template, { maxLength: 4 }), (declared, given) => {
        const paths: Paths = {};
        for (const path of given) {
          const parameters = namesIn(path).map(
            (name) => ({ name, in: "path", required: true, schema: {} }) as const,
          );
          paths[path as `/${string}`] = { patch: { parameters, responses: {} } };
        }
        const handlers = declared.map(([method, path]) => {
          // Each parameter is described by its name in the handler.
          const fields = namesIn(path).map((name) => [
            name,
            z.string().describe(`${method} ${path} ${name}`),
          ]);
          return handler(
            `${method} ${path}`,
            method,
            path,
            { path: Object.fromEntries(fields) },
            () => 1,
          ) as Handler;
        });
        const document = createEngine()
          .withHandlers(...handlers)
          .withSpec({ paths })
          .openapi();
        const listed = Object.keys(document.paths ?? {});
        expect(new Set(listed.map(form)).size).toBe(listed.length);
        const found = [...operations(document)];
        for (const { path, names } of found) expect([...names].sort()).toEqual([...namesIn(path)].sort());
        for (const [method, path] of declared) {
          const one = found.find((at) => form(at.path) === form(path) && at.method.toUpperCase() === method);
          // The same place of the path has the same description, whatever it is called.
          const ordered = namesIn(one?.path ?? "").map((name) =>
            one?.parameters.find((at) => at.name === name),
          );
          expect(ordered.map((at) => at?.description)).toEqual(
            namesIn(path).map((name) => `${method} ${path} ${name}`),
          );
        }
        for (const path of given) {
          expect(found.some((at) => form(at.path) === form(path) && at.method === "patch")).toBe(true);
        }
      }),
      { numRuns: 150 },
    );
  });
});
