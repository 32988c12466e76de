/** The document is made once: before `start`, after it, and for every set of handlers that an identity may call. */
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { createEngine, DeclarationError, extractor, GET, identity } from "../../src/http/index.js";
import { serveRequest } from "../../src/http/testing/index.js";
import { expectValid } from "./validate-document.js";

const auth = extractor(() => identity({ id: "1" }), {
  name: "key",
  scheme: { type: "http", scheme: "bearer" },
});
const Item = z.object({ id: z.int() }).meta({ id: "Item" });

/** A schema that counts how often it is described. */
function counted() {
  const schema = z.object({ n: z.int() });
  let count = 0;
  schema._zod.toJSONSchema = () => {
    count++;
    return { type: "object", properties: { n: { type: "integer" } } };
  };
  return { schema, count: () => count };
}

function engine(schema: z.ZodType) {
  return createEngine()
    .withAuthenticator(auth)
    .withHandlers(
      GET("/open", { output: schema }, () => Promise.reject(new Error())),
      GET("/items", { roles: ["reader"], output: z.array(Item) }, () => []),
      GET("/items/{id}", { roles: ["reader", "boss"], output: Item }, () => Promise.reject(new Error())),
      GET("/boss", { roles: ["boss"], output: Item }, () => Promise.reject(new Error())),
    );
}

describe("the document", () => {
  test("is made once before start, and again where the engine has changed", () => {
    const { schema, count } = counted();
    const api = engine(schema);
    const first = api.openapi();
    expect([api.openapi(), api.openapi()]).toEqual([first, first]);
    expect(api.openapi()).toBe(first);
    expect(count()).toBe(1);
    for (const change of [
      () => api.withTag("new"),
      () => api.withSpec({ "x-new": 1 }),
      () => api.withOpenAPIInfo({ title: "New", version: "2" }),
      () => api.withHandlers(GET("/new", () => 1)),
      () => api.withTagGroup("Group", "new"),
    ]) {
      const before = JSON.stringify(api.openapi());
      change();
      expect(JSON.stringify(api.openapi())).not.toBe(before);
    }
    expect(count()).toBe(6);
    api.router();
    expect(JSON.stringify(api.openapi())).toContain('"/new"');
    expect(count()).toBe(6);
  });

  test("for identities is made once for every set of handlers that they may call", async () => {
    const { schema, count } = counted();
    const api = engine(schema);
    const reader = (id: string) => identity({ id, roles: ["reader"] });
    const boss = identity({ id: "3", roles: ["boss"] });
    const read = api.openapi(reader("1"));
    expect(api.openapi(reader("2"))).toBe(read);
    expect(api.openapi(boss)).not.toBe(read);
    expect(Object.keys(api.openapi(boss).paths ?? {})).toEqual(["/open", "/items/{id}", "/boss"]);
    expect(api.openapi(identity({ id: "4", roles: ["boss", "reader"] }))).toBe(api.openapi());
    // The schema is described once for all of them.
    expect(count()).toBe(1);
    await expectValid(read);
    api.withHandlers(GET("/late", { roles: ["reader"] }, () => 1));
    expect(Object.keys(api.openapi(reader("1")).paths ?? {})).toContain("/late");
    expect(read.paths?.["/late"]).toBeUndefined();
  });

  test("that is handed out can be changed; what is served stays", async () => {
    const info = { title: "Mine", version: "1" };
    const api = engine(Item).withOpenAPIInfo(info);
    const document = api.openapi();
    document.paths = {};
    document.info.title = "Changed";
    expect(info.title).toBe("Mine");
    const answer = await serveRequest(api, "GET", "/openapi");
    expect(answer.decodeJSON()).toMatchObject({ info: { title: "Mine" }, paths: { "/open": {} } });
    expect(Object.keys(api.openapi(identity({ id: "1" })).paths ?? {})).toEqual(["/open"]);
  });

  test.each([undefined, identity({ id: "1" })])("that one caller changed is whole for the next", (caller) => {
    const api = engine(z.object({ n: z.int() }));
    const text = JSON.stringify(api.openapi(caller));
    const changes: ((document: ReturnType<typeof api.openapi>) => void)[] = [
      (document) => delete document.paths?.["/open"]?.get?.responses,
      (document) => document.servers?.push({ url: "https://elsewhere.example" }),
      (document) => Object.assign(document.info, { "x-mine": true }),
      (document) => Object.defineProperty(document, "__proto__", { enumerable: true, value: {} }),
    ];
    for (const change of changes) {
      const document = api.openapi(caller);
      change(document);
      expect(JSON.stringify(document)).not.toBe(text);
      expect(JSON.stringify(api.openapi(caller))).toBe(text);
      expect(api.openapi(caller)).toBe(api.openapi(caller));
    }
  });

  test("is refused for a value that is not an identity", () => {
    for (const nonsense of [null, 5, "ann", {}, [], { hasScope: true, hasRole: true }]) {
      expect(() => engine(Item).openapi(nonsense as never)).toThrow(DeclarationError);
    }
  });
});

test("an output that may be absent is null on the wire, and the document says so", async () => {
  const api = createEngine().withHandlers(GET("/x", { output: z.string().optional() }, () => undefined));
  expect((await serveRequest(api, "GET", "/x")).decodeJSON()).toBeNull();
  expect(api.openapi().paths?.["/x"]?.get?.responses).toMatchObject({
    200: { content: { "application/json": { schema: { type: ["string", "null"] } } } },
  });
});
