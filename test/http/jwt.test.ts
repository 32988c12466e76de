import { createHmac } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import { inspect } from "node:util";
import { type CryptoKey, exportSPKI, importJWK, type JWTPayload } from "jose";
import { createEngine, enrich, GET, type Identity, on } from "rowtype/http";
import { type JwtOptions, jwtExtractor, TokenError } from "rowtype/http/jwt";
import { serveRequest, serveRequestWithHeaders } from "rowtype/http/testing";
import { beforeAll, describe, expect, test, vi } from "vitest";
import { HANG_MS } from "../stopwatch.js";
import { hostile, json, type Provider, provider, type Signer, signer } from "./provider.js";

const audience = "https://api.example.com";
const issuer = "https://issuer.example.com/";
const now = () => Math.floor(Date.now() / 1000);
const claims = (more: Readonly<Record<string, unknown>> = {}): JWTPayload => ({
  iss: issuer,
  aud: audience,
  sub: "ann",
  exp: now() + 60,
  ...more,
});

let one: Signer;
let two: Signer;
let stranger: Signer;
beforeAll(async () => {
  [one, two, stranger] = await Promise.all([signer("one"), signer("two"), signer("stranger")]);
});

const publishing =
  (...signers: readonly Signer[]): Provider["answer"] =>
  (_asked, response) =>
    json(response, { keys: signers.map(({ jwk }) => jwk) });

async function served(answer: Provider["answer"], options: Partial<JwtOptions> = {}) {
  const keys = await provider(answer);
  const engine = createEngine({ onError: false })
    .withAuthenticator(
      jwtExtractor({
        domain: "issuer.example.com",
        audience,
        jwksUri: `${keys.url}/jwks.json`,
        timeoutMs: HANG_MS,
        ...options,
      }),
    )
    .withHandlers(
      GET("/me", { authentication: true }, ({ identity }) => ({ ...identity })),
      GET("/admin", { scopes: ["admin"] }, () => "in"),
    );
  const call = (path: string, token: string) =>
    serveRequestWithHeaders(engine, "GET", path, { authorization: `Bearer ${token}` });
  return {
    keys,
    engine,
    me: async (token: string) => call("/me", token),
    admin: async (token: string) => (await call("/admin", token)).status,
  };
}

const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");
const unsigned = (header: object, payload: object) => `${encode(header)}.${encode(payload)}`;

