/** Sessions that an application begins and ends itself, without OAuth, over real sockets. */
import { memoryStore, type SessionStore, sessions, type UserSessionStore } from "rowtype/http/session";
import { sqlStore } from "rowtype/http/session/sql";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { createEngine, GET, POST, ServiceUnavailable } from "../../src/http/index.js";
import { servers } from "../servers.js";
import { listening } from "./serve.js";

const signKey = "k".repeat(32);

async function shop(store: UserSessionStore, lifetimes = {}) {
  const login = sessions<{ readonly plan: string }>({ store, cookie: { signKey }, lifetimes });
  let kept: unknown;
  const api = createEngine({ onError: false })
    .withAuthenticator(login.extractor)
    .withHandlers(
      POST("/in/{id}", { status: 204, errors: [ServiceUnavailable] }, ({ params, request, response }) =>
        login.begin(
          { request, response },
          { userId: params.path.id, email: "a@b.c", roles: ["r"], meta: { plan: "paid" } },
        ),
      ),
      POST("/out", { status: 204, errors: [ServiceUnavailable] }, (call) => login.end(call)),
      POST("/all/{id}", { status: 204, errors: [ServiceUnavailable] }, ({ params }) =>
        login.endAll(params.path.id),
      ),
      POST("/late", async ({ request, response }) => {
        response.write("begun");
        kept = await login.begin({ request, response }, { userId: "ann" }).catch((error: unknown) => error);
        response.end();
      }),
      POST("/while", async ({ request, response }) => {
        const begun = login.begin({ request, response }, { userId: "ann" }).catch((error: unknown) => error);
        response.write("begun");
        kept = await begun;
        response.end();
      }),
      POST("/out-late", async ({ request, response }) => {
        response.write("begun");
        kept = await login.end({ request, response }).catch((error: unknown) => error);
        response.end();
      }),
      login.logoutHandler("/logout", { redirectTo: "/bye" }),
      GET("/me", { authentication: true, output: z.unknown() }, ({ identity }) => ({ ...identity })),
    );
  const url = await listening(api);
  /** A browser, which holds one cookie. */
  const browser = (cookie = "") => {
    const send = async (method: string, path: string) => {
      const headers = cookie === "" ? {} : { cookie };
      const response = await fetch(`${url}${path}`, { method, headers, redirect: "manual" });
      const [set] = response.headers.getSetCookie();
      if (set !== undefined) cookie = /Max-Age=0/.test(set) ? "" : (set.split(";")[0] ?? "");
      return { status: response.status, set, body: await response.text() };
    };
    return { send, held: () => cookie };
  };
  return { login, browser, late: () => kept };
}

test("begin gives an identity by a signed cookie, end and logout end it", async () => {
  const { browser, login } = await shop(memoryStore());
  expect(Object.keys(login).sort()).toEqual(["begin", "end", "endAll", "extractor", "logoutHandler"]);
  for (const out of ["/out", "/logout"]) {
    const ann = browser();
    expect((await ann.send("GET", "/me")).status).toBe(401);
    const begun = await ann.send("POST", "/in/ann");
    expect(begun.status).toBe(204);
    expect(begun.set).toMatch(/^__Host-sid=[\w-]{43}\.[0-9a-f]{64}; .*HttpOnly; Secure; SameSite=Lax$/);
    expect(JSON.parse((await ann.send("GET", "/me")).body)).toMatchObject({
      id: "ann",
      email: "a@b.c",
      roles: ["r"],
      meta: { plan: "paid" },
    });
    const thief = browser(ann.held());
    const ended = await ann.send("POST", out);
    expect(ended.status).toBe(out === "/logout" ? 303 : 204);
    expect(ann.held()).toBe("");
    // Not the cookie alone: the session is gone.
    expect((await thief.send("GET", "/me")).status).toBe(401);
  }
});

test("a login gives a new id and ends the session that the request brought", async () => {
  const { browser } = await shop(memoryStore());
  const ann = browser();
  await ann.send("POST", "/in/mallory");
  const planted = browser(ann.held());
  await ann.send("POST", "/in/ann");
  expect(ann.held()).not.toBe(planted.held());
  expect((await planted.send("GET", "/me")).status).toBe(401);
  expect(JSON.parse((await ann.send("GET", "/me")).body)).toMatchObject({ id: "ann" });
});

