/**
 * A caller who could not be looked up is a 503 that alarms hear, one who is refused a 401, and in neither case anybody
 * is let in: every step of every extractor fails in every way.
 */
import { once } from "node:events";
import { type AddressInfo, connect, createServer } from "node:net";
import BetterSqlite3 from "better-sqlite3";
import pg from "pg";
import { describe, expect, test, vi } from "vitest";
import { z } from "zod";
import {
  createEngine,
  defineError,
  type Extractor,
  enrich,
  extractor,
  GET,
  type Identity,
  identity,
  on,
  ServiceUnavailable,
  Unauthorized,
  usageLimit,
} from "../../src/http/index.js";
import { TokenError } from "../../src/http/jwt/token-error.js";
import { LoginRequired, ProviderError } from "../../src/http/oauth/index.js";
import { memoryStore } from "../../src/http/session/index.js";
import { column, table } from "../../src/index.js";
import { postgres } from "../../src/sql/drivers/postgres.js";
import { sqlite } from "../../src/sql/drivers/sqlite.js";
import { ask, listening } from "./serve.js";
import { kit, logIn, troubled } from "./session-kit.js";

const ann = identity({ id: "ann", roles: ["admin"], scopes: ["all"] });

/** What an engine does with an extractor that may fail: its answer, and what its alarms heard. */
async function answered(read: Extractor, timeouts = {}) {
  const heard: Error[] = [];
  const failed: unknown[] = [];
  let ran = 0;
  const api = createEngine({ timeouts, onError: (error) => void heard.push(error) })
    .withAuthenticator(read)
    .withHandlers(
      GET("/me", { authentication: true }, () => ++ran),
      GET("/maybe", { authentication: "optional" }, () => ++ran),
      GET("/admin", { roles: ["admin"], scopes: ["all"] }, () => ++ran),
    );
  const url = await listening(api);
  const off = on("http.request.failed", ({ error }) => void failed.push(error));
  try {
    const answers = [];
    for (const path of ["/me", "/maybe", "/admin"]) answers.push(await ask(`${url}${path}`));
    return { answers, heard, failed, ran };
  } finally {
    off();
  }
}

/** A port where nobody listens. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}

/** The error of a connection that is really refused. */
async function refusedConnection(): Promise<Error> {
  return new Promise((resolve) => connect(1, "127.0.0.1").once("error", resolve));
}

const Key = table("keys", z.object({ key: column(z.string(), { primaryKey: true }), owner: z.string() }));

const thrower = (thrown: unknown) => () => {
  throw thrown;
};
const later = (thrown: unknown) => async () => {
  await null;
  throw thrown;
};
const hanging = () => new Promise<never>(() => {});

/** Each with what it throws or does; all mean that nobody could find out who calls. */
const outages: Readonly<Record<string, () => Promise<unknown> | unknown>> = {
  "a refused connection": async () => thrower(await refusedConnection())(),
  "a refused connection as the cause of another error": async () =>
    thrower(new Error("the lookup failed", { cause: await refusedConnection() }))(),
  "several ways, of which one was away": async () => {
    const refused = await refusedConnection();
    return Promise.any([later(new Error("secret"))(), later(refused)()]);
  },
  "several ways as the cause of another error": async () => {
    const several = new AggregateError([
      new Error("secret"),
      new Error("b", { cause: await refusedConnection() }),
    ]);
    throw new Error("the lookup failed", { cause: several });
  },
  "a refused fetch": async () => fetch(`http://127.0.0.1:${await freePort()}/`),
  "a fetch that is too late": () =>
    thrower(AbortSignal.abort(new DOMException("late", "TimeoutError")).reason)(),
  "a host that does not exist": () => thrower(Object.assign(new Error("no host"), { code: "ENOTFOUND" }))(),
  "a database that is away": () => {
    const pool = new pg.Pool({ port: 1, host: "127.0.0.1" });
    return postgres(pool).repository(Key).select().where("key", "=", "key").exec({ key: "k" });
  },
  "a database without a handle": () => sqlite().repository(Key).query().exec(),
  "a table that is gone": () => sqlite(new BetterSqlite3(":memory:")).repository(Key).query().exec(),
  "an error for clients that says so": thrower(ServiceUnavailable.withMessage("secret")),
  "one of the application's own with status 503": thrower(
    defineError({ code: "DIRECTORY_DOWN", status: 503, message: "secret" }),
  ),
  "a provider that is away": thrower(new ProviderError("secret")),
  "keys that are away": thrower(new TokenError("KEYS_UNAVAILABLE", "secret")),
  "no answer": hanging,
};