describe("a bearer token", () => {
  test("is verified once the keys are fetched, and gives the caller with the claims by path", async () => {
    const { me, keys } = await served(publishing(one), {
      rolesClaim: "https://example.com/roles",
      tenantClaim: "org.id",
    });
    const token = await one.sign(
      claims({
        "https://example.com/roles": ["editor", 5, ""],
        org: { id: "acme" },
        scope: "read write",
        email: "ann@example.com",
      }),
    );
    const answer = await me(token);
    expect(answer.decodeJSON()).toMatchObject({
      id: "ann",
      tenantId: "acme",
      email: "ann@example.com",
      roles: ["editor"],
      scopes: ["read", "write"],
      claims: { iss: issuer },
    });
    for (let i = 0; i < 5; i++) expect((await me(token)).status).toBe(200);
    expect(keys.asked).toHaveLength(1);
  });

  test("names scopes as a list or with blanks between, never by a part of a name", async () => {
    const { admin } = await served(publishing(one));
    const scoped = async (scope: unknown) => admin(await one.sign(claims({ scope })));
    expect(await scoped("read admin")).toBe(200);
    expect(await scoped(["admin"])).toBe(200);
    for (const scope of ["administrator", "read,admin", ["administrator"], { admin: true }, 7, "", null]) {
      expect(await scoped(scope)).toBe(403);
    }
  });

  test("finds a claim whose own name has dots, below another such name too, and nothing inherited", async () => {
    const roles = async (rolesClaim: string, more: JWTPayload) => {
      const { me } = await served(publishing(one), { rolesClaim });
      return (await me(await one.sign(claims(more)))).decodeJSON();
    };
    const space = { "https://example.com/app": { roles: ["a"] } };
    expect(await roles("https://example.com/app.roles", space)).toMatchObject({ roles: ["a"] });
    expect(await roles("a.b", { "a.b": "whole", a: { b: "parts" } })).toMatchObject({ roles: ["whole"] });
    expect(await roles("constructor.name", {})).toMatchObject({ roles: [] });
    expect(await roles("a.b", { a: null })).toMatchObject({ roles: [] });
  });

  test("does not carry an address that is not verified", async () => {
    const { me } = await served(publishing(one));
    const found = async (email_verified: unknown) =>
      (await me(await one.sign(claims({ email: "ann@example.com", email_verified })))).decodeJSON();
    for (const no of [false, "false", "", 0, 1, null, {}]) {
      expect(await found(no)).not.toHaveProperty("email");
    }
    for (const yes of [undefined, true, "true"]) {
      expect(await found(yes)).toMatchObject({ email: "ann@example.com" });
    }
  });

  test("row 105: none, HMAC with the public key, other algorithms and embedded keys are a 401 without a request", async () => {
    const { me, keys } = await served(publishing(one));
    expect((await me(await one.sign(claims()))).status).toBe(200);
    const pem = await exportSPKI((await importJWK(one.jwk, "RS256", { extractable: true })) as CryptoKey);
    const forged = [pem, pem.trim(), JSON.stringify(one.jwk)].map((secret) => {
      const text = unsigned({ alg: "HS256", kid: "one" }, claims());
      return `${text}.${createHmac("sha256", secret).update(text).digest("base64url")}`;
    });
    const other = await signer("one", "PS256");
    const tokens = [
      ...forged,
      `${unsigned({ alg: "none" }, claims())}.`,
      `${unsigned({ alg: "none" }, claims())}.AA`,
      await other.sign(claims()),
      await stranger.sign(claims(), { kid: "one", jwk: stranger.jwk }),
      await stranger.sign(claims(), { kid: "one", jku: `${keys.url}/evil`, x5u: `${keys.url}/evil` }),
      await one.sign(claims(), { crit: ["unheard"], unheard: true }),
      "a.b.c",
      "",
      "x".repeat(8_000),
    ];
    for (const token of tokens) expect((await me(token)).status).toBe(401);
    expect(keys.asked.map(({ path }) => path)).toEqual(["/jwks.json"]);
  });

  test("row 106: odd key ids, none among several keys, encryption keys and weak keys are a 401", async () => {
    const weak = await crypto.subtle.generateKey(
      {
        name: "RSASSA-PKCS1-v1_5",
        modulusLength: 1024,
        publicExponent: new Uint8Array([1, 0, 1]),
        hash: "SHA-256",
      },
      true,
      ["sign", "verify"],
    );
    const weakJwk = await crypto.subtle.exportKey("jwk", weak.publicKey);
    const enc = await signer("enc");
    const { me } = await served((_asked, response) =>
      json(response, {
        keys: [
          one.jwk,
          two.jwk,
          { ...enc.jwk, use: "enc" },
          { ...weakJwk, kid: "weak", key_ops: ["verify"] },
        ],
      }),
    );
    const weakText = unsigned({ alg: "RS256", kid: "weak" }, claims());
    const weakSignature = await crypto.subtle.sign(
      "RSASSA-PKCS1-v1_5",
      weak.privateKey,
      Buffer.from(weakText),
    );
    const odd = [7, "", "__proto__", ["one"], { toString: "one" }, "two"];
    const tokens = [
      `${weakText}.${Buffer.from(weakSignature).toString("base64url")}`,
      await one.sign(claims(), { kid: undefined }),
      await enc.sign(claims()),
      ...(await Promise.all(odd.map((kid) => one.sign(claims(), { kid }).catch(() => "a.b.c")))),
    ];
    for (const token of tokens) expect((await me(token)).status).toBe(401);
    expect((await me(await two.sign(claims()))).status).toBe(200);
  });

  test("is tried with each key that has its id, and accepted by none of another id", async () => {
    const named = (signer: Signer, kid: string) => ({ ...signer.jwk, kid });
    const weak = await crypto.subtle.generateKey(
      {
        name: "RSASSA-PKCS1-v1_5",
        modulusLength: 1024,
        publicExponent: new Uint8Array([1, 0, 1]),
        hash: "SHA-256",
      },
      true,
      ["sign", "verify"],
    );
    const odd = { ...(await crypto.subtle.exportKey("jwk", weak.publicKey)), key_ops: ["verify"] };
    const sets = [
      [named(two, "k"), named(one, "k")],
      [named(one, "k"), named(two, "k")],
      [named(two, "k"), named(stranger, "k"), named(one, "k"), named(two, "other")],
      // A key that cannot be used is passed over, as one that does not fit is.
      [{ ...odd, kid: "k" }, { ...named(two, "k"), n: "AQAB" }, named(one, "k")],
    ];
    for (const set of sets) {
      const { me, keys } = await served((_asked, response) => json(response, { keys: set }));
      const status = async (claimed: Readonly<Record<string, unknown>>, kid: unknown, by = one) =>
        (await me(await by.sign(claims(claimed), { kid }))).status;
      expect(await status({}, "k")).toBe(200);
      expect(await status({ exp: now() - 60 }, "k")).toBe(401);
      expect(await status({ aud: "other" }, "k")).toBe(401);
      expect(await status({}, "other")).toBe(401);
      expect(await status({}, undefined)).toBe(401);
      const forged = await signer("forged");
      expect(await status({}, "k", forged)).toBe(401);
      expect(keys.asked.length).toBeLessThanOrEqual(2);
    }
  });

  test("row 107: claims that are missing, odd or another's are a 401", async () => {
    const { me } = await served(publishing(one));
    const wrong: readonly Record<string, unknown>[] = [
      { exp: undefined },
      { exp: now() - 1 },
      { exp: "soon" },
      { nbf: now() + 60 },
      { iss: undefined },
      { iss: "https://issuer.example.com" },
      { iss: [issuer] },
      { aud: undefined },
      { aud: "https://api.example.com.evil" },
      { aud: ["other"] },
      { sub: undefined },
      { sub: "" },
      { sub: " " },
      { sub: 7 },
      { sub: { id: "ann" } },
    ];
    for (const more of wrong) expect((await me(await one.sign(claims(more)))).status).toBe(401);
    expect((await me(await one.sign(claims({ aud: ["other", audience] })))).status).toBe(200);
    const tolerant = await served(publishing(one), { clockToleranceS: 5 });
    expect((await tolerant.me(await one.sign(claims({ exp: now() - 2 })))).status).toBe(200);
    expect((await tolerant.me(await one.sign(claims({ exp: now() - 10 })))).status).toBe(401);
  });

  test("row 109: refused text with spare bits or blanks gains nothing, and an event never holds the token", async () => {
    const { me, engine } = await served(publishing(one));
    const seen: Error[] = [];
    const off = on("http.auth.failed", ({ error }) => void seen.push(error));
    const expired = await one.sign(claims({ exp: now() - 60, email: "secret@example.com" }));
    for (const token of [expired, `${expired} `, `${expired}=`, ` ${expired}`]) {
      const answer = await me(token);
      expect([answer.status, answer.text()]).toEqual([
        401,
        '{"code":"UNAUTHORIZED","message":"unauthorized"}',
      ]);
      expect(answer.headers.get("www-authenticate")).toBe("Bearer");
    }
    expect((await serveRequest(engine, "GET", "/me")).status).toBe(401);
    off();
    expect(seen[0]).toBeInstanceOf(TokenError);
    expect(seen[0]).toMatchObject({ code: "INVALID_TOKEN" });
    for (const error of seen) {
      const told = inspect(error, { depth: null, showHidden: true });
      expect(told).not.toContain("secret@");
      expect(told).not.toContain(expired.slice(0, 40));
      expect(error.cause).toBeUndefined();
    }
  });
});

