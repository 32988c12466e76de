/** Calls of the package that work: tests replace one argument of a call, or one part of an argument, at a time. */
import Sqlite from "better-sqlite3";
import { c, table } from "rowtype";
import { createEngine, GET } from "rowtype/http";
import { memoryStore } from "rowtype/http/session";
import { recording } from "rowtype/testing";
import { z } from "zod";

export const User = table("users", z.object({ id: z.int(), name: z.string() }));
const handlerOf = () => GET("/x", () => ({ ok: true }));
export const oauth = {
  clientId: "c",
  clientSecret: "s",
  redirectUri: "https://a.example/cb",
  scopes: ["openid"],
  authorizationEndpoint: "https://a.example/auth",
  tokenEndpoint: "https://a.example/token",
  fetch: async () => new Response("{}", { headers: { "content-type": "application/json" } }),
};
const unreachable = async () => {
  throw new Error("there is no server");
};
export const engine = () => createEngine().withHandlers(handlerOf());

/** Calls that work: `subpath export` to the arguments of each. */
export const rightCalls: Readonly<Record<string, () => readonly unknown[]>> = {
  ". column": () => [
    z.string(),
    { name: "a", type: "text", unique: true, default: "1", index: "i", check: "a" },
  ],
  ". json": () => [z.string()],
  ". vector": () => [3],
  ". table": () => [
    "t",
    z.object({ a: z.int(), b: z.int() }),
    { schema: "s", primaryKey: ["a"], unique: [["b"]] },
  ],
  ". ddl": () => [User, "sqlite"],
  ". toDbml": () => [User, User],
  ". toMermaid": () => [User],
  ". on": () => ["db.query.started", () => undefined],
  ". c": () => ["id", "=", "id"],
  ". and": () => [c("id", "=", "id"), c("id", ">", "min")],
  "./postgres postgres": () => [
    { query: unreachable, connect: unreachable },
    { prepare: true, retries: 1 },
  ],
  "./mariadb mariadb": () => [{ getConnection: unreachable }, { maxPreparedStatements: 5, retries: 1 }],
  "./oracle oracle": () => [{ getConnection: unreachable }, { retries: 1 }],
  "./sqlite sqlite": () => [new Sqlite(":memory:"), { retries: 1 }],
  "./testing recording": () => ["postgres", [[{ id: 1, name: "Ann" }]]],
  "./http createEngine": () => [
    { maxBodySize: 5, timeouts: { headersMs: 5 }, onError: () => undefined, docs: { authentication: true } },
  ],
  "./http defineError": () => [
    { code: "X", status: 409, message: "x", details: z.object({ a: z.string() }) },
  ],
  "./http on": () => ["http.request.received", () => undefined],
  ...Object.fromEntries(
    ["GET", "POST", "PUT", "PATCH", "DELETE"].map((method) => [
      `./http ${method}`,
      () => [
        "/x/{id}",
        {
          path: { id: z.int() },
          query: { q: z.string() },
          output: z.object({ a: z.string() }),
          errors: [],
          tags: ["a"],
          middleware: [],
          status: 200,
          authentication: true,
          scopes: ["a"],
          roles: ["a"],
          usageLimits: [],
          description: "a",
          summary: "s",
        },
        () => ({ a: "a" }),
      ],
    ]),
  ),
  "./http handler": () => ["name", "GET", "/x", {}, () => ({})],
  "./http handlers": () => [handlerOf(), handlerOf()],
  "./http stream": () => ["GET", "/s", { events: { a: z.string() }, heartbeatMs: 5 }, async () => undefined],
  "./http enrich": () => [async () => null, () => null],
  "./http extractor": () => [async () => null, { name: "n", scheme: { type: "http", scheme: "bearer" } }],
  "./http identity": () => [
    { id: "i", scopes: ["a"], roles: ["b"], stats: { a: 1 }, email: "e", tenantId: "t" },
  ],
  "./http usageLimit": () => ["stat", () => 5],
  "./http model": () => ["Name", z.object({ a: z.string() })],
  "./http/client createClient": () => ["https://a.example", { fetch: oauth.fetch, headers: { a: "b" } }],
  "./http/jwt jwtExtractor": () => [
    {
      domain: "a.example",
      audience: ["a"],
      rolesClaim: "r",
      scopesClaim: "s",
      tenantClaim: "t",
      issuer: "i",
      jwksUri: "https://a.example/k",
      algorithms: ["RS256"],
      clockToleranceS: 5,
      timeoutMs: 5,
      cooldownMs: 5,
      cacheMaxAgeMs: 5,
      fetch: oauth.fetch,
    },
  ],
  "./http/oauth refreshToken": () => [oauth, "token"],
  "./http/session memoryStore": () => [{ maxLogins: 5, maxSessions: 5 }],
  "./http/session sessions": () => [
    {
      oauth,
      store: memoryStore(),
      cookie: { signKey: "0123456789abcdef0123456789abcdef" },
      resolve: () => ({ userId: "u" }),
      afterLogin: "/",
      lifetimes: { idleMs: 5, absoluteMs: 5, loginMs: 5 },
      storeTimeoutMs: 5,
      resolveTimeoutMs: 5,
    },
  ],
  "./http/session/sql sqlStore": () => [recording("sqlite"), { maxLogins: 5 }],
  "./http/testing testEngine": () => [handlerOf()],
  "./http/testing serveRequest": () => [engine(), "GET", "/x", { a: 1 }],
  "./http/testing serveRequestWithHeaders": () => [engine(), "GET", "/x", { a: "b" }, { a: 1 }],
  "./http/testing assertStatus": () => [{ status: 200, text: () => "", decodeJSON: () => ({}) }, 200],
  "./http/testing assertErrorCode": () => [
    { status: 200, text: () => "", decodeJSON: () => ({ code: "A" }) },
    "A",
  ],
  "./openapi fromJSON": () => ['{"openapi":"3.1.0"}', { onProblem: () => undefined }],
  "./openapi fromYAML": () => ["openapi: 3.1.0", { onProblem: () => undefined }],
  "./openapi toJSON": () => [{ openapi: "3.1.0", info: { title: "t", version: "1" } }, { indent: 2 }],
  "./openapi toYAML": () => [{ openapi: "3.1.0", info: { title: "t", version: "1" } }],
};
