import { type ChildProcess, fork } from "node:child_process";
import { fileURLToPath } from "node:url";
import { sqlStore } from "rowtype/http/session/sql";
import { afterEach, describe, expect, test } from "vitest";
import { rounds } from "../rounds.js";
import { type Lent, servers } from "../servers.js";
import { keepCookies } from "./browser.js";
import { provider } from "./provider.js";
import { begin, granting, kit, logIn } from "./session-kit.js";

const lent: Lent[] = [];
const children: ChildProcess[] = [];
afterEach(async () => {
  for (const child of children.splice(0)) child.kill();
  await Promise.all(lent.splice(0).map((one) => one.close()));
});

const HOUR = 3_600_000;
const now = () => Date.now();
const login = (more: object = {}) => ({
  browser: "b".repeat(64),
  verifier: "v".repeat(43),
  returnTo: "/app",
  expiresAt: now() + HOUR,
  ...more,
});
const session = (more: object = {}) => ({
  data: { userId: "ann", roles: ["a"], meta: { note: "ünï\u0000'; --", list: [1, null] } },
  createdAt: now(),
  expiresAt: now() + 24 * HOUR,
  idleExpiresAt: now() + HOUR,
  ...more,
});

describe.each(servers)("a store on $name", ({ available, lend }) => {
  const made = async (options = {}) => {
    const one = await lend();
    lent.push(one);
    const store = sqlStore(one.db, options);
    await store.createTables();
    return { store, db: one.db };
  };

  test.skipIf(!available)(
    "keeps, touches and deletes sessions, and forgets those that have expired",
    async () => {
      const { store } = await made();
      await store.createTables();
      const ann = session();
      await store.create("a", ann);
      expect(await store.get("a")).toEqual(ann);
      await store.touch("a", ann.idleExpiresAt + 5);
      expect(await store.get("a")).toEqual({ ...ann, idleExpiresAt: ann.idleExpiresAt + 5 });
      await store.touch("gone", 1);
      expect(await store.get("gone")).toBeNull();
      const large = session({ data: { userId: "bob", meta: { note: "ü".repeat(50_000) } } });
      await store.create("b", large);
      expect(await store.get("b")).toEqual(large);
      await store.create("old", session({ expiresAt: now() - 1 }));
      await store.create("idle", session({ idleExpiresAt: now() - 1 }));
      expect([await store.get("old"), await store.get("idle")]).toEqual([null, null]);
      await store.removeExpired();
      await store.delete("a");
      await store.delete("a");
      expect(await store.get("a")).toBeNull();
      await store.create("old", session());
      expect(await store.get("old")).not.toBeNull();
    },
  );

  test.skipIf(!available)(
    "row 97: gives a state to one of fifty who race, and to none when it has expired",
    async () => {
      const { store } = await made();
      for (let round = 0; round < 5; round++) {
        await store.putState(`s${round}`, login());
        const taken = await Promise.all(Array.from({ length: 50 }, () => store.takeState(`s${round}`)));
        expect(taken.filter((one) => one !== null)).toHaveLength(1);
      }
      await store.putState("late", login({ expiresAt: now() - 1 }));
      expect(await store.takeState("late")).toBeNull();
      expect(await store.takeState("'; DROP TABLE rowtype_logins; --")).toBeNull();
    },
  );

  test.skipIf(!available)("row 98: keeps no more logins under way than it is allowed", async () => {
    const { store } = await made({ maxLogins: 20 });
    for (let i = 0; i < 300; i++) await store.putState(`s${i}`, login({ expiresAt: now() + HOUR + i }));
    const kept = await Promise.all(Array.from({ length: 300 }, (_, i) => store.takeState(`s${i}`)));
    expect(kept.filter((one) => one !== null)).toHaveLength(20);
    expect(kept.at(-1)).not.toBeNull();
  });

  test.skipIf(!available)("row 94: carries a whole login, from its beginning to logout", async () => {
    const { store } = await made();
    const { browser } = await kit({ store });
    const ann = browser();
    expect((await logIn(ann, "?return_to=/app")).headers.get("location")).toBe("/app");
    expect((await ann.get("/me")).decodeJSON()).toMatchObject({ id: "ann", meta: { plan: "paid" } });
    const kept = [...ann.cookies];
    expect((await ann.post("/logout")).status).toBe(303);
    expect((await browser().get("/me")).status).toBe(401);
    for (const [name, value] of kept) ann.cookies.set(name, value);
    expect((await ann.get("/me")).status).toBe(401);
    const state = await begin(ann);
    const raced = await Promise.all(
      Array.from({ length: 50 }, () => ann.get(`/callback?code=c&state=${state}`)),
    );
    expect(raced.filter(({ status }) => status === 302)).toHaveLength(1);
    expect(raced.filter(({ status }) => status === 400)).toHaveLength(49);
  });

  test.skipIf(!available)("row 104: whose tables are not there lets nobody in", async () => {
    const one = await lend();
    lent.push(one);
    const { browser } = await kit({ store: sqlStore(one.db) });
    const answer = await browser().get("/login");
    expect([answer.status, answer.text().includes("rowtype_logins")]).toEqual([503, false]);
  });
});

