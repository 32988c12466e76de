import { inspect } from "node:util";
import { LoginRequired, type OAuthOptions, ProviderError, refreshToken } from "rowtype/http/oauth";
import { describe, expect, test } from "vitest";
import { expectSoon, HANG_MS } from "../stopwatch.js";
import { hostile, json, type Provider, provider, signer } from "./provider.js";

const SECRET = "the-client-secret";
const TOKEN = "the-refresh-token";

async function asking(answer: Provider["answer"], more: Partial<OAuthOptions> = {}) {
  const server = await provider(answer);
  const options: OAuthOptions = {
    clientId: "shop",
    clientSecret: SECRET,
    tokenEndpoint: `${server.url}/token`,
    timeoutMs: HANG_MS,
    ...more,
  };
  return { server, options, refresh: (token = TOKEN) => refreshToken(options, token) };
}

const tokens = { access_token: "fresh", token_type: "Bearer", expires_in: 60 };

/** What went wrong, with all that an error can tell. */
async function failureOf(promise: Promise<unknown>) {
  const error = await promise.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof LoginRequired) && !(error instanceof ProviderError)) throw error;
  const told = inspect(error, { depth: null, showHidden: true });
  for (const secret of [SECRET, TOKEN, "secret-of-the-provider"]) expect(told).not.toContain(secret);
  return error;
}