/** Each refuses the caller, and is told once a minute. */
const faults: Readonly<Record<string, () => unknown>> = {
  "an error": thrower(new Error("secret")),
  "a rejection": later(new TypeError("secret")),
  "text that is thrown": thrower("secret"),
  "nothing that is thrown": thrower(undefined),
  "a code that is no system's": thrower(Object.assign(new Error("secret"), { code: "EASY" })),
  "several ways that all refuse": () => Promise.any([later(new Error("secret"))(), later("secret")()]),
  "several ways in circles": () => {
    const errors: unknown[] = [];
    const error = new AggregateError([], "secret", {});
    errors.push(error, error, error, error, error, error);
    error.errors = errors;
    error.cause = error;
    throw error;
  },
  "a cause that leads in a circle": () => {
    const error = new Error("secret");
    error.cause = error;
    throw error;
  },
  "an error whose code throws": thrower(
    Object.defineProperty(new Error("secret"), "code", { get: thrower(new Error("secret")) }),
  ),
  "a key that is not there": () => {
    const handle = new BetterSqlite3(":memory:");
    handle.exec("CREATE TABLE keys (key TEXT PRIMARY KEY, owner TEXT)");
    return sqlite(handle).repository(Key).select().where("key", "=", "key").exec({ key: "k" });
  },
  "a key that no column can hold": () =>
    sqlite(new BetterSqlite3(":memory:"))
      .repository(Key)
      .select()
      .where("key", "=", "key")
      .exec({ key: "\0" }),
};

/** Each refuses the caller on purpose. */
const refusals: Readonly<Record<string, () => unknown>> = {
  "an error for clients": thrower(Unauthorized.withMessage("secret")),
  "one that was made from an outage": async () =>
    thrower(Unauthorized.withCause(await refusedConnection()))(),
  "a token": thrower(new TokenError("INVALID_TOKEN", "secret")),
  "a login that has ended": thrower(new LoginRequired("secret")),
};

/** What is given is no caller. */
const wrong: Readonly<Record<string, unknown>> = {
  "an empty object": {},
  true: true,
  "an error that is returned": ServiceUnavailable,
  "an identity from JSON": JSON.parse(JSON.stringify(ann)),
  "a promise of a promise of text": Promise.resolve(Promise.resolve("ann")),
};

type Read = () => Identity | null | Promise<Identity | null>;
const scheme = { name: "key", scheme: { type: "http", scheme: "bearer" } } as const;

/** The places where an extractor can fail. What a step does is of any type here. */
const steps: Readonly<Record<string, (step: () => unknown) => Extractor>> = {
  "the extractor": (step) => extractor(step as Read, scheme),
  "the extractor below an enriched one": (step) => enrich(extractor(step as Read, scheme), (found) => found),
  "what enriches": (step) =>
    enrich(
      extractor(() => ann, scheme),
      step as Read,
    ),
};

const fast = { identityMs: 40 };

describe.each(Object.keys(steps))("in %s", (place) => {
  const made = steps[place] ?? expect.unreachable();

  test.each(Object.entries(outages))("%s is a 503, and is told", async (_name, step) => {
    const { answers, heard, failed, ran } = await answered(made(step), fast);
    for (const { status, text, headers } of answers) {
      expect({ status, text }).toEqual({
        status: 503,
        text: '{"code":"SERVICE_UNAVAILABLE","message":"service unavailable"}',
      });
      expect(headers.get("retry-after")).toBe("1");
      expect(headers.get("www-authenticate")).toBeNull();
      expect(headers.get("error-origin")).toBe("engine");
    }
    expect(ran).toBe(0);
    expect(heard).toHaveLength(3);
    await expect.poll(() => failed).toEqual(heard);
  });

  test.each(Object.entries(faults))("%s is a 401, and is told once", async (_name, step) => {
    const { answers, heard, failed, ran } = await answered(made(step), fast);
    expect(answers.map(({ status }) => status)).toEqual([401, 401, 401]);
    expect(answers.some(({ text }) => text.includes("secret"))).toBe(false);
    expect(ran).toBe(0);
    expect(heard).toHaveLength(1);
    expect(failed).toEqual([]);
  });

  test.each(Object.entries(refusals))("%s is a 401, and is told to nobody", async (_name, step) => {
    const { answers, heard, ran } = await answered(made(step), fast);
    expect(answers.map(({ status }) => status)).toEqual([401, 401, 401]);
    expect(answers.some(({ text }) => text.includes("secret"))).toBe(false);
    expect(ran).toBe(0);
    expect(heard).toEqual([]);
  });

  test.each(Object.entries(wrong))("%s instead of a caller is a 401", async (_name, given) => {
    const { answers, ran } = await answered(made(() => given));
    expect(answers.map(({ status }) => status)).toEqual([401, 401, 401]);
    expect(ran).toBe(0);
  });
});