describe("the keys of the issuer", () => {
  test("row 108: a flood of unknown key ids asks at most twice in a cooldown, while known keys go on", async () => {
    const { me, keys } = await served(publishing(one));
    const flood = await Promise.all(
      Array.from({ length: 200 }, (_, i) => stranger.sign(claims(), { kid: `unknown-${i}` })),
    );
    const answers = await Promise.all(flood.map(me));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([401]));
    for (const token of flood.slice(0, 20)) await me(token);
    expect(keys.asked.length).toBeLessThanOrEqual(2);
    expect((await me(await one.sign(claims()))).status).toBe(200);
  });

  test.each(Object.entries(hostile))(
    "row 108: an endpoint that %s is asked at most twice, in bounded time, and told as such",
    async (_name, answer) => {
      const { me, keys } = await served(answer, { timeoutMs: 100 });
      const token = await one.sign(claims());
      const seen: Error[] = [];
      const off = on("http.auth.failed", ({ error }) => void seen.push(error));
      const started = performance.now();
      for (let round = 0; round < 3; round++) {
        for (const { status } of await Promise.all([me(token), me(token)])) expect(status).toBe(503);
      }
      off();
      expect(performance.now() - started).toBeLessThan(HANG_MS);
      expect(keys.asked.length).toBeLessThanOrEqual(2);
      expect(keys.asked.every(({ path }) => path === "/jwks.json")).toBe(true);
      expect(seen).toHaveLength(6);
      expect(inspect(seen, { depth: null, showHidden: true })).not.toMatch(/secret-of|<h1>/);
    },
  );

  test.each(Object.entries(hostile))(
    "row 108: known keys go on beside a flood of unknown key ids, with two fetches in all, while the endpoint %s",
    async (_name, answer) => {
      const { me, keys } = await served(publishing(one), { cacheMaxAgeMs: 1, timeoutMs: 500 });
      const token = await one.sign(claims());
      expect((await me(token)).status).toBe(200);
      keys.answer = answer;
      const flood = await Promise.all(
        Array.from({ length: 100 }, (_, i) => stranger.sign(claims(), { kid: `unknown-${i}` })),
      );
      const started = performance.now();
      for (let round = 0; round < 3; round++) {
        const [strangers, known] = await Promise.all([
          Promise.all(flood.map(me)),
          Promise.all(Array.from({ length: 20 }, () => me(token))),
        ]);
        // Their keys may be new ones, which the endpoint does not give.
        expect(strangers.every(({ status }) => status === 503)).toBe(true);
        expect(known.every(({ status }) => status === 200)).toBe(true);
      }
      expect(performance.now() - started).toBeLessThan(HANG_MS);
      expect(keys.asked.length).toBeLessThanOrEqual(2);
    },
  );

  test.each(Object.entries(hostile))(
    "go on working after their age while the endpoint %s",
    async (_name, answer) => {
      const { me, keys } = await served(publishing(one), { cacheMaxAgeMs: 1, timeoutMs: 500 });
      const token = await one.sign(claims());
      expect((await me(token)).status).toBe(200);
      keys.answer = answer;
      for (let round = 0; round < 5; round++) {
        await new Promise((resolve) => setTimeout(resolve, 5));
        expect((await me(token)).status).toBe(200);
      }
      expect(keys.asked.length).toBeLessThanOrEqual(2);
    },
  );

  test("serve at once while an endpoint that failed last time is asked again", async () => {
    const { me, keys } = await served(publishing(one), {
      cacheMaxAgeMs: 1,
      cooldownMs: 1,
      timeoutMs: HANG_MS,
    });
    const token = await one.sign(claims());
    expect((await me(token)).status).toBe(200);
    keys.answer = (_asked, response) => json(response, {}, 500);
    await new Promise((resolve) => setTimeout(resolve, 5));
    expect((await me(token)).status).toBe(200);
    // It never answers, and no timer runs out: a request that waited for it would wait for ever.
    keys.answer = () => {};
    await wait(5);
    const asked = keys.asked.length;
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    try {
      expect((await Promise.race([me(token), wait(10_000)]))?.status).toBe(200);
    } finally {
      vi.useRealTimers();
    }
    await expect.poll(() => keys.asked.length).toBe(asked + 1);
  });

  test("are waited for again once an endpoint that failed has answered", async () => {
    const { me, keys } = await served(publishing(one), { cacheMaxAgeMs: 50, cooldownMs: 1 });
    const [old, fresh] = await Promise.all([one.sign(claims()), two.sign(claims())]);
    expect((await me(old)).status).toBe(200);
    keys.answer = (_asked, response) => json(response, {}, 500);
    await wait(60);
    expect((await me(old)).status).toBe(200);
    keys.answer = publishing(two);
    await expect.poll(async () => (await me(fresh)).status).toBe(200);
    // Had the failure been kept, the key that is gone would be used beside the next fetch.
    keys.answer = publishing(one);
    await wait(60);
    expect((await me(fresh)).status).toBe(401);
    expect((await me(old)).status).toBe(200);
  });

  test("rotate while requests run: the new key is known at once, the old one as long as it is published", async () => {
    const { me, keys } = await served(publishing(one));
    const [old, fresh] = await Promise.all([one.sign(claims()), two.sign(claims())]);
    expect((await me(old)).status).toBe(200);
    keys.answer = publishing(one, two);
    const during = await Promise.all(Array.from({ length: 40 }, (_, i) => me(i % 2 ? old : fresh)));
    expect(new Set(during.map(({ status }) => status))).toEqual(new Set([200]));
    expect(keys.asked).toHaveLength(2);
  });

  test("are asked for again after the cooldown, and a key that is gone is refused after the age", async () => {
    const { me, keys } = await served(publishing(one), { cooldownMs: 50, cacheMaxAgeMs: 50 });
    const [old, fresh] = await Promise.all([one.sign(claims()), two.sign(claims())]);
    expect((await me(old)).status).toBe(200);
    keys.answer = publishing(two);
    await new Promise((resolve) => setTimeout(resolve, 60));
    expect((await me(old)).status).toBe(401);
    expect((await me(fresh)).status).toBe(200);
  });

  test("may be of another algorithm where it is configured, and no other then", async () => {
    const curve = await signer("curve", "ES256");
    const { me } = await served(publishing(one, curve), { algorithms: ["ES256"] });
    expect((await me(await curve.sign(claims()))).status).toBe(200);
    expect((await me(await one.sign(claims()))).status).toBe(401);
  });
});

