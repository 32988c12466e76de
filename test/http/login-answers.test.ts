/** The end of a login: which states reach the store, what the server's answers mean, and the time for `resolve`. */
import { createEngine } from "rowtype/http";
import { memoryStore } from "rowtype/http/session";
import { expect, test } from "vitest";
import { browser as browserOf } from "./browser.js";
import { begin, kit, logIn } from "./session-kit.js";

/** A store that notes how often a login is taken out of it. */
function counted() {
  const store = memoryStore();
  const taken: string[] = [];
  const takeState = (key: string) => {
    taken.push(key);
    return store.takeState(key);
  };
  return { taken, store: { ...store, takeState } };
}

test("a state that no login can have does not reach the store, and the login stays", async () => {
  const { store, taken } = counted();
  const { browser } = await kit({ store });
  const ann = browser();
  const state = await begin(ann);
  expect(state).toMatch(/^[\w-]{43}$/);
  const places = [0, 21, 42];
  const odd = [
    undefined,
    "",
    state.slice(1),
    ...["a", " ", ".", "\n", "%", "é"].flatMap((more) => [more + state, state + more]),
    ...places.flatMap((at) =>
      [".", "+", "\n", "é"].map((one) => state.slice(0, at) + one + state.slice(at + 1)),
    ),
  ];
  for (const one of odd) {
    const query = new URLSearchParams({ code: "c", ...(one === undefined ? {} : { state: one }) });
    const answer = await ann.get(`/callback?${query}`);
    expect([one, answer.status, taken.length]).toEqual([one, 400, 0]);
  }
  // The right one, from a browser that began no login.
  expect((await browser().get(`/callback?code=c&state=${state}`)).status).toBe(400);
  expect(taken).toHaveLength(0);
  expect((await ann.get(`/callback?code=c&state=${state}`)).status).toBe(302);
  expect(taken).toHaveLength(1);
});

test("an answer with neither a code nor an error is refused, and no token is asked for", async () => {
  for (const query of ["", "&code=", "&iss=https%3A%2F%2Fid.example.com", "&session_state=x"]) {
    const { browser, server } = await kit();
    const ann = browser();
    const answer = await ann.get(`/callback?state=${await begin(ann)}${query}`);
    expect([query, answer.status, server.asked.length]).toEqual([query, 400, 0]);
  }
});

test("a login handler without a list of targets takes the browser nowhere but to the target after a login", async () => {
  const { login } = await kit();
  const engine = createEngine({ onError: false }).withHandlers(
    login.loginHandler("/login"),
    login.callbackHandler("/callback"),
  );
  for (const query of ["", "?return_to=/app", "?return_to=%2Fdocs%2F1", "?return_to="])
    expect((await logIn(browserOf(engine), query)).headers.get("location")).toBe("/welcome");
});

// RFC 6749, 4.1.2.1, with OpenID Connect Core 1.0, 3.1.2.6.
test.each([
  ["invalid_request", 401],
  ["unauthorized_client", 401],
  ["access_denied", 401],
  ["unsupported_response_type", 401],
  ["invalid_scope", 401],
  ["server_error", 503],
  ["temporarily_unavailable", 503],
  ["login_required", 401],
  ["consent_required", 401],
  ["of its own", 401],
])("the error %s of the authorisation server is a %i, whatever code is beside it", async (error, status) => {
  for (const code of [undefined, "", "c"]) {
    const { browser, server } = await kit();
    const ann = browser();
    const query = new URLSearchParams({
      error,
      state: await begin(ann),
      ...(code === undefined ? {} : { code }),
    });
    expect([(await ann.get(`/callback?${query}`)).status, server.asked.length]).toEqual([status, 0]);
    expect(ann.cookies.has("__Host-sid")).toBe(false);
  }
});

test("resolve gets a signal, which aborts when its time is over, and not before", async () => {
  const signals: AbortSignal[] = [];
  const { browser } = await kit({
    resolve: (_tokens, { signal }) => {
      signals.push(signal);
      if (signals.length === 1) return { userId: "ann" };
      return new Promise((_resolve, reject) => {
        signal.addEventListener("abort", () => reject(new Error("stopped by its signal")));
      });
    },
    resolveTimeoutMs: 100,
  });
  const [quick, slow] = [await logIn(browser()), await logIn(browser())];
  expect([quick.status, slow.status]).toEqual([302, 503]);
  expect(signals.map(({ aborted }) => aborted)).toEqual([false, true]);
});
