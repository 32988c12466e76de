import { describe, expect, test } from "vitest";
import { z } from "zod";
import { HTTP_EVENT_NAMES } from "../../src/http/contract/events.js";
import {
  createEngine,
  type Extractor,
  enrich,
  extractor,
  GET,
  handlers,
  type Identity,
  identity,
  NoIdentity,
  on,
  POST,
  TooManyRequests,
  Unauthorized,
  usageLimit,
} from "../../src/http/index.js";
import { mockIdentity, serveRequest, testEngine } from "../../src/http/testing/index.js";
import { expectSoon } from "../stopwatch.js";
import { ask, listening } from "./serve.js";

const bearer = extractor(
  (request) => {
    const name = request.get("authorization")?.replace(/^Bearer /, "");
    if (name === undefined) return null;
    if (name === "throw") throw new Error("secret: bad signature");
    return identity({ id: name, scopes: name.split("+"), roles: name.split("+"), stats: { calls: 5 } });
  },
  { name: "bearer", scheme: { type: "http", scheme: "bearer" } },
);

const as = (name: string) => ({ headers: { authorization: `Bearer ${name}` } });

describe("authentication", () => {
  test("gives the handler its caller; without one it is a 401 with a challenge, before anything is validated", async () => {
    const url = await listening(
      createEngine()
        .withAuthenticator(bearer)
        .withHandlers(
          POST(
            "/me",
            { authentication: true, query: { n: z.int() }, body: z.int() },
            ({ identity }) => identity.id,
          ),
        ),
    );
    for (const init of [{}, as("throw")]) {
      const answer = await ask(`${url}/me`, { method: "POST", ...init });
      expect(answer).toMatchObject({ status: 401, text: '{"code":"UNAUTHORIZED","message":"unauthorized"}' });
      expect(answer.headers.get("www-authenticate")).toBe("Bearer");
    }
    expect((await ask(`${url}/me`, { method: "POST", ...as("ann") })).status).toBe(422);
  });

  test("may be optional, and is not asked for otherwise", async () => {
    let ran = 0;
    const url = await listening(
      createEngine()
        .withAuthenticator((request, context) => {
          ran++;
          return bearer(request, context);
        })
        .withHandlers(
          GET("/maybe", { authentication: "optional" }, ({ identity }) => identity?.id ?? null),
          GET("/open", ({ identity }) => identity),
        ),
    );
    expect((await ask(`${url}/open`, as("ann"))).json).toBeNull();
    expect(ran).toBe(0);
    expect((await ask(`${url}/maybe`, as("ann"))).json).toBe("ann");
    expect((await ask(`${url}/maybe`)).json).toBeNull();
    expect((await ask(`${url}/maybe`, as("throw"))).status).toBe(401);
  });

  test("row 87: an extractor that hangs is a 503 in time, and its signal aborts", async () => {
    let told = false;
    const url = await listening(
      createEngine({ timeouts: { identityMs: 50 } })
        .withAuthenticator((_request, { signal }) => {
          signal.addEventListener("abort", () => {
            told = true;
          });
          return new Promise(() => {});
        })
        .withHandlers(GET("/me", { authentication: true }, () => 1)),
    );
    await expectSoon(1_000, async () => expect((await ask(`${url}/me`)).status).toBe(503));
    expect(told).toBe(true);
  });

  test("an enriched extractor may give other roles and scopes, and those that it takes away are gone", async () => {
    const given = enrich(
      extractor(() => identity({ id: "ann", roles: ["admin"], scopes: ["write"] }), {
        name: "fixed",
        scheme: { type: "http", scheme: "bearer" },
      }),
      (found) => ({ ...found, roles: ["editor"], scopes: [] }),
    );
    const url = await listening(
      createEngine()
        .withAuthenticator(given)
        .withHandlers(
          GET("/admin", { roles: ["admin"] }, () => 1),
          GET("/edit", { roles: ["editor"] }, () => 1),
          GET("/write", { scopes: ["write"] }, () => 1),
        ),
    );
    expect((await ask(`${url}/admin`)).status).toBe(403);
    expect((await ask(`${url}/edit`)).status).toBe(200);
    expect((await ask(`${url}/write`)).status).toBe(403);
  });

  test("an extractor that gives NoIdentity, or an identity without an id, is a 401", async () => {
    for (const nobody of [
      NoIdentity,
      { ...NoIdentity, plan: "paid" },
      identity({ id: "", roles: ["admin"] }),
    ]) {
      const url = await listening(
        createEngine()
          .withAuthenticator(() => nobody)
          .withHandlers(
            GET("/me", { authentication: true }, () => 1),
            GET("/admin", { roles: ["admin"] }, () => 1),
            GET("/maybe", { authentication: "optional" }, ({ identity }) => identity),
          ),
      );
      expect((await ask(`${url}/me`)).status).toBe(401);
      expect((await ask(`${url}/admin`)).status).toBe(401);
      expect((await ask(`${url}/maybe`)).json).toBeNull();
    }
  });

  describe("an answer that is not an identity", () => {
    const questions = { hasScope: () => true, hasRole: () => true };
    const thrower = (name: string): object =>
      Object.defineProperty({ id: "ann", ...questions }, name, {
        get: () => {
          throw new Error("secret");
        },
      });
    const broken: Readonly<Record<string, unknown>> = {
      "a declared error": Unauthorized,
      "an error": new Error("bad"),
      "an error with an id": Object.assign(new Error("bad"), { id: "ann" }),
      "a list": [],
      "an object without anything": {},
      "a number for an id": { id: 7, ...questions },
      "an id that is a String": { id: new String("ann"), ...questions },
      "an id without questions": { id: "ann" },
      "an id with a question": { id: "ann", hasScope: () => true },
      "questions that are none": { id: "ann", hasScope: true, hasRole: "admin" },
      "questions without an id": questions,
      "an empty id without questions": { id: "" },
      "what a store keeps of an identity": JSON.parse(JSON.stringify(identity({ id: "ann", roles: ["a"] }))),
      "a getter of the id that throws": thrower("id"),
      "a getter of a question that throws": thrower("hasRole"),
      "a proxy that refuses every question": new Proxy(
        {},
        {
          get: () => {
            throw new Error("no");
          },
          has: () => {
            throw new Error("no");
          },
        },
      ),
      "a revoked proxy": (() => {
        const { proxy, revoke } = Proxy.revocable(identity({ id: "ann" }), {});
        revoke();
        return proxy;
      })(),
      "a name": "ann",
      "a number": 7,
      yes: true,
      no: false,
      "a function": Object.assign(() => 1, { id: "ann", ...questions }),
      "a symbol": Symbol("ann"),
    };
    const ways: Readonly<Record<string, (answer: unknown) => Extractor>> = {
      "an extractor": (answer) => (() => answer) as never,
      "a promise": (answer) => (() => Promise.resolve(answer)) as never,
      enrich: (answer) =>
        enrich(
          () => identity({ id: "ann" }),
          () => answer as never,
        ),
      "an extractor that is enriched": (answer) =>
        enrich((() => answer) as never, () => identity({ id: "anybody", roles: ["admin"] })),
    };

    for (const [way, make] of Object.entries(ways))
      test.each(Object.entries(broken))(`of ${way} is a 401, optional or not: %s`, async (_title, answer) => {
        let ran = 0;
        const run = () => ++ran;
        const engine = testEngine(
          GET("/me", { authentication: true }, run),
          GET("/admin", { roles: ["admin"] }, run),
          GET("/limited", { usageLimits: [usageLimit("calls", () => 9)] }, run),
          GET("/maybe", { authentication: "optional" }, run),
        ).withAuthenticator(make(answer));
        for (const path of ["/me", "/admin", "/limited", "/maybe"]) {
          const { status, headers, text } = await serveRequest(engine, "GET", path);
          expect([path, status, text()]).toEqual([
            path,
            401,
            '{"code":"UNAUTHORIZED","message":"unauthorized"}',
          ]);
          expect(headers.get("www-authenticate")).toBe("Bearer");
        }
        expect(ran).toBe(0);
      });

    test("of an extractor whose tenant cannot be read is a 401", async () => {
      const engine = testEngine(GET("/me", { authentication: true }, () => 1)).withAuthenticator(
        () => thrower("tenantId") as Identity,
      );
      expect((await serveRequest(engine, "GET", "/me")).status).toBe(401);
    });

    test("an instance of the application's own class is one, with its questions on the prototype", async () => {
      class Member {
        readonly scopes = [];
        readonly roles = [];
        readonly stats = {};
        get id() {
          return "ann";
        }
        hasScope() {
          return true;
        }
        hasRole(name: string) {
          return name === "admin";
        }
      }
      const engine = testEngine(
        GET("/me", { authentication: true, roles: ["admin"] }, ({ identity }) => identity.id),
      ).withAuthenticator(() => new Member());
      expect((await serveRequest(engine, "GET", "/me")).decodeJSON()).toBe("ann");
    });

    test("null, undefined and NoIdentity are null for the handler if authentication is optional", async () => {
      for (const nobody of [null, undefined, NoIdentity, identity({ id: "" })]) {
        for (const make of Object.values(ways)) {
          const engine = testEngine(
            GET("/maybe", { authentication: "optional" }, ({ identity }) => identity),
          ).withAuthenticator(make(nobody));
          const { status, text } = await serveRequest(engine, "GET", "/maybe");
          expect([status, text()]).toEqual([200, "null"]);
        }
      }
    });
  });

  test("an enriched extractor keeps its scheme and gives the application's own identity", async () => {
    interface Member extends Identity {
      readonly plan: string;
    }
    const member = enrich(bearer, (found): Member => ({ ...found, plan: "paid" }));
    expect(member.security?.name).toBe("bearer");
    const { GET } = handlers<Member>();
    const url = await listening(
      createEngine<Member>()
        .withAuthenticator(member)
        .withHandlers(GET("/plan", { authentication: true }, ({ identity }) => identity.plan)),
    );
    expect((await ask(`${url}/plan`, as("ann"))).json).toBe("paid");
  });
});

