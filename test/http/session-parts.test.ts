/** What sessions are made of, each part alone: the configuration, the stored data, the store in memory, cookies, targets. */
import { createHmac } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { type LoginState, memoryStore, type StoredSession } from "rowtype/http/session";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { digest, equalDigests, newId, signedCookie, signKeys } from "../../src/http/session/cookies.js";
import { checkedSettings, type SessionsOptions } from "../../src/http/session/settings.js";
import { storedData } from "../../src/http/session/stored-data.js";
import { allowList, anyTarget, ownPath } from "../../src/http/session/targets.js";

const HOUR = 3_600_000;
const options: SessionsOptions<object> = {
  oauth: {
    clientId: "shop",
    clientSecret: "secret",
    redirectUri: "https://shop.example.com/callback",
    scopes: ["openid"],
    authorizationEndpoint: "https://id.example.com/authorize",
    tokenEndpoint: "https://id.example.com/token",
  },
  store: memoryStore(),
  cookie: { signKey: "k".repeat(32) },
  resolve: () => ({ userId: "ann" }),
  afterLogin: "/welcome",
};
type Wrong = { readonly [K in keyof SessionsOptions<object>]?: unknown };
/** The message of a refusal. */
const refusal = (call: () => unknown): string => {
  try {
    call();
  } catch (error) {
    expect(error).toMatchObject({ code: "DECLARATION" });
    return error instanceof Error ? error.message : String(error);
  }
  return "taken";
};

describe("the configuration of sessions", () => {
  const refused = (wrong: Wrong) =>
    refusal(() => checkedSettings({ ...options, ...wrong } as SessionsOptions<object>));
  const oauth = (wrong: object) => ({ oauth: { ...options.oauth, ...wrong } });

  test("has its defaults, and what is given instead", () => {
    expect(checkedSettings(options)).toMatchObject({
      afterLogin: "/welcome",
      redirectUri: "https://shop.example.com/callback",
      scopes: ["openid"],
      idleMs: 2 * HOUR,
      absoluteMs: 24 * HOUR,
      loginMs: HOUR / 6,
      storeTimeoutMs: 3_000,
      resolveTimeoutMs: 10_000,
      sessionCookie: { name: "__Host-sid" },
      loginCookie: { name: "__Host-login" },
    });
    const lifetimes = { idleMs: 1, absoluteMs: 2, loginMs: 3 };
    const given = { ...options, lifetimes, storeTimeoutMs: 4, resolveTimeoutMs: 5 };
    expect(checkedSettings(given)).toMatchObject({ ...lifetimes, storeTimeoutMs: 4, resolveTimeoutMs: 5 });
  });

  test("has only known options, at each of its levels", () => {
    expect(refused({ more: 1 } as Wrong)).toContain('unknown option "more" of sessions');
    expect(refused({ cookie: { ...options.cookie, secure: false } })).toContain("of cookie");
    expect(refused({ lifetimes: { idle: 1 } })).toContain("of lifetimes");
    expect(refused(oauth({ more: 1 }))).toContain('"more"');
    for (const lifetimes of [null, 7, "long"]) expect(refused({ lifetimes })).toContain("lifetimes");
  });

  test("has times above 0", () => {
    for (const wrong of [0, -1, Number.NaN, Number.POSITIVE_INFINITY, "7", null]) {
      for (const name of ["idleMs", "absoluteMs", "loginMs"])
        expect(refused({ lifetimes: { [name]: wrong } })).toBe(`${name} is a number above 0`);
      for (const name of ["storeTimeoutMs", "resolveTimeoutMs"])
        expect(refused({ [name]: wrong })).toBe(`${name} is a number above 0`);
    }
  });

  test("has a function, a complete store, and scopes that are names", () => {
    for (const resolve of [undefined, {}, "resolve"])
      expect(refused({ resolve })).toBe("resolve is a function");
    // Only `endAll` asks for `deleteByUser`.
    const { deleteByUser: _, ...whole } = memoryStore();
    for (const name of Object.keys(whole))
      for (const method of [undefined, 7])
        expect(refused({ store: { ...whole, [name]: method } })).toBe(`store needs a method ${name}`);
    const fine = [[], ["a"], ["a", "b:c/d", "!#[]~"]];
    for (const scopes of fine) expect(refused(oauth({ scopes }))).toBe("taken");
    const odd = [
      undefined,
      null,
      "openid",
      {},
      [7],
      [""],
      ["a b"],
      ["a", 'b"'],
      ["a\\"],
      ["ä"],
      ["a\u007f"],
      [null],
    ];
    for (const scopes of odd) expect(refused(oauth({ scopes }))).toBe("scopes are a list of names");
    const { proxy, revoke } = Proxy.revocable<string[]>([], {});
    revoke();
    expect(refused(oauth({ scopes: proxy }))).toBe("scopes are a list of names");
  });

  test("has a redirect URL without a fragment", () => {
    const uri = "https://shop.example.com/callback";
    for (const redirectUri of [`${uri}?a=1`, "http://localhost:3000/cb"])
      expect(refused(oauth({ redirectUri }))).toBe("taken");
    expect(refused(oauth({ redirectUri: `${uri}#a` }))).toBe("redirectUri has no fragment");
    expect(refused(oauth({ redirectUri: "/callback" }))).toContain("redirectUri");
  });
});