describe("an error that any client can cause", () => {
  test("is told again after a minute, and one of another class at once", async () => {
    vi.useFakeTimers({ toFake: ["performance"] });
    try {
      let thrown: unknown = new Error("first");
      const heard: string[] = [];
      const api = createEngine({ onError: ({ message }) => void heard.push(message) })
        .withAuthenticator(() => thrower(thrown)())
        .withHandlers(GET("/me", { authentication: true }, () => 1));
      const url = await listening(api);
      const say = async (error: Error) => {
        thrown = error;
        expect((await ask(`${url}/me`)).status).toBe(401);
      };
      await say(new Error("first"));
      await say(new Error("second"));
      await say(new RangeError("other"));
      vi.advanceTimersByTime(59_999);
      await say(new Error("third"));
      vi.advanceTimersByTime(1);
      await say(new Error("fourth"));
      expect(heard).toEqual(["first", "other", "fourth"]);
    } finally {
      vi.useRealTimers();
    }
  });

  test("is told where a usage limit throws, which refuses", async () => {
    const heard: unknown[] = [];
    const down = new Error("no counters");
    const api = createEngine({ onError: (error) => void heard.push(error) })
      .withAuthenticator(() => ann)
      .withHandlers(GET("/me", { usageLimits: [usageLimit("calls", later(down))] }, () => 1));
    const url = await listening(api);
    for (let i = 0; i < 3; i++) expect((await ask(`${url}/me`)).status).toBe(429);
    expect(heard).toEqual([down]);
  });

  test("is told where the check of readiness throws, and is the cause of its 503", async () => {
    const heard: unknown[] = [];
    const failed: (Error | undefined)[] = [];
    const down = new Error("secret");
    const api = createEngine({ onError: (error, { path }) => void heard.push([error, path]) })
      .withBaseUrl("/v1")
      .withReadiness("/ready", later(down));
    const url = await listening(api);
    const off = on("http.request.failed", ({ error }) => void failed.push(error));
    for (let i = 0; i < 3; i++) {
      expect(await ask(`${url}/v1/ready`)).toMatchObject({
        status: 503,
        json: { code: "SERVICE_UNAVAILABLE", details: { reason: "not ready" } },
      });
    }
    off();
    expect(heard).toEqual([[down, "/v1/ready"]]);
    await expect.poll(() => failed.map((error) => error?.cause)).toEqual([down, down, down]);
  });
});

test("an engine that shuts down while an extractor waits answers 503, which is no alarm", async () => {
  const heard: unknown[] = [];
  let began = () => {};
  const begun = new Promise<void>((resolve) => {
    began = resolve;
  });
  const api = createEngine({ onError: (error) => void heard.push(error) })
    .withAuthenticator(() => {
      began();
      return hanging();
    })
    .withHandlers(GET("/me", { authentication: true }, () => 1));
  const url = await listening(api);
  const answer = ask(`${url}/me`);
  await begun;
  const ended = api.shutdown({ timeoutMs: 5_000 });
  expect((await answer).status).toBe(503);
  expect(await ended).toEqual({ graceful: true });
  expect(heard).toEqual([]);
});

test("a session's store that is away is told with its own error, and the session goes on when it is back", async () => {
  const heard: Error[] = [];
  const { store, trouble } = troubled(memoryStore());
  const { browser, login } = await kit({ store });
  const client = browser();
  await logIn(client);
  const cookie = [...client.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
  const url = await listening(
    createEngine({ onError: (error) => void heard.push(error) })
      .withAuthenticator(login.extractor)
      .withHandlers(GET("/me", { authentication: true }, ({ identity }) => identity.id)),
  );
  const me = () => ask(`${url}/me`, { headers: { cookie } });
  expect((await me()).status).toBe(200);
  const down = new Error("the store is away");
  trouble.set("get", () => Promise.reject(down));
  expect(await me()).toMatchObject({ status: 503 });
  trouble.clear();
  expect((await me()).status).toBe(200);
  expect(heard.map(({ cause }) => cause)).toEqual([down]);
});

test("the document lists the 503 of every operation that asks for an identity, and of no other", () => {
  const api = createEngine()
    .withAuthenticator(() => ann)
    .withHandlers(
      GET("/me", { authentication: true }, () => 1),
      GET("/maybe", { authentication: "optional" }, () => 1),
      GET("/open", () => 1),
    );
  const statuses = (path: `/${string}`) => Object.keys(api.openapi().paths?.[path]?.get?.responses ?? {});
  expect(statuses("/me")).toContain("503");
  expect(statuses("/maybe")).toContain("503");
  expect(statuses("/open")).not.toContain("503");
});