describe("authorization", () => {
  test("row 86: scopes are OR within a group and AND between, and never match a part of a name", async () => {
    const url = await listening(
      createEngine()
        .withAuthenticator(bearer)
        .withHandlers(
          GET("/any", { scopes: ["read", "write"] }, () => 1),
          GET("/all", { scopes: [["read", "write"], ["admin"]] }, () => 1),
          GET("/role", { roles: ["admin"] }, () => 1),
        ),
    );
    expect((await ask(`${url}/any`, as("write"))).status).toBe(200);
    expect((await ask(`${url}/all`, as("write"))).status).toBe(403);
    expect((await ask(`${url}/all`, as("write+admin"))).status).toBe(200);
    expect(await ask(`${url}/any`, as("rea"))).toMatchObject({
      status: 403,
      text: '{"code":"FORBIDDEN","message":"insufficient scope"}',
    });
    expect((await ask(`${url}/any`, as("readwrite"))).status).toBe(403);
    expect(await ask(`${url}/role`, as("administrator"))).toMatchObject({
      status: 403,
      json: { code: "FORBIDDEN", message: "insufficient role" },
    });
  });

  test("row 84: usage limits refuse at and above the limit, and if they cannot decide", async () => {
    const odd = (limit: () => unknown) => usageLimit("calls", limit as () => number);
    const url = await listening(
      createEngine()
        .withAuthenticator(bearer)
        .withHandlers(
          GET("/below", { usageLimits: [usageLimit("calls", () => 6)] }, () => 1),
          GET("/at", { usageLimits: [usageLimit("calls", () => 5)] }, () => 1),
          GET(
            "/async",
            { usageLimits: [usageLimit("calls", async ({ id }) => (id === "ann" ? 6 : 0))] },
            () => 1,
          ),
          GET("/missing", { usageLimits: [usageLimit("none", () => 1)] }, () => 1),
          GET("/zero", { usageLimits: [usageLimit("none", () => 0)] }, () => 1),
          GET("/proto", { usageLimits: [usageLimit("__proto__", () => 1)] }, () => 1),
          GET("/both", { usageLimits: [usageLimit("none", () => 1), usageLimit("calls", () => 1)] }, () => 1),
          GET("/nan", { usageLimits: [odd(() => Number.NaN)] }, () => 1),
          GET(
            "/throws",
            {
              usageLimits: [
                odd(() => {
                  throw new Error("secret");
                }),
              ],
            },
            () => 1,
          ),
          GET("/rejects", { usageLimits: [odd(() => Promise.reject(new Error("secret")))] }, () => 1),
          GET("/text", { usageLimits: [odd(() => "100")] }, () => 1),
        ),
    );
    const statuses: Record<string, number> = {};
    for (const path of [
      "below",
      "at",
      "async",
      "missing",
      "zero",
      "proto",
      "both",
      "nan",
      "throws",
      "rejects",
      "text",
    ]) {
      statuses[path] = (await ask(`${url}/${path}`, as("ann"))).status;
    }
    expect(statuses).toEqual({
      below: 200,
      at: 429,
      async: 200,
      missing: 200,
      zero: 429,
      proto: 200,
      both: 429,
      nan: 429,
      throws: 429,
      rejects: 429,
      text: 429,
    });
    expect((await ask(`${url}/at`, as("ann"))).json).toEqual({
      code: TooManyRequests.code,
      message: "too many requests",
    });
    expect((await ask(`${url}/at`)).status).toBe(401);
  });

  test.each([false, 0, "", "ann", 5, true])(
    "an extractor that gives %j has not found an identity",
    async (given) => {
      const nobody = createEngine()
        .withAuthenticator(() => given as unknown as null)
        .withHandlers(
          GET("/x", { authentication: true }, () => "in"),
          GET("/y", { authentication: "optional" }, () => "in"),
        );
      const url = await listening(nobody);
      expect([(await ask(`${url}/x`)).status, (await ask(`${url}/y`)).status]).toEqual([401, 401]);
    },
  );

  test("an empty list of usage limits requires an identity too", async () => {
    const limited = GET("/x", { usageLimits: [] }, ({ identity }) => identity.id);
    expect(() => createEngine().withHandlers(limited).router()).toThrow("protected");
    const url = await listening(createEngine().withAuthenticator(bearer).withHandlers(limited));
    expect((await ask(`${url}/x`)).status).toBe(401);
    expect((await ask(`${url}/x`, as("ann"))).json).toBe("ann");
  });

  test("each step says what it decided", async () => {
    const seen: [string, object][] = [];
    const names = HTTP_EVENT_NAMES.filter((name) => /^http\.(?:auth|authz|ratelimit)\./.test(name));
    const offs = names.map((name) => on(name, (event) => seen.push([name, event])));
    const url = await listening(
      createEngine()
        .withAuthenticator(bearer)
        .withHandlers(
          GET(
            "/x",
            { scopes: ["a"], roles: ["b", "c"], usageLimits: [usageLimit("calls", ({ id }) => id.length)] },
            () => 1,
          ),
        ),
    );
    for (const name of ["throw", "b", "a", "a+b", "a+b+more"]) await ask(`${url}/x`, as(name));
    for (const off of offs) off();
    expect(seen.map(([name]) => name)).toEqual([
      "http.auth.failed",
      "http.auth.succeeded",
      "http.authz.scope.denied",
      "http.auth.succeeded",
      "http.authz.role.denied",
      "http.auth.succeeded",
      "http.authz.succeeded",
      "http.ratelimit.exceeded",
      "http.auth.succeeded",
      "http.authz.succeeded",
    ]);
    expect(seen[2]?.[1]).toMatchObject({
      identityId: "b",
      requiredScopes: [["a"]],
      method: "GET",
      path: "/x",
    });
    expect(seen[4]?.[1]).toMatchObject({ requiredRoles: [["b", "c"]] });
    expect(seen[7]?.[1]).toMatchObject({ limitKey: "calls", currentValue: 5, threshold: 3 });
  });
});

