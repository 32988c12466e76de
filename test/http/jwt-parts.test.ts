/** The extractor of bearer tokens and its keys, called directly: what it refuses by itself, and when it asks for keys. */
import type { Request } from "express";
import type { JWTPayload } from "jose";
import { type JwtOptions, jwtExtractor } from "rowtype/http/jwt";
import { afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { type Signer, signer } from "./provider.js";

const audience = "https://api.example.com";
const issuer = "https://issuer.example.com/";
let one: Signer;
let two: Signer;
beforeAll(async () => {
  [one, two] = await Promise.all([signer("one"), signer("two")]);
});
afterEach(() => {
  vi.useRealTimers();
});

const claims = (more: Readonly<Record<string, unknown>> = {}): JWTPayload => ({
  iss: issuer,
  aud: audience,
  sub: "ann",
  exp: Math.floor(Date.now() / 1000) + 60,
  ...more,
});

/** An extractor whose keys a function gives, and the requests for them. */
function extracting(
  options: Partial<JwtOptions> = {},
  answer: () => Response | Promise<Response> = () => Response.json({ keys: [one.jwk] }),
) {
  const asked: (readonly [url: string, init: RequestInit | undefined])[] = [];
  const extract = jwtExtractor({
    domain: "issuer.example.com",
    audience,
    ...options,
    fetch: async (url, init) => {
      asked.push([String(url), init]);
      return answer();
    },
  });
  const of = async (request: unknown) => extract(request as Request, { signal: AbortSignal.timeout(60_000) });
  return { asked, of, byHeader: (authorization: string | undefined) => of({ headers: { authorization } }) };
}

/** What the extractor says of a token: its caller's id, or the code of its error and what stands in brackets behind. */
async function said(outcome: Promise<unknown>): Promise<unknown> {
  return outcome.then(
    (identity) => (identity === null ? null : Object(identity).id),
    (error: unknown) => `${Object(error).code}: ${Object(error).message}`,
  );
}

const notSigned = "INVALID_TOKEN: the bearer token is not a signed JWT";

describe("a request", () => {
  test("without a bearer token is nobody's, whatever else it carries, and asks for no keys", async () => {
    const { asked, of, byHeader } = extracting();
    const token = await one.sign(claims());
    for (const request of [undefined, null, {}, { headers: undefined }, { headers: {} }])
      expect(await of(request)).toBeNull();
    for (const header of [
      "",
      " ",
      token,
      `Basic ${token}`,
      `DPoP ${token}`,
      `Bearers ${token}`,
      `xBearer ${token}`,
      ` Bearer ${token}`,
    ])
      expect([header, await byHeader(header)]).toEqual([header, null]);
    expect(asked).toEqual([]);
  });

  test("has its token behind any number of blanks, and a scheme in any case", async () => {
    const { byHeader } = extracting();
    const token = await one.sign(claims());
    for (const start of ["Bearer ", "bearer  ", "BEARER      "])
      expect(await said(byHeader(start + token))).toBe("ann");
  });

  test("with anything around the token is refused before keys are asked for", async () => {
    const { asked, byHeader } = extracting();
    const token = await one.sign(claims());
    const [header, payload, signature] = token.split(".");
    const wrong = [
      "x",
      `${header}.${payload}`,
      `${header}.${payload}.`,
      `.${payload}.${signature}`,
      `${header}..${signature}`,
      ...["=", ".", " ", "+", "/", ",", "\u00e9", ".x", " x"].map((more) => token + more),
      ...["=", ".", "+", "/", ",", "\u00e9", "x ", "x."].map((more) => more + token),
    ];
    for (const text of wrong)
      expect([text, await said(byHeader(`Bearer ${text}`))]).toEqual([text, notSigned]);
    for (const text of ["Bearer", "Bearer ", "bearer    "])
      expect(await said(byHeader(text))).toBe(notSigned);
    expect(asked).toEqual([]);
  });
});

describe("a verified token", () => {
  test("without a subject that is text is refused", async () => {
    const { byHeader } = extracting();
    for (const sub of [7, true, null, {}, ["ann"], "", "  "]) {
      const token = await one.sign(claims({ sub } as never));
      expect([sub, await said(byHeader(`Bearer ${token}`))]).toEqual([
        sub,
        "INVALID_TOKEN: the subject of the token is not text, or is empty",
      ]);
    }
  });

  test("has its scopes in the claim that is named, and in no other", async () => {
    const scopes = async (options: Partial<JwtOptions>, more: object) => {
      const identity = await extracting(options).byHeader(`Bearer ${await one.sign(claims({ ...more }))}`);
      return identity?.scopes;
    };
    const all = { scope: "a b", scp: ["c"], permissions: ["d"] };
    expect(await scopes({}, all)).toEqual(["a", "b"]);
    expect(await scopes({}, { scp: ["c"] })).toEqual(["c"]);
    expect(await scopes({ scopesClaim: "permissions" }, all)).toEqual(["d"]);
    expect(await scopes({ scopesClaim: "permissions" }, { scope: "a", scp: ["c"] })).toEqual([]);
  });

  test("that its claims refuse is not tried with another key of the same id", async () => {
    const published = () => Response.json({ keys: [one.jwk, { ...two.jwk, kid: one.jwk.kid }] });
    const { byHeader } = extracting({}, published);
    const outcome = async (by: Signer, more: object) =>
      said(byHeader(`Bearer ${await by.sign(claims({ ...more }), { kid: one.jwk.kid })}`));
    for (const by of [one, two]) {
      expect(await outcome(by, {})).toBe("ann");
      expect(await outcome(by, { exp: 1 })).toContain("ERR_JWT_EXPIRED");
      expect(await outcome(by, { aud: "other" })).toContain("ERR_JWT_CLAIM_VALIDATION_FAILED (aud)");
      expect(await outcome(by, { iss: "other" })).toContain("ERR_JWT_CLAIM_VALIDATION_FAILED (iss)");
    }
    const stranger = await signer("stranger");
    expect(await outcome(stranger, { exp: 1 })).toContain("ERR_JWS_SIGNATURE_VERIFICATION_FAILED");
  });
});

test("options are refused outside of their bounds, and taken at them", () => {
  const made = (options: object) => () => extracting(options);
  const refused = expect.objectContaining({ code: "DECLARATION" });
  for (const clockToleranceS of [
    -1,
    -0.1,
    600.1,
    601,
    Number.NaN,
    Number.POSITIVE_INFINITY,
    "5",
    null,
    [5],
    5n,
  ])
    expect(made({ clockToleranceS })).toThrow(refused);
  for (const clockToleranceS of [0, 0.5, 600]) expect(made({ clockToleranceS })).not.toThrow();
  for (const domain of [
    "",
    "a b",
    "https://a.example.com",
    "a.example.com/",
    "a.example.com:",
    "a:1:2",
    ":443",
    "a@b",
    "a\n",
  ])
    expect(made({ domain })).toThrow(refused);
  for (const domain of ["a", "a-b.example.com", "LOCALHOST:8", "localhost:8443"])
    expect(made({ domain })).not.toThrow();
});

describe("keys", () => {
  test("are asked for as JSON, and taken from an answer of 200 alone", async () => {
    for (const status of [200, 201, 203, 206, 301, 304, 400, 404, 500, 503]) {
      const keys = JSON.stringify({ keys: [one.jwk] });
      const { asked, byHeader } = extracting(
        {},
        () => new Response(status === 304 ? null : keys, { status }),
      );
      const outcome = byHeader(`Bearer ${await one.sign(claims())}`);
      if (status === 200) expect(await said(outcome)).toBe("ann");
      else
        await expect(outcome).rejects.toMatchObject({
          code: "KEYS_UNAVAILABLE",
          cause: { message: expect.stringContaining(String(status)) },
        });
      const [url, init] = asked[0] ?? [];
      expect(url).toBe("https://issuer.example.com/.well-known/jwks.json");
      expect(new Headers(init?.headers).get("accept")).toBe("application/json, application/jwk-set+json");
    }
  });

  test("are asked for again for an id that is not there, and for nothing else", async () => {
    const { asked, byHeader } = extracting();
    expect(await said(byHeader(`Bearer ${await one.sign(claims())}`))).toBe("ann");
    // Without an id, or refused for another reason, other keys would not help.
    for (const header of [{ kid: undefined }, { kid: 7 }])
      await said(byHeader(`Bearer ${await two.sign(claims(), header)}`));
    expect(await said(byHeader(`Bearer ${await two.sign(claims(), { kid: one.jwk.kid })}`))).toContain(
      "SIGNATURE",
    );
    expect(await said(byHeader(`Bearer ${await one.sign(claims({ exp: 1 }))}`))).toContain("EXPIRED");
    expect(asked).toHaveLength(1);
    expect(await said(byHeader(`Bearer ${await two.sign(claims())}`))).toContain("ERR_JWKS_NO_MATCHING_KEY");
    expect(asked).toHaveLength(2);
  });

  test("are used for their age, and after it as long as there are no others", async () => {
    vi.useFakeTimers({ toFake: ["performance"] });
    const { asked, byHeader } = extracting({ cacheMaxAgeMs: 1_000, cooldownMs: 10_000 });
    const token = await one.sign(claims());
    const counts: unknown[] = [];
    for (const passed of [5_000, 999, 1, 2, 1_001, 1_001, 6_995, 1]) {
      vi.advanceTimersByTime(passed);
      expect(await said(byHeader(`Bearer ${token}`))).toBe("ann");
      counts.push(asked.length);
    }
    // Twice in a cooldown; then the old ones are good enough.
    expect(counts).toEqual([1, 1, 1, 2, 2, 2, 2, 3]);
  });

  test("are waited for a second if there are old ones, and as long as it takes if there are none", async () => {
    vi.useFakeTimers({ toFake: ["performance", "setTimeout", "clearTimeout"] });
    const gates: ((answer: Response) => void)[] = [];
    const waiting = () => new Promise<Response>((resolve) => void gates.push(resolve));
    const { byHeader } = extracting({ cacheMaxAgeMs: 1_000, timeoutMs: 60_000 }, waiting);
    const token = await one.sign(claims());
    const start = async () => {
      let outcome: unknown;
      const asking = said(byHeader(`Bearer ${token}`)).then((result) => {
        outcome = result;
      });
      await expect.poll(() => gates.length, { interval: 1 }).toBeGreaterThan(0);
      return { outcome: () => outcome, asking };
    };
    const first = await start();
    await vi.advanceTimersByTimeAsync(5_000);
    expect(first.outcome()).toBeUndefined();
    gates.pop()?.(Response.json({ keys: [one.jwk] }));
    await first.asking;
    expect(first.outcome()).toBe("ann");
    await vi.advanceTimersByTimeAsync(2_000);
    const second = await start();
    await vi.advanceTimersByTimeAsync(999);
    expect(second.outcome()).toBeUndefined();
    await vi.advanceTimersByTimeAsync(1);
    await second.asking;
    expect(second.outcome()).toBe("ann");
    // It is still being fetched: who comes later does not wait a second more.
    await said(byHeader(`Bearer ${token}`));
    gates.pop()?.(Response.json({ keys: [one.jwk] }));
  });
});
