import { createHash, createHmac } from "node:crypto";
import fc from "fast-check";
import { Forbidden, on } from "rowtype/http";
import { memoryStore, type SessionsOptions } from "rowtype/http/session";
import { serveRequestWithHeaders } from "rowtype/http/testing";
import { afterEach, describe, expect, test, vi } from "vitest";
import { z } from "zod";
import { allowList } from "../../src/http/session/targets.js";
import { hostile, json, type Provider, signer } from "./provider.js";
import { type Given, SECRET, sessionEngine, signKey } from "./session-engine.js";
import { begin, kit, logIn, troubled } from "./session-kit.js";

const SID = "__Host-sid";
const HOUR = 3_600_000;
/** A thousand have been run; fewer tell as much every day. */
const rounds = Number(process.env["ROWTYPE_ROUNDS"] ?? 1_000);

afterEach(() => {
  vi.useRealTimers();
});

/** Only the clock: the engine's own timers stay real. */
const at = (time: number) => vi.useFakeTimers({ toFake: ["Date"], now: time });

const sign = (name: string, id: string, key: string) =>
  `${id}.${createHmac("sha256", key).update(`${name}.${id}`).digest("hex")}`;

describe("a login", () => {
  test("goes to the provider with PKCE and comes back with a session, which logout ends", async () => {
    const { browser, server } = await kit();
    const ann = browser();
    expect((await ann.get("/me")).status).toBe(401);
    const there = await ann.get("/login");
    expect([there.status, there.headers.get("cache-control")]).toEqual([302, "no-store"]);
    const url = new URL(there.headers.get("location") ?? "");
    expect(url.origin + url.pathname).toBe("https://id.example.com/authorize");
    const { state, code_challenge, ...rest } = Object.fromEntries(url.searchParams);
    expect(rest).toEqual({
      prompt: "login",
      response_type: "code",
      client_id: "shop",
      redirect_uri: "https://shop.example.com/callback",
      scope: "openid email",
      code_challenge_method: "S256",
    });
    const back = await ann.get(`/callback?code=the-code&state=${state}&session_state=x`);
    expect([back.status, back.headers.get("location")]).toEqual([302, "/welcome"]);
    const asked = new URLSearchParams(server.asked[0]?.body);
    expect(asked.get("code")).toBe("the-code");
    const verifier = asked.get("code_verifier") ?? "";
    expect(createHash("sha256").update(verifier).digest("base64url")).toBe(code_challenge);
    expect((await ann.get("/me")).decodeJSON()).toMatchObject({
      id: "ann",
      roles: ["editor"],
      scopes: ["read"],
      meta: { plan: "paid" },
    });
    const out = await ann.post("/logout");
    expect([out.status, out.headers.get("location")]).toEqual([303, "/bye"]);
    expect(ann.cookies.size).toBe(0);
    expect((await ann.get("/me")).status).toBe(401);
  });

  test("row 93: gives a new id each time; an id that was planted or is old is dead", async () => {
    const { browser } = await kit();
    const ann = browser();
    await logIn(ann);
    const first = ann.cookies.get(SID) ?? "";
    await logIn(ann);
    expect(ann.cookies.get(SID)).not.toBe(first);
    expect((await ann.get("/me")).status).toBe(200);
    ann.cookies.set(SID, first);
    expect((await ann.get("/me")).status).toBe(401);
  });

  test("row 97: a state that is missing, odd, foreign, doubled or used is a 4xx without a session", async () => {
    const { browser, server } = await kit();
    const [ann, eve] = [browser(), browser()];
    const [state, other] = [await begin(ann), await begin(eve)];
    for (const query of [
      "code=c",
      "code=c&state=",
      "code=c&state=__proto__",
      `code=c&state=${"A".repeat(43)}`,
      `code=c&state=${state}&state=${state}`,
      `code=c&code=d&state=${state}`,
      `code=c&state=${other}`,
    ]) {
      const answer = await ann.get(`/callback?${query}`);
      expect(answer.status).toBeGreaterThanOrEqual(400);
      expect(answer.status).toBeLessThan(500);
    }
    expect((await browser().get(`/callback?code=c&state=${state}`)).status).toBe(400);
    expect((await ann.get(`/callback?code=c&state=${state}`)).status).toBe(302);
    expect((await ann.get(`/callback?code=c&state=${state}`)).status).toBe(400);
    expect(server.asked).toHaveLength(1);
    expect(ann.cookies.has(SID) && !eve.cookies.has(SID)).toBe(true);
  });

  test("row 97: a state expires", async () => {
    const start = Date.now();
    const { browser } = await kit();
    const ann = browser();
    at(start);
    const [early, late] = [await begin(ann), await begin(ann)];
    at(start + 599_000);
    expect((await ann.get(`/callback?code=c&state=${early}`)).status).toBe(302);
    const again = await begin(ann);
    at(start + 601_000);
    expect((await ann.get(`/callback?code=c&state=${late}`)).status).toBe(400);
    expect((await ann.get(`/callback?code=c&state=${again}`)).status).toBe(302);
  });

  test("row 97: of fifty callbacks that race for one state exactly one wins, every time", async () => {
    const { browser, server } = await kit();
    for (let round = 0; round < rounds; round++) {
      const ann = browser();
      const state = await begin(ann);
      server.asked.length = 0;
      const answers = await Promise.all(
        Array.from({ length: 50 }, () => ann.get(`/callback?code=c&state=${state}`)),
      );
      const statuses = answers.map(({ status }) => status).sort((a, b) => a - b);
      expect(statuses).toEqual([302, ...Array.from({ length: 49 }, () => 400)]);
      expect(server.asked).toHaveLength(1);
    }
  }, 120_000);

  test("may be under way in two tabs", async () => {
    const { browser } = await kit();
    const ann = browser();
    const [one, two] = [await begin(ann, "?return_to=/app"), await begin(ann)];
    expect((await ann.get(`/callback?code=c&state=${one}`)).headers.get("location")).toBe("/app");
    expect((await ann.get(`/callback?code=c&state=${two}`)).headers.get("location")).toBe("/welcome");
    expect((await ann.get("/me")).status).toBe(200);
  });

  test("row 99: what the provider says of an error reaches nobody", async () => {
    const { browser } = await kit({ oauth: { issuer: "https://id.example.com" } });
    const markup = encodeURIComponent("<script>alert(1)</script>secret-of-the-provider");
    for (const [error, status] of [
      ["access_denied", 401],
      [markup, 401],
      ["server_error", 503],
    ] as const) {
      const ann = browser();
      const state = await begin(ann);
      const answer = await ann.get(`/callback?error=${error}&error_description=${markup}&state=${state}`);
      expect([answer.status, answer.headers.get("content-type")]).toEqual([
        status,
        "application/json; charset=utf-8",
      ]);
      expect(answer.text()).not.toMatch(/script|secret|denied/);
      // And the state is used up.
      expect((await ann.get(`/callback?code=c&state=${state}`)).status).toBe(400);
    }
  });

  test("row 99: an issuer other than the configured one is refused, and without one any of another place", async () => {
    const outcome = async (issuer: string | undefined, iss: string) => {
      const { browser, server } = await kit(issuer === undefined ? {} : { oauth: { issuer } });
      const ann = browser();
      const answer = await ann.get(
        `/callback?code=c&state=${await begin(ann)}&iss=${encodeURIComponent(iss)}`,
      );
      return [answer.status, server.asked.length, ann.cookies.has(SID)];
    };
    expect(await outcome("https://id.example.com", "https://id.example.com")).toEqual([302, 1, true]);
    expect(await outcome("https://id.example.com", "https://id.example.com/")).toEqual([400, 0, false]);
    expect(await outcome("https://id.example.com", "https://evil.example.com")).toEqual([400, 0, false]);
    expect(await outcome(undefined, "https://id.example.com/tenant")).toEqual([302, 1, true]);
    expect(await outcome(undefined, "https://evil.example.com")).toEqual([400, 0, false]);
    expect(await outcome(undefined, "id.example.com")).toEqual([400, 0, false]);
  });

  test("is refused where resolve says so, and a resolve that throws, hangs or gives nobody gives no session", async () => {
    const outcome = async (resolve: unknown) => {
      const { browser } = await kit({
        resolve: resolve as SessionsOptions<object>["resolve"],
        resolveTimeoutMs: 50,
      });
      const ann = browser();
      const answer = await logIn(ann);
      expect(ann.cookies.has(SID)).toBe(false);
      return [answer.status, answer.text().includes("secret")];
    };
    const throwing = (error: unknown) => () => {
      throw error;
    };
    expect(await outcome(throwing(Forbidden.withMessage("not a member")))).toEqual([403, false]);
    expect(await outcome(throwing(new Error("secret")))).toEqual([500, false]);
    expect(await outcome(() => new Promise(() => {}))).toEqual([503, false]);
    for (const nobody of [null, {}, { userId: "" }, { userId: 1 }, { userId: "a", roles: "admin" }]) {
      expect(await outcome(() => nobody)).toEqual([500, false]);
    }
  });

  test("hands resolve the tokens, with an ID token that was judged", async () => {
    const key = await signer("one");
    const now = Math.floor(Date.now() / 1000);
    const good = { iss: "https://id.example.com", aud: "shop", sub: "ann", iat: now, exp: now + 60 };
    const outcome = async (claims: object) => {
      const id_token = await key.sign({ ...good, ...claims });
      const seen: unknown[] = [];
      const { browser } = await kit(
        {
          oauth: { issuer: "https://id.example.com" },
          resolve: (tokens) => {
            seen.push(tokens.idToken === id_token, tokens.accessToken);
            return { userId: "ann" };
          },
        },
        (_asked, response) => json(response, { access_token: "a", token_type: "bearer", id_token }),
      );
      return [(await logIn(browser())).status, ...seen];
    };
    expect(await outcome({})).toEqual([302, true, "a"]);
    for (const wrong of [{ iss: "https://evil.example.com" }, { aud: "other" }, { exp: now - 120 }]) {
      expect(await outcome(wrong)).toEqual([503]);
    }
  });
});