describe("the data of a session", () => {
  test("is a copy of its own fields, as JSON keeps them", () => {
    const meta = { at: new Date(0), none: undefined, list: [1, null] };
    const given = { userId: "ann", tenantId: "t", email: "a@x.org", scopes: ["s"], roles: ["r"], meta };
    expect(storedData({ ...given, more: 1 })).toStrictEqual({
      ...given,
      meta: { at: "1970-01-01T00:00:00.000Z", list: [1, null] },
    });
    expect(storedData({ userId: "ann", tenantId: null, email: null })).toStrictEqual({ userId: "ann" });
    expect(storedData({ userId: "ann", meta: [] })).toStrictEqual({ userId: "ann", meta: [] });
  });

  test.each([
    ["the user", undefined, "undefined"],
    ["the user", null, "null"],
    ["the user", "ann", "a string"],
    ["userId", {}, "undefined"],
    ["userId", { userId: "" }, "a string"],
    ["userId", { userId: 7 }, "a number"],
    ["meta", { userId: "ann", meta: null }, "null"],
    ["meta", { userId: "ann", meta: "text" }, "a string"],
    ["tenantId", { userId: "ann", tenantId: 7 }, "a number"],
    ["email", { userId: "ann", email: {} }, "an object"],
    ["scopes", { userId: "ann", scopes: "read" }, "a string"],
    ["scopes", { userId: "ann", scopes: null }, "null"],
    ["roles", { userId: "ann", roles: ["a", 7] }, "an array"],
    ["roles", { userId: "ann", roles: {} }, "an object"],
  ])("has no other %s: %j", (what, given, type) => {
    expect(refusal(() => storedData(given))).toBe(`${what} of a session cannot be ${type}`);
  });
});

describe("the store in memory", () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ["Date"], now: 1_000_000 }));
  afterEach(() => void vi.useRealTimers());

  const login = (more: object = {}): LoginState => ({
    ...{ browser: "b", verifier: "v", returnTo: "/", expiresAt: Date.now() + 100 },
    ...more,
  });
  const session = (more: object = {}): StoredSession => ({
    ...{ data: { userId: "ann" }, createdAt: Date.now() },
    ...{ expiresAt: Date.now() + 200, idleExpiresAt: Date.now() + 100 },
    ...more,
  });
  const pass = (ms: number) => void vi.setSystemTime(Date.now() + ms);

  test("gives a login once, until its time is over", async () => {
    const store = memoryStore();
    await store.putState("a", login());
    expect(await store.takeState("a")).toEqual(login());
    expect(await store.takeState("a")).toBeNull();
    for (const [ms, isThere] of [
      [99, true],
      [100, false],
      [101, false],
    ] as const) {
      await store.putState("a", login());
      pass(ms);
      expect((await store.takeState("a")) !== null, `${ms}`).toBe(isThere);
    }
  });

  test("gives a session until the first of its times is over, and a touch moves one of them", async () => {
    const store = memoryStore();
    const isThere = async () => (await store.get("a")) !== null;
    const first = session();
    await store.create("a", first);
    expect(await store.get("a")).toEqual(first);
    pass(99);
    expect(await isThere()).toBe(true);
    await store.touch("a", first.idleExpiresAt + 50);
    expect(await store.get("a")).toEqual({ ...first, idleExpiresAt: first.idleExpiresAt + 50 });
    pass(50);
    expect(await isThere()).toBe(true);
    pass(1);
    expect(await isThere()).toBe(false);
    // What is over is not opened again.
    await store.touch("a", Date.now() + 1_000);
    expect(await isThere()).toBe(false);
    await store.touch("none", Date.now() + 1_000);
    expect(await store.get("none")).toBeNull();
    // The other time.
    await store.create("a", session({ expiresAt: Date.now() + 10, idleExpiresAt: Date.now() + 1_000 }));
    pass(9);
    expect(await isThere()).toBe(true);
    pass(1);
    expect(await isThere()).toBe(false);
    await store.create("a", session());
    await store.delete("a");
    expect(await isThere()).toBe(false);
  });

  test("keeps copies", async () => {
    const store = memoryStore();
    const held = session({ data: { userId: "ann", roles: ["a"] } });
    await store.create("a", held);
    (held.data.roles as string[]).push("admin");
    const read = await store.get("a");
    expect(read?.data.roles).toEqual(["a"]);
    (read?.data as { roles: string[] } | undefined)?.roles.push("admin");
    expect((await store.get("a"))?.data.roles).toEqual(["a"]);
  });

  test("holds as many as it may, the last used ones, of logins and of sessions alone", async () => {
    const store = memoryStore({ maxLogins: 2, maxSessions: 3 });
    for (const key of ["a", "b", "c"]) await store.putState(key, login());
    expect(
      await Promise.all(["a", "b", "c"].map(async (key) => (await store.takeState(key)) !== null)),
    ).toEqual([false, true, true]);
    for (const key of ["a", "b", "c"]) await store.create(key, session());
    await store.get("a");
    await store.create("d", session());
    expect(
      await Promise.all(["a", "b", "c", "d"].map(async (key) => (await store.get(key)) !== null)),
    ).toEqual([true, false, true, true]);
  });

  test("takes out what is over, so that it does not push out what is in use", async () => {
    // A thousand changes later at the latest.
    const store = memoryStore({ maxSessions: 1_500 });
    await store.create("kept", session({ expiresAt: Date.now() + 1e6, idleExpiresAt: Date.now() + 1e6 }));
    for (let i = 0; i < 998; i++) await store.create(`old ${i}`, session());
    pass(100);
    await store.create("at 1,000", session());
    for (let i = 0; i < 1_498; i++) await store.create(`new ${i}`, session());
    expect(await store.get("kept")).not.toBeNull();
    await store.create("one more", session());
    await store.create("two more", session());
    expect(await store.get("at 1,000")).toBeNull();
  });

  test("takes limits above 0, objects, and no other options", async () => {
    for (const wrong of [{ maxLogins: 0 }, { maxSessions: -1 }, { maxSessions: "7" }, { max: 7 }])
      expect(refusal(() => memoryStore(wrong as object))).not.toBe("taken");
    const store = memoryStore();
    await expect(store.putState("a", undefined as never)).rejects.toThrow("the fields of a login");
    await expect(store.create("a", 7 as never)).rejects.toThrow("the fields of a session");
  });
});