describe("refreshToken", () => {
  test("gives tokens in camelCase, and the old refresh token if the answer has no new one", async () => {
    const { refresh, server } = await asking((_asked, response) => json(response, tokens));
    expect(await refresh()).toEqual({
      accessToken: "fresh",
      tokenType: "bearer",
      expiresIn: 60,
      refreshToken: TOKEN,
    });
    const [asked] = server.asked;
    expect(Object.fromEntries(new URLSearchParams(asked?.body))).toEqual({
      grant_type: "refresh_token",
      refresh_token: TOKEN,
    });
    expect(asked?.headers.authorization).toBe(
      `Basic ${Buffer.from("shop:the-client-secret".replaceAll("-", "%2D")).toString("base64")}`,
    );
    server.answer = (_asked, response) => json(response, { ...tokens, refresh_token: "next", scope: "a b" });
    expect(await refresh()).toMatchObject({ refreshToken: "next", scope: "a b" });
  });

  test("sends the secret in the body where that is asked for", async () => {
    const { refresh, server } = await asking((_asked, response) => json(response, tokens), {
      clientAuthentication: "post",
    });
    await refresh();
    expect(new URLSearchParams(server.asked[0]?.body).get("client_secret")).toBe(SECRET);
    expect(server.asked[0]?.headers.authorization).toBeUndefined();
  });

  test("row 101: twenty calls at once for one token are one request, for two tokens two", async () => {
    const { refresh, server } = await asking((_asked, response) => {
      setTimeout(() => json(response, { ...tokens, refresh_token: "next" }), 20);
    });
    const all = await Promise.all(Array.from({ length: 20 }, () => refresh()));
    expect(new Set(all.map(({ refreshToken }) => refreshToken))).toEqual(new Set(["next"]));
    expect(server.asked).toHaveLength(1);
    await Promise.all([refresh("a"), refresh("b"), refresh("a")]);
    expect(server.asked).toHaveLength(3);
  });

  test.each([
    [400, { error: "invalid_grant", error_description: `secret-of-the-provider ${TOKEN}` }],
    // GitHub refuses so.
    [200, { error: "bad_refresh_token", error_description: "secret-of-the-provider" }],
    [200, { error: "invalid_grant", access_token: TOKEN, token_type: "bearer" }],
    [401, { error: "invalid_grant" }],
    [500, { error: "invalid_grant" }],
    [400, { error: "secret-of-the-provider" }],
    [400, { error: 7 }],
    [403, "no JSON object"],
  ])("row 101: a refusal with status %i means logging in again, for all who asked", async (status, body) => {
    const { refresh, server } = await asking((_asked, response) => json(response, body, status));
    const failures = await Promise.all(Array.from({ length: 20 }, () => failureOf(refresh())));
    for (const error of failures) expect(error).toMatchObject({ code: "LOGIN_REQUIRED" });
    expect(server.asked).toHaveLength(1);
    expect(await failureOf(refreshToken({ ...(await asking(() => {})).options }, ""))).toMatchObject({
      code: "LOGIN_REQUIRED",
    });
  });

  test.each(
    [200, 400, 401, 403].flatMap((status) =>
      [
        "invalid_client",
        "unauthorized_client",
        "unsupported_grant_type",
        "invalid_request",
        "invalid_scope",
        "incorrect_client_credentials",
        "server_error",
        "temporarily_unavailable",
      ].map((error) => [status, error] as const),
    ),
  )("with status %i, %s logs nobody out: it is a ProviderError that says so", async (status, error) => {
    const { refresh } = await asking((_asked, response) =>
      json(response, { error, error_description: `secret-of-the-provider ${TOKEN}` }, status),
    );
    const failure = await failureOf(refresh());
    expect(failure).toMatchObject({ code: "PROVIDER_FAILED", status });
    expect(failure.message).toContain(`(${error})`);
  });

  test("a bare 401 is of the client too (RFC 6749, 5.2)", async () => {
    const { refresh } = await asking((_asked, response) => json(response, { message: "no" }, 401));
    expect(await failureOf(refresh())).toMatchObject({ code: "PROVIDER_FAILED", status: 401 });
  });

  test.each([
    ...Object.entries(hostile),
    [
      "is overloaded",
      (_asked, response) => json(response, { error: "temporarily_unavailable" }, 429),
    ] satisfies [string, Provider["answer"]],
    ["gives no access token", (_asked, response) => json(response, { token_type: "Bearer" })] satisfies [
      string,
      Provider["answer"],
    ],
    [
      "gives a token of an odd type",
      (_asked, response) => json(response, { ...tokens, token_type: "mac", access_token: TOKEN }),
    ] satisfies [string, Provider["answer"]],
    [
      "gives an ID token that is none",
      (_asked, response) => json(response, { ...tokens, id_token: TOKEN }),
    ] satisfies [string, Provider["answer"]],
  ])(
    "row 100: a server that %s is a ProviderError in time, and nothing secret is told",
    async (_name, answer) => {
      const { refresh, server } = await asking(answer, { timeoutMs: 400 });
      let calls = 0;
      // One of the client's default is 5 s.
      await expectSoon(2_500, async () => {
        calls++;
        expect(await failureOf(refresh())).toMatchObject({ code: "PROVIDER_FAILED" });
      });
      expect(server.asked).toHaveLength(calls);
    },
  );

  test("row 100: a server that cannot be reached, and a fetch that throws secrets or ignores its signal, are ProviderErrors", async () => {
    const { options } = await asking(() => {}, { timeoutMs: 400 });
    const nowhere = { ...options, tokenEndpoint: "http://127.0.0.1:1/token" };
    expect(await failureOf(refreshToken(nowhere, TOKEN))).toMatchObject({ code: "PROVIDER_FAILED" });
    const thrower = { ...options, fetch: () => Promise.reject(new Error(SECRET)) };
    expect(await failureOf(refreshToken(thrower, TOKEN))).toMatchObject({ code: "PROVIDER_FAILED" });
    const sleeper = { ...options, fetch: () => new Promise<never>(() => {}) };
    expect(await failureOf(refreshToken(sleeper, TOKEN))).toMatchObject({ code: "PROVIDER_FAILED" });
  });

  test("an ID token must be for this client, not expired, and of the issuer where that is set", async () => {
    const key = await signer("one");
    const now = Math.floor(Date.now() / 1000);
    const good = { iss: "https://id.example.com", aud: "shop", sub: "ann", iat: now, exp: now + 60 };
    const issuer = "https://id.example.com";
    const outcome = async (claims: Record<string, unknown>, more: Partial<OAuthOptions>) => {
      const id_token = await key.sign(claims);
      const { refresh } = await asking((_asked, response) => json(response, { ...tokens, id_token }), more);
      return refresh().then(
        ({ idToken }) => idToken === id_token,
        (error: ProviderError) => error.code,
      );
    };
    expect(await outcome(good, { issuer })).toBe(true);
    expect(await outcome(good, {})).toBe(true);
    expect(await outcome(good, { issuer: "https://other.example.com" })).toBe("PROVIDER_FAILED");
    for (const wrong of [{ aud: "other" }, { exp: now - 120 }]) {
      expect(await outcome({ ...good, ...wrong }, { issuer })).toBe("PROVIDER_FAILED");
      expect(await outcome({ ...good, ...wrong }, {})).toBe("PROVIDER_FAILED");
    }
  });

  test.each([
    ["no client", { clientId: "" }],
    ["an empty secret", { clientSecret: "" }],
    ["an endpoint over http", { tokenEndpoint: "http://id.example.com/token" }],
    ["an endpoint that is not a URL", { tokenEndpoint: "/token" }],
    ["an empty issuer", { issuer: "" }],
  ] satisfies [string, Partial<OAuthOptions>][])(
    "a configuration with %s is refused",
    async (_name, wrong) => {
      const { options } = await asking(() => {});
      await expect(refreshToken({ ...options, ...wrong }, TOKEN)).rejects.toMatchObject({
        code: "DECLARATION",
      });
    },
  );
});