describe("a target", () => {
  test("row 102: counts where the list has it; everything else is the default", async () => {
    const { browser } = await kit();
    const ann = browser();
    const target = async (query: string) => (await logIn(ann, query)).headers.get("location");
    for (const good of ["/app", "/app?tab=1", "/docs/a/b", "/docs/"]) {
      expect(await target(`?return_to=${encodeURIComponent(good)}`)).toBe(good);
    }
    const bad =
      "//evil.com|/\\evil.com|\\/evil.com|/app/..//evil.com|https://evil.com|https:evil.com|javascript:alert(1)|" +
      "/\tevil|/app\r\nSet-Cookie: a=b|/docs/../admin|/docs/%2e%2e/admin|/docs/%2f%2fevil|/docs/%5cevil|/other|" +
      "/appendix|user@evil.com|/docs//evil.com|/app\u0000|app| /app|";
    for (const text of bad.split("|")) {
      expect(await target(`?return_to=${encodeURIComponent(text)}`)).toBe("/welcome");
    }
    expect(await target("")).toBe("/welcome");
  });

  test("row 102: whatever the text, the browser stays where the list says", async () => {
    const judge = allowList(["/app", "/docs/*"]);
    const piece = fc.constantFrom(
      "/",
      "\\",
      "..",
      ".",
      "docs",
      "app",
      "%2f",
      "%2e",
      ":",
      "@",
      "evil.com",
      "?",
      "#",
      "\t",
      "\n",
      " ",
    );
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.array(piece).map((parts) => `/${parts.join("")}`),
        ),
        (text) => {
          const target = judge(text);
          if (target === null) return;
          const url = new URL(target, "https://shop.example.com/somewhere");
          expect(url.origin).toBe("https://shop.example.com");
          expect(url.pathname === "/app" || url.pathname.startsWith("/docs/")).toBe(true);
          expect(decodeURIComponent(url.pathname.replace(/%(?![0-9a-f]{2})/gi, "%25"))).not.toMatch(
            // Three dots are a name like any other.
            /\/\/|\\|(?:^|\/)\.\.(?:\/|$)/,
          );
        },
      ),
      { numRuns: 5_000 },
    );
  });

  test("row 102: of the configuration must be a path, and that after logout one or an https URL", async () => {
    for (const afterLogin of ["//evil", "/\\evil", "https://evil.com", "javascript:alert(1)", "", "/a\nb"]) {
      expect(() => sessionEngine("https://id.example.com/token", { afterLogin })).toThrow(/path/);
    }
    const { login } = sessionEngine("https://id.example.com/token");
    expect(() => login.loginHandler("/l", { returnTo: ["https://evil.com"] })).toThrow(/path/);
    for (const redirectTo of ["//evil", "/\\evil", "javascript:alert(1)", "http://shop.example.com", ""]) {
      expect(() => login.logoutHandler("/o", { redirectTo })).toThrow();
    }
    expect(() => login.logoutHandler("/o", { redirectTo: "https://id.example.com/out" })).not.toThrow();
  });
});