describe("a signed cookie", () => {
  const keys = signKeys({ signKey: ["new".repeat(12), "old".repeat(12)] });
  const cookie = signedCookie("sid", { signKey: "" }, keys, 1_500);
  const signed = (id: string, key: string, name = "__Host-sid") =>
    `${id}.${createHmac("sha256", key).update(`${name}.${id}`).digest("hex")}`;
  const read = (header: string | undefined) =>
    cookie.read({ headers: { cookie: header } } as IncomingMessage);
  const sent = (call: (response: ServerResponse) => void) => {
    const set: unknown[] = [];
    call({ appendHeader: (...header: unknown[]) => set.push(header) } as unknown as ServerResponse);
    return set;
  };

  test("is signed by the first key, and read with each", () => {
    const [[, text]] = sent((response) => cookie.write(response, "ann")) as [[string, string]];
    expect(text).toBe(
      `__Host-sid=${signed("ann", "new".repeat(12))}; Max-Age=2; Path=/; HttpOnly; Secure; SameSite=Lax`,
    );
    for (const key of ["new", "old"]) expect(read(`__Host-sid=${signed("ann", key.repeat(12))}`)).toBe("ann");
    expect(read(`__Host-sid=${signed("ann", "other".repeat(12))}`)).toBeNull();
    expect(sent((response) => cookie.clear(response))).toEqual([
      ["Set-Cookie", "__Host-sid=; Max-Age=0; Path=/; HttpOnly; Secure; SameSite=Lax"],
    ]);
  });

  test("is one id: the same twice is one, another beside it is none", () => {
    const key = "new".repeat(12);
    const [one, two] = [`__Host-sid=${signed("one", key)}`, `__Host-sid=${signed("two", key)}`];
    expect(read(`${one}; ${one}`)).toBe("one");
    expect(read(`${one}; ${two}`)).toBeNull();
    expect(read(`${one}; __Host-sid=two.odd`)).toBe("one");
    for (const none of [undefined, "", "a=b"]) expect(read(none)).toBeNull();
    expect(cookie.read(undefined as unknown as IncomingMessage)).toBeNull();
    expect(cookie.read({} as IncomingMessage)).toBeNull();
  });

  test("is looked for among sixteen of its name", () => {
    const good = `__Host-sid=${signed("ann", "new".repeat(12))}`;
    expect(read(`${"__Host-sid=x; ".repeat(15)}${good}`)).toBe("ann");
    expect(read(`${"__Host-sid=x; ".repeat(16)}${good}`)).toBeNull();
  });

  test("has an id of 1 to 128 letters", () => {
    const of = (id: string) => read(`__Host-sid=${signed(id, "new".repeat(12))}`);
    for (const id of ["a", "_-9", "x".repeat(128)]) expect(of(id)).toBe(id);
    for (const id of ["", "x".repeat(129), "a.b", "a b", "ä"]) expect(of(id)).toBeNull();
    const good = signed("ann", "new".repeat(12));
    for (const text of [`!${good}`, `${good}0`, `${good}!`, good.slice(0, -1), good.toUpperCase()])
      expect(read(`__Host-sid=${text}`), text).toBeNull();
  });

  test("has a key of 32 bytes or more, and a path", () => {
    for (const signKey of [
      "k".repeat(32),
      "ü".repeat(16),
      new Uint8Array(32),
      [Buffer.alloc(32), "k".repeat(33)],
    ])
      expect(refusal(() => signKeys({ signKey }))).toBe("taken");
    expect(refusal(() => signKeys({ signKey: "k".repeat(31) }))).toBe(
      "signKey has at least 32 bytes, not 31",
    );
    expect(refusal(() => signKeys({ signKey: [] }))).toBe("signKey is a non-empty list");
    for (const odd of [undefined, null, 7, new Uint16Array(40), {}])
      expect(refusal(() => signKeys({ signKey: odd as string }))).toBe("signKey is text or bytes");
    const made = (path: unknown) => () => signedCookie("sid", { signKey: "", path: path as string }, keys, 1);
    for (const path of ["/a", "/a/b.c~d-e_f"]) expect(made(path)().name).toBe("sid");
    for (const path of ["", "a", "/a;b", "/a b", "/ä", "a/b", 7, null, ["/a"]])
      expect(refusal(made(path))).toContain("path");
  });

  test("has ids that nobody guesses, and digests that are compared as a whole", () => {
    expect(newId()).toMatch(/^[\w-]{43}$/);
    expect(newId()).not.toBe(newId());
    expect(digest("a")).toMatch(/^[0-9a-f]{64}$/);
    const one = digest("a");
    for (const other of ["", "a", one.slice(1), `${one}0`, digest("b"), one.replace(/.$/, "x")])
      expect(equalDigests(one, other)).toBe(false);
    expect(equalDigests(one, digest("a"))).toBe(true);
  });
});