test("endAll ends all sessions of a user and no other", async () => {
  const { browser, login } = await shop(memoryStore());
  const [one, two, other] = [browser(), browser(), browser()];
  await one.send("POST", "/in/ann");
  await two.send("POST", "/in/ann");
  await other.send("POST", "/in/Ann");
  await browser().send("POST", "/all/ann");
  expect([(await one.send("GET", "/me")).status, (await two.send("GET", "/me")).status]).toEqual([401, 401]);
  expect((await other.send("GET", "/me")).status).toBe(200);
  for (const nobody of ["", undefined, null, 7, {}, ["ann"]])
    await expect(login.endAll(nobody as string)).rejects.toMatchObject({ code: "DECLARATION" });
  await expect(login.endAll("nobody")).resolves.toBeUndefined();
});

test("a response that has begun gets no session, and nothing is stored", async () => {
  let created = 0;
  const store = memoryStore();
  const counting = {
    ...store,
    create: async (...given: Parameters<typeof store.create>) => {
      created++;
      await store.create(...given);
    },
  };
  const { browser, late } = await shop(counting);
  expect(await browser().send("POST", "/late")).toMatchObject({ status: 200, body: "begun", set: undefined });
  expect(late()).toMatchObject({ code: "DECLARATION", message: expect.stringContaining("has begun") });
  expect(created).toBe(0);
});

test("a response that begins while the session is stored gets none, and the session is taken back", async () => {
  const store = memoryStore();
  const [created, deleted]: [string[], string[]] = [[], []];
  const { browser, late } = await shop({
    ...store,
    create: async (key, session) => {
      created.push(key);
      await store.create(key, session);
    },
    delete: async (key) => {
      deleted.push(key);
      await store.delete(key);
    },
  });
  expect(await browser().send("POST", "/while")).toMatchObject({ body: "begun", set: undefined });
  expect(late()).toMatchObject({ code: "DECLARATION", message: expect.stringContaining("has begun") });
  expect([created.length, deleted]).toEqual([1, created]);
});

test("a response that has begun ends a session all the same, and the cookie stays", async () => {
  const { browser, late } = await shop(memoryStore());
  const ann = browser();
  await ann.send("POST", "/in/ann");
  expect(await ann.send("POST", "/out-late")).toMatchObject({ status: 200, body: "begun", set: undefined });
  expect(late()).toBeUndefined();
  expect(ann.held()).not.toBe("");
  expect((await ann.send("GET", "/me")).status).toBe(401);
});

test("a call without its request, or without a response that takes a cookie, is refused with nothing stored", async () => {
  const asked: string[] = [];
  const store = Object.fromEntries(
    Object.keys(memoryStore()).map((name) => [name, async () => void asked.push(name)]),
  );
  const login = sessions({ store: store as never, cookie: { signKey } });
  const request = { headers: {} };
  const response = { appendHeader: () => {} };
  for (const call of [
    undefined,
    {},
    { request },
    { response },
    { request: null, response },
    { request: "GET /", response },
    { request, response: null },
    { request, response: {} },
    { request, response: { setHeader: () => {} } },
    { request, response: { appendHeader: true } },
  ])
    for (const refused of [login.begin(call as never, { userId: "ann" }), login.end(call as never)])
      await expect(refused).rejects.toMatchObject({ code: "DECLARATION" });
  expect(asked).toEqual([]);
});

test("an outage of the store is a 503, and no cookie", async () => {
  const fail = () => Promise.reject(new Error("away"));
  const { browser } = await shop({ ...memoryStore(), create: fail, deleteByUser: fail });
  expect(await browser().send("POST", "/in/ann")).toMatchObject({ status: 503, set: undefined });
  expect((await browser().send("POST", "/all/ann")).status).toBe(503);
});