describe("a session cookie", () => {
  test("row 95: has every attribute, and another name where its path is not the root", async () => {
    const { browser, engine } = await kit();
    const ann = browser();
    const answer = await ann.get(`/callback?code=c&state=${await begin(ann)}`);
    const [cookie] = answer.headers.getSetCookie();
    expect(cookie).toMatch(
      /^__Host-sid=[\w-]{43}\.[0-9a-f]{64}; Max-Age=86400; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
    );
    expect((await ann.post("/logout")).headers.getSetCookie()).toEqual([
      "__Host-sid=; Max-Age=0; Path=/; HttpOnly; Secure; SameSite=Lax",
      "__Host-login=; Max-Age=0; Path=/; HttpOnly; Secure; SameSite=Lax",
    ]);
    expect(engine.openapi().components?.securitySchemes).toEqual({
      sessionCookie: { type: "apiKey", in: "cookie", name: SID },
    });
    const below = await kit({ cookie: { signKey, path: "/shop" } });
    const bob = below.browser();
    await logIn(bob);
    expect([...bob.cookies.keys()]).toEqual(["login", "sid"]);
    expect((await bob.get("/me")).status).toBe(200);
    expect(() => sessionEngine("https://x/", { cookie: { signKey, path: "/; Domain=x" } })).toThrow();
  });

  test("row 90: that is tampered with, cut, long or signed with another key is nobody's", async () => {
    const { browser } = await kit();
    const ann = browser();
    await logIn(ann);
    const good = ann.cookies.get(SID) ?? "";
    const [id = "", hex = ""] = good.split(".");
    const wrong = [
      `${id}.${hex.slice(0, -1)}${hex.endsWith("0") ? "1" : "0"}`,
      `${id}.${hex.slice(2)}`,
      `${id}.${hex}00`,
      `${id}.${hex.toUpperCase()}`,
      `${id}.${Buffer.from(hex, "hex").toString("base64url")}`,
      `${id}.`,
      `.${hex}`,
      id,
      "",
      `x${id}.${hex}`,
      "x".repeat(8_000),
      sign(SID, id, ""),
      sign(SID, id, "x".repeat(32)),
      createHmac("sha256", signKey).update(id).digest("hex"),
    ];
    for (const cookie of wrong) {
      ann.cookies.set(SID, cookie);
      expect((await ann.get("/me")).status).toBe(401);
      expect((await ann.get("/maybe")).text()).toBe("null");
    }
    ann.cookies.set(SID, good);
    expect((await ann.get("/me")).status).toBe(200);
  });

  test("row 91: of a login is none of a session, nor the other way round", async () => {
    const { browser } = await kit();
    const ann = browser();
    const state = await begin(ann);
    ann.cookies.set(SID, ann.cookies.get("__Host-login") ?? "");
    expect((await ann.get("/me")).status).toBe(401);
    await ann.get(`/callback?code=c&state=${state}`);
    const next = await begin(ann);
    ann.cookies.set("__Host-login", ann.cookies.get(SID) ?? "");
    expect((await ann.get(`/callback?code=c&state=${next}`)).status).toBe(400);
  });

  test("row 92: keys rotate: the first signs, all verify, a removed one is dead; short ones are refused", async () => {
    const [old, fresh] = ["o".repeat(32), Buffer.alloc(40, 7)];
    const store = memoryStore();
    const before = await kit({ store, cookie: { signKey: old } });
    const during = await kit({ store, cookie: { signKey: [fresh, old] } });
    const after = await kit({ store, cookie: { signKey: [fresh] } });
    const [ann, bob] = [before.browser(), during.browser()];
    await Promise.all([logIn(ann), logIn(bob)]);
    const status = async (made: typeof before, cookies: ReadonlyMap<string, string>) => {
      const client = made.browser();
      client.cookies.set(SID, cookies.get(SID) ?? "");
      return (await client.get("/me")).status;
    };
    expect(await status(during, ann.cookies)).toBe(200);
    expect(await status(after, bob.cookies)).toBe(200);
    expect(await status(after, ann.cookies)).toBe(401);
    expect(await status(before, bob.cookies)).toBe(401);
    for (const short of ["", "k".repeat(31), [], [fresh, "k"], new Uint8Array(31), undefined]) {
      expect(() => sessionEngine("https://x/", { cookie: { signKey: short as string } })).toThrow(
        expect.objectContaining({ code: "DECLARATION" }),
      );
    }
  });

  test("row 96: among a thousand others, bad escapes and tossed ones is found or refused, and nothing throws", async () => {
    const { browser, engine } = await kit();
    const [ann, eve] = [browser(), browser()];
    await Promise.all([logIn(ann), logIn(eve)]);
    const good = `${SID}=${ann.cookies.get(SID)}`;
    const me = async (cookie: string) =>
      (await serveRequestWithHeaders(engine, "GET", "/me", { cookie })).status;
    expect(await me(`${"a=%zz; ".repeat(1_000)}${good}`)).toBe(200);
    expect(await me(`${SID}=%E0%A4%A; ${SID}; =; ;;${good}`)).toBe(200);
    expect(await me(`${SID}=another.applications; ${good}`)).toBe(200);
    expect(await me(`${good}; ${good}`)).toBe(200);
    expect(await me(`${good}; ${SID}=${eve.cookies.get(SID)}`)).toBe(401);
    expect(await me(`${`${SID}=x; `.repeat(100)}${good}`)).toBe(401);
    expect(await me(`__host-sid=${ann.cookies.get(SID)}`)).toBe(401);
  });
});

