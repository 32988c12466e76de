/** Sessions while what they need fails: their store, the authorisation server. */
import { type LoginState, memoryStore, type SessionStore, type StoredSession } from "rowtype/http/session";
import { describe, expect, test, vi } from "vitest";
import { heldMegabytes } from "../kit/heap.js";
import { expectBelow, expectSoon } from "../stopwatch.js";
import type { Browser } from "./browser.js";
import { hostile, json, type Provider } from "./provider.js";
import { SECRET, sessionEngine } from "./session-engine.js";
import { begin, kit, logIn, troubled } from "./session-kit.js";
import { shown, told } from "./told.js";

const SID = "__Host-sid";
const HOUR = 3_600_000;

describe("a store", () => {
  test("that lacks a method is refused before anybody logs in", () => {
    const { takeState: _missing, ...store } = memoryStore();
    for (const odd of [store, {}, null]) {
      expect(() => sessionEngine("https://id.example.com/token", { store: odd as SessionStore })).toThrow(
        expect.objectContaining({ code: "DECLARATION" }),
      );
    }
  });

  const failing = () => Promise.reject(new Error("secret"));
  const hanging = () => new Promise<never>(() => {});

  test.each([
    ["throws", failing],
    ["hangs", hanging],
  ])("row 104: that %s accepts no session", async (_name, how) => {
    const { store, trouble } = troubled(memoryStore());
    const { browser } = await kit({ store, storeTimeoutMs: 30, lifetimes: { idleMs: 3_000 } });
    const ann = browser();
    await logIn(ann);
    trouble.set("get", how);
    expect((await ann.get("/me")).status).toBe(503);
    expect((await ann.get("/maybe")).status).toBe(503);
    trouble.clear();
    trouble.set("delete", how);
    expect((await ann.post("/logout")).status).toBe(503);
    expect(ann.cookies.has(SID)).toBe(true);
    trouble.clear();
    trouble.set("touch", how);
    // A tenth of the idle time goes unnoticed.
    await new Promise((resolve) => setTimeout(resolve, 310));
    expect((await ann.get("/me")).status).toBe(503);
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

  test("row 104: that gives garbage accepts no session", async () => {
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

  test("that never forgets accepts nothing that has expired: sessions by age and by idleness, and logins", async () => {
    const forgetful = memoryStore();
    const sessionsKept = new Map<string, StoredSession>();
    const loginsKept = new Map<string, LoginState>();
    const store: SessionStore = {
      putState: async (key, state) => void loginsKept.set(key, state),
      takeState: async (key) => loginsKept.get(key) ?? null,
      create: async (key, session) => void sessionsKept.set(key, session),
      get: async (key) => sessionsKept.get(key) ?? null,
      touch: async (key, idleExpiresAt) => {
        const session = sessionsKept.get(key);
        if (session !== undefined) sessionsKept.set(key, { ...session, idleExpiresAt });
      },
      delete: async (key) => forgetful.delete(key),
    };
    vi.useFakeTimers({ toFake: ["Date"] });
    try {
      const { browser } = await kit({
        store,
        lifetimes: { absoluteMs: 10_000, idleMs: 4_000, loginMs: 3_000 },
      });
      const me = async (client: Browser) => (await client.get("/me")).status;
      const [ann, bob, eve] = [browser(), browser(), browser()];
      await logIn(ann);
      await logIn(bob);
      // Idle for less than its time, again and again, until it is too old.
      for (let passed = 0; passed < 9_000; passed += 3_000) {
        vi.advanceTimersByTime(3_000);
        expect(await me(ann)).toBe(200);
      }
      vi.advanceTimersByTime(999);
      expect(await me(ann)).toBe(200);
      vi.advanceTimersByTime(1);
      expect(await me(ann)).toBe(401);
      expect(await me(bob)).toBe(401);
      await logIn(bob);
      vi.advanceTimersByTime(3_999);
      expect(await me(bob)).toBe(200);
      vi.advanceTimersByTime(4_000);
      expect(await me(bob)).toBe(401);
      const late = await begin(eve);
      vi.advanceTimersByTime(3_000);
      expect((await eve.get(`/callback?code=c&state=${late}`)).status).toBe(400);
      const early = await begin(eve);
      vi.advanceTimersByTime(2_999);
      expect((await eve.get(`/callback?code=c&state=${early}`)).status).toBe(302);
    } finally {
      vi.useRealTimers();
    }
  });

  test("row 98: of 20,000 unfinished logins keeps its allowed number", async () => {
    const store = memoryStore({ maxLogins: 1_000, maxSessions: 1_000 });
    const state = { browser: "b", verifier: "v", returnTo: "/", expiresAt: Date.now() + HOUR };
    const session = {
      data: { userId: "u" },
      createdAt: 0,
      expiresAt: state.expiresAt,
      idleExpiresAt: state.expiresAt,
    };
    const before = await heldMegabytes();
    for (let i = 0; i < 20_000; i++) {
      await store.putState(`s${i}`, state);
      await store.create(`s${i}`, session);
    }
    await expectBelow(13, async () => (await heldMegabytes()) - before);
    expect([await store.takeState("s0"), await store.get("s0")]).toEqual([null, null]);
    expect(await store.takeState("s19999")).toEqual(state);
    expect(await store.takeState("s19999")).toBeNull();
    expect(await store.get("s19999")).toEqual(session);
    await store.touch("gone", 1);
    expect(await store.get("gone")).toBeNull();
    // A session in use stays, whatever comes by.
    for (let i = 0; i < 5_000; i++) {
      await store.create(`t${i}`, session);
      expect(await store.get("s19999")).toEqual(session);
    }
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
    const { browser, server } = await kit({ oauth: { timeoutMs: 400 } }, answer);
    let logins = 0;
    // The default is 5 s.
    await expectSoon(2_500, async () => {
      logins++;
      const ann = browser();
      const back = await logIn(ann);
      expect([back.status, back.text()]).toEqual([
        503,
        '{"code":"SERVICE_UNAVAILABLE","message":"the login is not available"}',
      ]);
      expect([ann.cookies.has(SID), server.asked.length]).toEqual([false, logins]);
    });
  },
);

test.each([
  ["the code is refused with 200", 200, { error: "bad_verification_code" }, 401],
  ["the code is refused with 400", 400, { error: "invalid_grant" }, 401],
  ["the client's secret is wrong", 401, { error: "invalid_client" }, 503],
  ["the server is overloaded", 400, { error: "temporarily_unavailable" }, 503],
] as const)("a login whose answer says that %s begins no session", async (_name, status, body, expected) => {
  const { browser } = await kit({}, (_asked, response) => json(response, body, status));
  const ann = browser();
  expect((await logIn(ann)).status).toBe(expected);
  expect(ann.cookies.has(SID)).toBe(false);
});

describe("what is secret", () => {
  const accessToken = "the-access-token";
  const key = "the-sign-key-of-the-shop-0123456789";

  /** A login and what follows; gives what was told, and every secret that was about. */
  async function secretsOf(answer: Provider["answer"]) {
    const { server, engine, login, browser } = await kit(
      { oauth: { timeoutMs: 200 }, cookie: { signKey: key } },
      answer,
    );
    const ann = browser();
    const secrets = [SECRET, key, accessToken, "the-refresh-token", "the-code", "secret-of-the-provider"];
    const text = await told(async () => {
      const state = await begin(ann);
      secrets.push(state, ...ann.cookies.values());
      await ann.get(`/callback?code=the-code&state=${state}&code=twice`);
      await ann.get(`/callback?code=the-code&state=${state}`);
      await ann.get(`/callback?code=the-code&state=${state}`);
      secrets.push(...ann.cookies.values());
      await ann.get("/me");
      ann.cookies.set(SID, `${ann.cookies.get(SID)}0`);
      await ann.get("/me");
      await ann.post("/logout");
    });
    for (const { body } of server.asked) {
      secrets.push(new URLSearchParams(body).get("code_verifier") ?? "no verifier");
    }
    // A cookie is not a secret by its signature alone.
    return { text: text + shown([engine, login]), secrets: secrets.map((one) => one.split(".")[0] ?? "") };
  }

  test.each(
    Object.entries({
      ...hostile,
      ...odd,
      "gives tokens": (_asked, response) =>
        json(response, {
          access_token: accessToken,
          refresh_token: "the-refresh-token",
          token_type: "bearer",
        }),
      "refuses and quotes": ({ body, headers }, response) =>
        json(response, { error: body, error_description: `${SECRET} ${headers.authorization}` }, 400),
      "fails and quotes": ({ body, headers }, response) =>
        json(response, { error: body, error_description: `${SECRET} ${headers.authorization}` }, 500),
      "gives secrets for tokens": (_asked, response) =>
        json(response, { access_token: 7, scope: SECRET, refresh_token: "the-refresh-token" }),
    } satisfies Record<string, Provider["answer"]>),
  )("row 100: is in no event and shown by no object, where a token endpoint %s", async (_name, answer) => {
    const { text, secrets } = await secretsOf(answer);
    expect(text).toMatch(/http\.request\.completed/);
    expect(secrets.length).toBeGreaterThanOrEqual(9);
    for (const secret of secrets) expect(text).not.toContain(secret);
    expect(text).not.toContain(Buffer.from(`shop:${SECRET.replaceAll("-", "%2D")}`).toString("base64"));
  });
});