test("lifetimes end sessions, and wrong options are refused", async () => {
  const { browser } = await shop(memoryStore(), { absoluteMs: 30 });
  const ann = browser();
  await ann.send("POST", "/in/ann");
  await expect.poll(async () => (await ann.send("GET", "/me")).status).toBe(401);
  const refused = expect.objectContaining({ code: "DECLARATION" });
  const store = memoryStore();
  const cookie = { signKey };
  for (const wrong of [
    { store },
    { cookie },
    { store, cookie: { signKey: "short" } },
    { store, cookie, lifetimes: { loginMs: 5 } },
    { store, cookie, resolv: () => 1 },
    { store, cookie, resolve: () => ({ userId: "a" }) },
    { store: { ...store, touch: undefined }, cookie },
  ])
    expect(() => sessions(wrong as never)).toThrow(refused);
  const login = sessions({ store, cookie });
  const circle = { self: {} };
  circle.self = circle;
  const throwing = {
    toJSON: () => {
      throw new Error("broken");
    },
  };
  const unkept = [{ many: 1n }, circle, throwing].map((meta) => ({ userId: "a", meta }));
  for (const user of [{}, { userId: "" }, null, { userId: "a", roles: "r" }, ...unkept])
    await expect(login.begin({ request: {}, response: {} } as never, user as never)).rejects.toEqual(refused);
  const { deleteByUser: _, ...bare } = store;
  const plain: SessionStore = bare;
  // @ts-expect-error: the store cannot find the sessions of a user
  await expect(sessions({ store: plain, cookie }).endAll("a")).rejects.toEqual(refused);
});

test("the document says which cookie holds the session", () => {
  const { extractor } = sessions({ store: memoryStore(), cookie: { signKey } });
  const api = createEngine()
    .withAuthenticator(extractor)
    .withHandlers(GET("/me", { authentication: true, output: z.unknown() }, () => null));
  const { components, paths } = api.openapi();
  expect(components?.securitySchemes).toEqual({
    sessionCookie: { type: "apiKey", in: "cookie", name: "__Host-sid", description: expect.any(String) },
  });
  expect(paths?.["/me"]?.get?.security).toEqual([{ sessionCookie: [] }]);
});

test("a login that lacks one of its options is refused for that one, not for the others", () => {
  const oauth = {
    clientId: "shop",
    clientSecret: "secret",
    redirectUri: "https://shop.example.com/callback",
    authorizationEndpoint: "https://id.example.com/authorize",
    tokenEndpoint: "https://id.example.com/token",
    scopes: [],
  };
  const whole = { store: memoryStore(), cookie: { signKey }, oauth, resolve: () => null, afterLogin: "/" };
  const { store, cookie, ...login } = whole;
  const names = Object.keys(login);
  // Each choice of some of them, but not all.
  for (let choice = 1; choice < 2 ** names.length - 1; choice++) {
    const given = Object.entries(login).filter((_, i) => (choice >> i) % 2 === 1);
    const lacking = names.filter((name) => !given.some(([one]) => one === name)).join("|");
    expect(() => sessions({ store, cookie, ...Object.fromEntries(given) } as never)).toThrow(
      expect.objectContaining({
        code: "DECLARATION",
        message: expect.stringMatching(new RegExp(`^(?!unknown).*\\b(?:${lacking})\\b`, "i")),
      }),
    );
  }
});

describe.each(servers)("on $name", ({ available, lend }) => {
  test.skipIf(!available)("deleteByUser removes the sessions of one user, on every machine", async () => {
    const one = await lend();
    try {
      const store = sqlStore(one.db);
      await store.createTables();
      const [here, there] = [await shop(store), await shop(sqlStore(one.db))];
      const long = "u".repeat(300);
      const names = ["ann", "Ann", "ann ", long];
      const browsers = names.map(() => here.browser());
      for (const [index, name] of names.entries())
        await browsers[index]?.send("POST", `/in/${encodeURIComponent(name)}`);
      await there.login.endAll("ann");
      await there.login.endAll(long);
      const statuses = await Promise.all(browsers.map(async (one) => (await one.send("GET", "/me")).status));
      expect(statuses).toEqual([401, 200, 200, 401]);
    } finally {
      await one.close();
    }
  });
});