describe("a session", () => {
  test("row 94: ends by logout, by revocation, when it is idle and when it is old", async () => {
    const start = Date.now();
    at(start);
    const { browser, store } = await kit();
    const ann = browser();
    await logIn(ann);
    const kept = ann.cookies.get(SID) ?? "";
    await ann.post("/logout");
    ann.cookies.set(SID, kept);
    expect((await ann.get("/me")).status).toBe(401);

    await logIn(ann);
    const me = z.object({ sessionKey: z.string() }).parse((await ann.get("/me")).decodeJSON());
    const key = me.sessionKey;
    expect(ann.cookies.get(SID)).not.toContain(key);
    await store.delete(key);
    expect((await ann.get("/me")).status).toBe(401);

    await logIn(ann);
    at(start + 2 * HOUR + 1);
    expect((await ann.get("/me")).status).toBe(401);

    await logIn(ann);
    for (let hour = 1; hour < 24; hour++) {
      at(start + (2 + hour) * HOUR);
      expect((await ann.get("/me")).status).toBe(200);
    }
    at(start + 26 * HOUR + 2);
    expect((await ann.get("/me")).status).toBe(401);
  });

  test("row 103: ends by POST only, and not from another site", async () => {
    const { browser, engine } = await kit();
    const ann = browser();
    await logIn(ann);
    expect((await ann.get("/logout")).status).toBe(405);
    const answer = await serveRequestWithHeaders(engine, "POST", "/logout", {
      cookie: `${SID}=${ann.cookies.get(SID)}`,
      "sec-fetch-site": "cross-site",
    });
    expect(answer.status).toBe(403);
    expect((await ann.get("/me")).status).toBe(200);
    expect((await browser().post("/logout")).status).toBe(303);
  });

  test("is nobody else's: two users on one store keep to themselves, and cannot change what is stored", async () => {
    const names = ["ann", "bob"];
    const { browser } = await kit({ resolve: () => ({ userId: names.shift() ?? "", meta: { n: 1 } }) });
    const [ann, bob] = [browser(), browser()];
    await logIn(ann);
    await logIn(bob);
    const ids = await Promise.all(
      Array.from({ length: 20 }, (_, i) => (i % 2 ? bob : ann).get("/maybe").then((one) => one.text())),
    );
    expect(ids.filter((_, i) => i % 2 === 0)).toEqual(Array(10).fill('"ann"'));
    expect(ids.filter((_, i) => i % 2 === 1)).toEqual(Array(10).fill('"bob"'));
  });
});