describe("a configuration", () => {
  const good: JwtOptions = { domain: "issuer.example.com", audience };

  test.each([
    ["an empty domain", { domain: "" }],
    ["an empty domain beside an issuer", { domain: " ", issuer, jwksUri: "https://issuer.example.com/keys" }],
    ["a domain with a scheme", { domain: "https://issuer.example.com" }],
    ["a domain with a path", { domain: "issuer.example.com/realm" }],
    ["an empty audience", { audience: "" }],
    ["no audience", { audience: [] }],
    ["an empty audience in a list", { audience: ["a", ""] }],
    ["an empty issuer", { issuer: "" }],
    ["an empty claim", { rolesClaim: "" }],
    ["no algorithm", { algorithms: [] }],
    ["the algorithm none", { algorithms: ["none"] }],
    ["a symmetric algorithm", { algorithms: ["RS256", "HS256"] }],
    ["keys over http", { jwksUri: "http://issuer.example.com/keys" }],
    ["keys in a file", { jwksUri: "file:///etc/keys" }],
    ["no time", { timeoutMs: 0 }],
    ["a tolerance that is not a number", { clockToleranceS: Number.NaN }],
  ] satisfies [string, Partial<JwtOptions>][])("row 110: with %s is refused", (_name, wrong) => {
    expect(() => jwtExtractor({ ...good, ...wrong })).toThrow(
      expect.objectContaining({ code: "DECLARATION" }),
    );
  });

  test("carries its scheme into the document, also when it is enriched with the application's data", async () => {
    interface Member extends Identity {
      readonly plan: string;
    }
    const member = enrich(
      jwtExtractor(good),
      (found): Member => ({ ...found, plan: String(found.claims["plan"] ?? "free") }),
    );
    const document = createEngine<Member>()
      .withAuthenticator(member)
      .withHandlers(GET("/me", { scopes: ["read"] }, () => 1))
      .openapi();
    expect(document.components?.securitySchemes).toEqual({
      bearerAuth: { type: "http", scheme: "bearer", bearerFormat: "JWT" },
    });
    expect(document.paths?.["/me"]?.get?.security).toEqual([{ bearerAuth: ["read"] }]);
  });
});