describe("an identity", () => {
  test("answers for the scopes and roles that it has, copies too", () => {
    const ann = identity({ id: "1", scopes: ["a"], roles: ["r"] });
    const less = { ...ann, scopes: [], roles: ["s"] };
    expect([less.hasScope("a"), less.hasRole("r"), less.hasRole("s")]).toEqual([false, false, true]);
    const { hasScope, hasRole } = ann;
    expect([hasScope("a"), hasRole("r"), hasRole("s")]).toEqual([true, true, false]);
    const mock = { ...mockIdentity().withScopes("a"), scopes: ["b"] };
    expect([mock.hasScope("a"), mock.hasScope("b")]).toEqual([false, true]);
  });

  test("keeps the application's own fields, is frozen, and has the scopes and roles it was given", () => {
    const ann = identity({ id: "1", scopes: ["a"], roles: ["r"], plan: "paid" });
    expect([
      ann.plan,
      ann.hasScope("a"),
      ann.hasScope("b"),
      ann.hasRole("r"),
      ann.hasRole("toString"),
    ]).toEqual(["paid", true, false, true, false]);
    expect(Object.isFrozen(ann) && Object.isFrozen(ann.scopes)).toBe(true);
    const { hasRole } = ann;
    expect([hasRole("r"), hasRole("a")]).toEqual([true, false]);
    // Text where a list belongs would be searched for parts.
    expect({ ...ann, roles: "admin" }.hasRole("admin")).toBe(false);
    expect(() => identity({ id: "1", scopes: "admin" as unknown as string[] })).toThrow();
    expect([NoIdentity.id, NoIdentity.hasRole(""), NoIdentity.scopes]).toEqual(["", false, []]);
  });
});