const races = rounds({ small: 4, full: 100 });
const reachable = servers.filter(({ name }) => name === "postgres" || name === "mariadb");

describe.each(reachable)("two processes that share a store on $name", ({ available, lend }) => {
  async function made() {
    const one = await lend();
    lent.push(one);
    await sqlStore(one.db).createTables();
    const { url } = await provider(granting);
    const program = fileURLToPath(new URL("session-process.ts", import.meta.url));
    const start = () => {
      const child = fork(program, [one.url ?? "", `${url}/token`], { execArgv: ["--import", "tsx"] });
      children.push(child);
      return new Promise<string>((resolve, reject) => {
        child.once("message", (message) => resolve(String(message)));
        child.once("exit", (code) => reject(new Error(`the process ended with ${code}`)));
      });
    };
    const cookies = new Map<string, string>();
    const ask = async (where: string, path: string, method = "GET") => {
      const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
      const response = await fetch(where + path, { method, headers: { cookie }, redirect: "manual" });
      keepCookies(cookies, response.headers.getSetCookie());
      await response.arrayBuffer();
      return response;
    };
    const begin = async (where: string) => {
      const there = await ask(where, "/login");
      return new URL(there.headers.get("location") ?? "").searchParams.get("state");
    };
    return { start, cookies, ask, begin };
  }

  // Each process takes a second to start, so that one test asks both.
  test.skipIf(!available)(
    "row 94: in on one is in on the other and on one that starts later, out on one is out on all; row 97: of fifty callbacks that race on both exactly one wins, every time",
    async () => {
      const { start, ask, begin, cookies } = await made();
      const [first, second] = await Promise.all([start(), start()]);
      const me = async (...places: string[]) =>
        (await Promise.all(places.map((where) => ask(where, "/me")))).map(({ status }) => status);
      expect(await me(first, second)).toEqual([401, 401]);
      const state = await begin(first);
      expect((await ask(second, `/callback?code=c&state=${state}`)).status).toBe(302);
      expect(await me(first, second)).toEqual([200, 200]);
      const third = await start();
      expect(await me(third, second)).toEqual([200, 200]);
      const kept = [...cookies];
      expect((await ask(third, "/logout", "POST")).status).toBe(303);
      for (const [name, value] of kept) cookies.set(name, value);
      expect(await me(first, second, third)).toEqual([401, 401, 401]);
      const places = [first, third];
      for (let round = 0; round < races; round++) {
        const state = await begin(places[round % 2] ?? "");
        const raced = await Promise.all(
          Array.from({ length: 50 }, (_, i) => ask(places[i % 2] ?? "", `/callback?code=c&state=${state}`)),
        );
        // A machine that is busy besides may keep one waiting until its time is over: 503, and it has not won.
        const [won, ...lost] = raced.map(({ status }) => status).sort((a, b) => a - b);
        expect(won).toBe(302);
        expect(lost.filter((status) => status !== 400 && status !== 503)).toEqual([]);
      }
    },
  );
});
