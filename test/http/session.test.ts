/** Logins from their beginning to their end, and the sessions that come of them. */
import { createHash } from "node:crypto";
import { Forbidden } from "rowtype/http";
import { memoryStore, type SessionsOptions } from "rowtype/http/session";
import { serveRequestWithHeaders } from "rowtype/http/testing";
import { afterEach, describe, expect, test, vi } from "vitest";
import { z } from "zod";
import { json, signer } from "./provider.js";
import { type Given, sessionEngine } from "./session-engine.js";
import { begin, kit, logIn } from "./session-kit.js";

const SID = "__Host-sid";
const HOUR = 3_600_000;

afterEach(() => {
  vi.useRealTimers();
});

/** Only the clock: the engine's own timers stay real. */
const at = (time: number) => vi.useFakeTimers({ toFake: ["Date"], now: time });

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

  test("sends the exact redirect URI, and no scope if none is configured", async () => {
    const redirectUri = "https://SHOP.example.com:443/callback?a=ü";
    const { browser, server } = await kit({ oauth: { redirectUri, scopes: [] } });
    const ann = browser();
    const there = new URL((await ann.get("/login")).headers.get("location") ?? "");
    expect(there.searchParams.get("redirect_uri")).toBe(redirectUri);
    expect(there.searchParams.has("scope")).toBe(false);
    await ann.get(`/callback?code=c&state=${there.searchParams.get("state")}`);
    expect(new URLSearchParams(server.asked[0]?.body).get("redirect_uri")).toBe(redirectUri);
  });

  test("is described as the redirections that it is", async () => {
    const { engine } = await kit();
    const { paths } = engine.openapi();
    const location = { Location: { schema: { type: "string" } } };
    expect(paths?.["/login"]?.get?.responses?.["302"]).toEqual({ description: "Found", headers: location });
    expect(paths?.["/callback"]?.get?.responses?.["302"]).toEqual({
      description: "Found",
      headers: location,
    });
    expect(paths?.["/logout"]?.post?.responses?.["303"]).toEqual({
      description: "See Other",
      headers: location,
    });
  });

  test("may be under way in two tabs", async () => {
    const { browser } = await kit();
    const ann = browser();
    const [one, two] = [await begin(ann, "?return_to=/app"), await begin(ann)];
    expect((await ann.get(`/callback?code=c&state=${one}`)).headers.get("location")).toBe("/app");
    expect((await ann.get(`/callback?code=c&state=${two}`)).headers.get("location")).toBe("/welcome");
    expect((await ann.get("/me")).status).toBe(200);
  });

  test("row 99: the provider's error text is sent to no client", async () => {
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
    expect(await outcome("https://id.example.com", "")).toEqual([400, 0, false]);
    expect(await outcome(undefined, "")).toEqual([400, 0, false]);
  });

  test("an answer with an empty code, or an empty error, is refused", async () => {
    for (const query of ["code=", "error=", "error=&code=c", "code=&iss=https%3A%2F%2Fid.example.com"]) {
      const { browser, server } = await kit({ oauth: { issuer: "https://id.example.com" } });
      const ann = browser();
      const answer = await ann.get(`/callback?${query}&state=${await begin(ann)}`);
      expect([query, answer.status, server.asked.length, ann.cookies.has(SID)]).toEqual([
        query,
        400,
        0,
        false,
      ]);
    }
  });

  test("is refused if resolve refuses it, throws, hangs or gives no user", async () => {
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

  test("gives resolve the tokens, with a verified ID token", async () => {
    const key = await signer("one");
    const now = Math.floor(Date.now() / 1000);
    const good = { iss: "https://id.example.com", aud: "shop", sub: "ann", iat: now, exp: now + 60 };
    const outcome = async (claims: object, alg?: string) => {
      const signed = await key.sign({ ...good, ...claims });
      const header = Buffer.from(JSON.stringify({ alg })).toString("base64url");
      const id_token = alg === undefined ? signed : signed.replace(/^[^.]*/, header);
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
    const wrong = [
      { iss: "https://evil.example.com" },
      { iss: undefined },
      { aud: "other" },
      { aud: ["shop", "other"] },
      { aud: ["shop", "other"], azp: "other" },
      { aud: undefined },
      { exp: now - 120 },
      { exp: undefined },
      { iat: undefined },
      { sub: undefined },
      { sub: 7 },
      // Nobody has sent one.
      { nonce: "of-another-login" },
    ];
    for (const claims of wrong) expect(await outcome(claims)).toEqual([503]);
    for (const alg of ["none", "HS256"]) expect(await outcome({}, alg)).toEqual([503]);
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

  test("that is none, odd, forged, ended or expired is nobody, and only a signed cookie reaches the store", async () => {
    const start = Date.now();
    at(start);
    const asked: string[] = [];
    const store = memoryStore();
    const get = (key: string) => {
      asked.push(key);
      return store.get(key);
    };
    const { browser } = await kit({ store: { ...store, get } });
    const [ann, bob] = [browser(), browser()];
    await logIn(ann);
    await logIn(bob);
    const [ended, kept] = [ann.cookies.get(SID) ?? "", bob.cookies.get(SID) ?? ""];
    await ann.post("/logout");
    const isNobody = async (cookie: string | undefined) => {
      const client = browser();
      if (cookie !== undefined) client.cookies.set(SID, cookie);
      asked.length = 0;
      const [me, maybe] = [await client.get("/me"), await client.get("/maybe")];
      return [me.status, maybe.status, maybe.text(), asked.length];
    };
    const last = kept.endsWith("0") ? "1" : "0";
    for (const cookie of [undefined, "", "x", kept.slice(1), kept.slice(0, -1) + last, `${kept}0`])
      expect([cookie, ...(await isNobody(cookie))]).toEqual([cookie, 401, 200, "null", 0]);
    expect(await isNobody(ended)).toEqual([401, 200, "null", 2]);
    expect(await isNobody(kept)).toEqual([200, 200, '"ann"', 2]);
    at(start + 2 * HOUR);
    expect(await isNobody(kept)).toEqual([401, 200, "null", 2]);
  });

  test("is noted as used once a tenth of its idle time has passed, and not before", async () => {
    const start = Date.now();
    at(start);
    const touched: number[] = [];
    const store = memoryStore();
    const touch = (key: string, until: number) => {
      touched.push(until - start);
      return store.touch(key, until);
    };
    const { browser } = await kit({ store: { ...store, touch }, lifetimes: { idleMs: 10_000 } });
    const ann = browser();
    await logIn(ann);
    for (const passed of [0, 999, 1_000, 1_001, 2_001, 2_002, 12_001]) {
      at(start + passed);
      expect((await ann.get("/me")).status).toBe(200);
    }
    expect(touched).toEqual([11_001, 12_002, 22_001]);
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

  test("belongs to one user: two users of one store stay separate, and cannot change what is stored", async () => {
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

describe("a configuration", () => {
  test.each([
    ["no client", { oauth: { clientId: "" } }],
    ["an empty secret", { oauth: { clientSecret: "" } }],
    ["an endpoint over http", { oauth: { authorizationEndpoint: "http://id.example.com/" } }],
    ["a redirect that is not a URL", { oauth: { redirectUri: "/callback" } }],
    ["a redirect with a fragment", { oauth: { redirectUri: "https://shop.example.com/#callback" } }],
    ["scopes with blanks", { oauth: { scopes: ["a b"] } }],
    ["no idle time", { lifetimes: { idleMs: 0 } }],
  ] satisfies [string, Given][])("with %s is refused", (_name, wrong) => {
    expect(() => sessionEngine("https://id.example.com/token", wrong)).toThrow(
      expect.objectContaining({ code: "DECLARATION" }),
    );
  });
});
