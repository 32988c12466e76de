/** The cookies of sessions: what they are made of, and whose they are when somebody has touched them. */
import { createHmac } from "node:crypto";
import { memoryStore } from "rowtype/http/session";
import { serveRequestWithHeaders } from "rowtype/http/testing";
import { describe, expect, test } from "vitest";
import { sessionEngine, signKey } from "./session-engine.js";
import { begin, kit, logIn } from "./session-kit.js";

const SID = "__Host-sid";

const sign = (name: string, id: string, key: string) =>
  `${id}.${createHmac("sha256", key).update(`${name}.${id}`).digest("hex")}`;

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
      sessionCookie: {
        type: "apiKey",
        in: "cookie",
        name: SID,
        description: "A login sets it, and the browser sends it: there is nothing to enter.",
      },
    });
    const below = await kit({ cookie: { signKey, path: "/shop" } });
    const bob = below.browser();
    await logIn(bob);
    expect([...bob.cookies.keys()]).toEqual(["login", "sid"]);
    expect((await bob.get("/me")).status).toBe(200);
    for (const path of ["/; Domain=x", "shop", "x/shop", "", ["/shop"], 5, null])
      expect(() => sessionEngine("https://x/", { cookie: { signKey, path: path as string } })).toThrow(
        expect.objectContaining({ code: "DECLARATION" }),
      );
    // A browser takes 0 for a cookie that is to go.
    const short = await kit({ lifetimes: { absoluteMs: 900 } });
    expect((await logIn(short.browser())).headers.getSetCookie().join()).toContain("; Max-Age=1;");
  });

  test("row 90: that is tampered with, cut, long or signed with another key is not accepted", async () => {
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
      `!${id}.${hex}`,
      `${id}.${id}.${hex}`,
      "x".repeat(8_000),
      sign(SID, id, ""),
      sign(SID, id, "x".repeat(32)),
      // The name is part of what is signed: an application may sign other cookies with the same key.
      `${id}.${createHmac("sha256", signKey).update(id).digest("hex")}`,
      `${id}.${createHmac("sha256", signKey).update(`.${id}`).digest("hex")}`,
      sign("", id, signKey),
      sign("sid", id, signKey),
      sign("__Host-login", id, signKey),
      sign(`x${SID}`, id, signKey),
    ];
    for (const cookie of wrong) {
      ann.cookies.set(SID, cookie);
      expect((await ann.get("/me")).status).toBe(401);
      expect((await ann.get("/maybe")).text()).toBe("null");
    }
    ann.cookies.set(SID, good);
    expect((await ann.get("/me")).status).toBe(200);
  });

  test("row 91: of a login does not open a session, and of a session does not finish a login", async () => {
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

  test("row 96: of a login that is sent twice is not accepted, and the begun login is still available", async () => {
    const { browser, engine } = await kit();
    const [ann, eve] = [browser(), browser()];
    const state = await begin(ann);
    await begin(eve);
    const [own, tossed] = [ann, eve].map(({ cookies }) => `__Host-login=${cookies.get("__Host-login")}`);
    const answer = await serveRequestWithHeaders(engine, "GET", `/callback?code=c&state=${state}`, {
      cookie: `${tossed}; ${own}`,
    });
    expect([answer.status, answer.headers.getSetCookie()]).toEqual([400, []]);
    expect((await ann.get(`/callback?code=c&state=${state}`)).status).toBe(302);
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
    const { proxy: unreadable, revoke } = Proxy.revocable(Buffer.alloc(40), {});
    revoke();
    const short = ["", "k".repeat(31), [], [fresh, "k"], new Uint8Array(31)];
    const odd = [undefined, 40, 40n, {}, [fresh, 40], new Uint16Array(40), unreadable];
    for (const key of [...short, ...odd]) {
      expect(() => sessionEngine("https://x/", { cookie: { signKey: key as string } })).toThrow(
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
    // Other cookies whose names end or begin with ours.
    for (const name of [`x${SID}`, `x-${SID}`, `${SID}x`, `a=${SID}`, `a ${SID}`, `a,${SID}`, `"${SID}`]) {
      expect(await me(`${name}=${ann.cookies.get(SID)}`), name).toBe(401);
      expect(await me(`${name}=${eve.cookies.get(SID)}; ${good}`), name).toBe(200);
    }
  });
});
