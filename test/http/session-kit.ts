/**
 * Sessions at a provider that a test decides upon: an engine with login, callback, logout and a protected handler.
 */
import { createEngine, GET } from "rowtype/http";
import { memoryStore, type SessionStore, type SessionsOptions, sessions } from "rowtype/http/session";
import { type Browser, browser } from "./browser.js";
import { json, type Provider, provider } from "./provider.js";

export const SECRET = "the-client-secret";
export const signKey = "k".repeat(32);

/** A provider that gives tokens for every code. */
export const granting: Provider["answer"] = (_asked, response) =>
  json(response, { access_token: "the-access-token", token_type: "Bearer" });

export type Given = Partial<Omit<SessionsOptions<object>, "oauth">> & {
  readonly oauth?: Partial<SessionsOptions<object>["oauth"]>;
};

/** An engine with sessions. */
export function sessionEngine(tokenEndpoint: string, given: Given = {}) {
  const { oauth, store = memoryStore(), ...more } = given;
  const login = sessions({
    oauth: {
      clientId: "shop",
      clientSecret: SECRET,
      redirectUri: "https://shop.example.com/callback",
      scopes: ["openid", "email"],
      authorizationEndpoint: "https://id.example.com/authorize?prompt=login",
      tokenEndpoint,
      timeoutMs: 200,
      ...oauth,
    },
    cookie: { signKey },
    resolve: () => ({ userId: "ann", roles: ["editor"], scopes: ["read"], meta: { plan: "paid" } }),
    afterLogin: "/welcome",
    ...more,
    store,
  });
  const engine = createEngine()
    .withAuthenticator(login.extractor)
    .withHandlers(
      login.loginHandler("/login", { returnTo: ["/app", "/docs/*"] }),
      login.callbackHandler("/callback"),
      login.logoutHandler("/logout", { redirectTo: "/bye" }),
      GET("/me", { authentication: true }, ({ identity }) => ({ ...identity })),
      GET("/maybe", { authentication: "optional" }, ({ identity }) => identity?.id ?? null),
    );
  return { engine, store, login };
}

/** An engine with sessions and its own provider. */
export async function kit(given: Given = {}, answer: Provider["answer"] = granting) {
  const server = await provider(answer);
  const made = sessionEngine(`${server.url}/token`, given);
  return { server, ...made, browser: () => browser(made.engine) };
}

/** Begins a login; gives the state that the provider would send back. */
export async function begin(client: Browser, query = ""): Promise<string> {
  const answer = await client.get(`/login${query}`);
  return new URL(answer.headers.get("location") ?? "").searchParams.get("state") ?? "";
}

/** A whole login. */
export async function logIn(client: Browser, query = "") {
  return client.get(`/callback?code=c&state=${await begin(client, query)}`);
}

/** A store whose every step may be made to fail or hang. */
export function troubled(store: SessionStore) {
  const trouble = new Map<keyof SessionStore, () => Promise<never>>();
  const handled: SessionStore = {
    putState: (key, state) => trouble.get("putState")?.() ?? store.putState(key, state),
    takeState: (key) => trouble.get("takeState")?.() ?? store.takeState(key),
    create: (key, session) => trouble.get("create")?.() ?? store.create(key, session),
    get: (key) => trouble.get("get")?.() ?? store.get(key),
    touch: (key, at) => trouble.get("touch")?.() ?? store.touch(key, at),
    delete: (key) => trouble.get("delete")?.() ?? store.delete(key),
  };
  return { store: handled, trouble };
}