describe("a target", () => {
  test("of the list is the path or its whole text, or lies below an entry that ends in /*", () => {
    const allowed = allowList(["/app", "/find?q=1", "/docs/*"]);
    for (const target of ["/app", "/app?a=1", "/app#a", "/find?q=1", "/docs/", "/docs/a", "/docs/a/b?c=d"])
      expect(allowed(target), target).toBe(target);
    for (const target of [
      undefined,
      "",
      "/",
      "/ap",
      "/appx",
      "/app/",
      "/find",
      "/find?q=2",
      "/docs",
      "/docsx",
    ])
      expect(allowed(target), target).toBeNull();
    const long = (length: number) => `/docs/${"a".repeat(length - 6)}`;
    expect(allowed(long(2_048))).toBe(long(2_048));
    expect(allowed(long(2_049))).toBeNull();
    expect(allowList([])("/app")).toBeNull();
    for (const fine of ["%20", "%41", "%c3%A9", "%3a"])
      expect(allowed(`/docs/${fine}`)).toBe(`/docs/${fine}`);
    for (const odd of ["%2f", "%2F", "%5c", "%2e", "%00", "%0a", "%1F", "%7f"])
      expect(allowed(`/docs/a${odd}b`), odd).toBeNull();
    for (const odd of ["//", "///", "https://", "http://["]) expect(allowed(odd), odd).toBeNull();
  });

  test("of the configuration is a path, and after a logout also an https URL", () => {
    for (const path of ["/", "/a?b=c#d"]) {
      expect(ownPath(path, "afterLogin")).toBe(path);
      expect(anyTarget(path, "redirectTo")).toBe(path);
    }
    expect(anyTarget("https://x.org", "redirectTo")).toBe("https://x.org/");
    for (const odd of [
      "",
      "a",
      "//x.org",
      "/a//b",
      "/a/../b",
      "/a b",
      "/%2e",
      "/a\\b",
      7,
      null,
      undefined,
      ["/"],
    ]) {
      expect(refusal(() => ownPath(odd, "afterLogin"))).toContain("afterLogin is a path on this host");
      expect(refusal(() => anyTarget(odd, "redirectTo"))).toContain("redirectTo");
    }
    expect(refusal(() => allowList("/app" as unknown as string[]))).toBe("returnTo is a list of paths");
    expect(refusal(() => allowList(["/app", "app"]))).toContain("an entry of returnTo");
  });
});