describe("a store", () => {
  const failing = () => Promise.reject(new Error("secret"));
  const hanging = () => new Promise<never>(() => {});

  test.each([
    ["throws", failing],
    ["hangs", hanging],
  ])("row 104: that %s lets nobody in", async (_name, how) => {
    const { store, trouble } = troubled(memoryStore());
    const { browser } = await kit({ store, storeTimeoutMs: 30, lifetimes: { idleMs: 100 } });
    const ann = browser();
    await logIn(ann);
    trouble.set("get", how);
    expect((await ann.get("/me")).status).toBe(401);
    expect((await ann.get("/maybe")).status).toBe(401);
    trouble.clear();
    trouble.set("delete", how);
    expect((await ann.post("/logout")).status).toBe(503);
    expect(ann.cookies.has(SID)).toBe(true);
    trouble.clear();
    trouble.set("touch", how);
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect((await ann.get("/me")).status).toBe(401);
    for (const step of ["putState", "takeState", "create"] as const) {
      trouble.clear();
      const eve = browser();
      const state = step === "putState" ? "" : await begin(eve);
      trouble.set(step, how);
      const answer = await eve.get(step === "putState" ? "/login" : `/callback?code=c&state=${state}`);
      expect([answer.status, answer.text().includes("secret")]).toEqual([503, false]);
      expect(eve.cookies.has(SID)).toBe(false);
    }
  });

  test("row 104: that gives garbage lets nobody in", async () => {
    const { store } = troubled(memoryStore());
    for (const garbage of [
      {},
      { data: null },
      { expiresAt: Number.NaN, idleExpiresAt: 1e15, data: {} },
      "x",
    ]) {
      const { browser } = await kit({ store: { ...store, get: async () => garbage as never } });
      const ann = browser();
      await logIn(ann);
      expect((await ann.get("/me")).status).toBe(401);
    }
  });

  test("row 98: of 100,000 logins that nobody finishes keeps as many as it is allowed", async () => {
    const store = memoryStore({ maxLogins: 1_000, maxSessions: 1_000 });
    const state = { browser: "b", verifier: "v", returnTo: "/", expiresAt: Date.now() + HOUR };
    const session = {
      data: { userId: "u" },
      createdAt: 0,
      expiresAt: state.expiresAt,
      idleExpiresAt: state.expiresAt,
    };
    const before = process.memoryUsage().heapUsed;
    for (let i = 0; i < 100_000; i++) {
      await store.putState(`s${i}`, state);
      await store.create(`s${i}`, session);
    }
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(64 * 1024 * 1024);
    expect([await store.takeState("s0"), await store.get("s0")]).toEqual([null, null]);
    expect(await store.takeState("s99999")).toEqual(state);
    expect(await store.takeState("s99999")).toBeNull();
    expect(await store.get("s99999")).toEqual(session);
    await store.touch("gone", 1);
    expect(await store.get("gone")).toBeNull();
  });
});

