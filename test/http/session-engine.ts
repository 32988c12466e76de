/**
 * An engine with login, callback, logout and protected handlers. It also runs in processes that have no test runner;
 * there it is one of the built package.
 */
import { createEngine, GET } from "rowtype/http";
import { memoryStore, type SessionsOptions, sessions } from "rowtype/http/session";

export const SECRET = "the-client-secret";
export const signKey = "k".repeat(32);

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
      ...oauth,
    },
    cookie: { signKey },
    resolve: () => ({ userId: "ann", roles: ["editor"], scopes: ["read"], meta: { plan: "paid" } }),
    afterLogin: "/welcome",
    ...more,
    store,
  });
  const engine = createEngine({ onError: false })
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