describe("a configuration", () => {
  test.each([
    ["no client", { oauth: { clientId: "" } }],
    ["an empty secret", { oauth: { clientSecret: "" } }],
    ["an endpoint over http", { oauth: { authorizationEndpoint: "http://id.example.com/" } }],
    ["a redirect that is no URL", { oauth: { redirectUri: "/callback" } }],
    ["scopes with blanks", { oauth: { scopes: ["a b"] } }],
    ["no idle time", { lifetimes: { idleMs: 0 } }],
  ] satisfies [string, Given][])("with %s is refused", (_name, wrong) => {
    expect(() => sessionEngine("https://id.example.com/token", wrong)).toThrow(
      expect.objectContaining({ code: "DECLARATION" }),
    );
  });
});

const odd: Readonly<Record<string, Provider["answer"]>> = {
  "gives no token": (_asked, response) => json(response, { token_type: "bearer" }),
  "gives tokens of an odd type": (_asked, response) => json(response, { access_token: "a", token_type: "x" }),
  "gives an ID token that is none": (_asked, response) =>
    json(response, { access_token: "a", token_type: "bearer", id_token: "a.b.c" }),
};

test.each(Object.entries({ ...hostile, ...odd }))(
  "row 100: a token endpoint that %s is a 503 in time, without a session, and nothing of it is told",
  async (_name, answer) => {
    const { browser, server } = await kit({ oauth: { timeoutMs: 200 } }, answer);
    const ann = browser();
    const started = performance.now();
    const back = await logIn(ann);
    expect([back.status, back.text()]).toEqual([
      503,
      '{"code":"SERVICE_UNAVAILABLE","message":"the login is not available"}',
    ]);
    expect(performance.now() - started).toBeLessThan(1_500);
    expect([ann.cookies.has(SID), server.asked.length]).toEqual([false, 1]);
  },
);

test("row 100: no event of a failed login holds a secret", async () => {
  const seen: string[] = [];
  const keep = ({ error }: { error: Error }) => {
    for (let one: unknown = error; one instanceof Error; one = one.cause) {
      seen.push(`${one.message} ${one.stack} ${JSON.stringify(one)}`);
    }
  };
  const offs = [on("http.handler.sentinel.error", keep), on("http.request.failed", keep)];
  const { browser } = await kit({}, (_asked, response) => json(response, { error: SECRET }, 400));
  expect((await logIn(browser())).status).toBe(401);
  const broken = await kit({}, (_asked, response) => json(response, { access_token: 7, id_token: SECRET }));
  expect((await logIn(broken.browser())).status).toBe(503);
  for (const off of offs) off();
  expect(seen.length).toBeGreaterThan(2);
  expect(seen.join()).not.toContain(SECRET);
  expect(seen.join()).not.toContain("code=c");
});
