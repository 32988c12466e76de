import {
  createEngine,
  type Extractor,
  enrich,
  GET,
  group,
  type Handler,
  handlers,
  type Identity,
  POST,
} from "rowtype/http";
import { type JwtIdentity, jwtExtractor, type TokenError } from "rowtype/http/jwt";
import { type LoginRequired, type ProviderError, refreshToken, type Tokens } from "rowtype/http/oauth";
import { memoryStore, type SessionIdentity, type SessionStore, sessions } from "rowtype/http/session";
import { type SqlStore, sqlStore } from "rowtype/http/session/sql";
import { sqlite } from "rowtype/sqlite";
import { expectType } from "tsd";

// Tokens: an identity with claims of any shape, which the application narrows.
const jwt = jwtExtractor({ domain: "issuer.example.com", audience: ["a", "b"] });
expectType<Extractor<JwtIdentity>>(jwt);
expectType<unknown>({} as JwtIdentity["claims"][string]);
// @ts-expect-error: without an audience every token of the issuer would do.
jwtExtractor({ domain: "issuer.example.com" });
// @ts-expect-error: a misspelt option guards nothing.
jwtExtractor({ domain: "issuer.example.com", audience: "a", roleClaim: "roles" });

interface Member extends Identity {
  readonly plan: string;
}
const member = enrich(jwt, (found): Member => ({ ...found, plan: String(found.claims["plan"]) }));
expectType<Extractor<Member>>(member);
const members = handlers<Member>();
createEngine<Member>()
  .withAuthenticator(member)
  .withHandlers(members.GET("/plan", { authentication: true }, ({ identity }) => identity.plan));
// @ts-expect-error: the tokens alone do not make a member.
createEngine<Member>().withAuthenticator(jwt);
createEngine().withAuthenticator(jwt);

expectType<"INVALID_TOKEN" | "KEYS_UNAVAILABLE">({} as TokenError["code"]);

// New tokens.
const oauth = { clientId: "shop", clientSecret: "secret", tokenEndpoint: "https://id.example.com/token" };
expectType<Promise<Tokens>>(refreshToken(oauth, "token"));
expectType<string>({} as Tokens["accessToken"]);
expectType<"LOGIN_REQUIRED">({} as LoginRequired["code"]);
expectType<"PROVIDER_FAILED">({} as ProviderError["code"]);

// Sessions: what `resolve` gives as `meta` is what handlers find.
const login = sessions({
  oauth: {
    ...oauth,
    authorizationEndpoint: "https://id.example.com/authorize",
    redirectUri: "https://shop.example.com/callback",
    scopes: ["openid"],
  },
  store: memoryStore(),
  cookie: { signKey: ["new", new Uint8Array(32)] },
  resolve: async (tokens, { signal }) => {
    expectType<Tokens>(tokens);
    expectType<AbortSignal>(signal);
    return { userId: "ann", meta: { plan: "paid", seats: 3 } };
  },
  afterLogin: "/",
});
expectType<Extractor<SessionIdentity<{ plan: string; seats: number }>>>(login.extractor);
type User = SessionIdentity<{ plan: string; seats: number }>;
const users = handlers<User>();
createEngine<User>()
  .withAuthenticator(login.extractor)
  .withHandlers(
    login.loginHandler("/login", { returnTo: ["/app"] }),
    login.callbackHandler("/callback"),
    login.logoutHandler("/logout", { redirectTo: "/" }),
    users.GET("/seats", { authentication: true }, ({ identity }) => {
      expectType<number | undefined>(identity.meta?.seats);
      return identity.meta?.seats ?? 0;
    }),
    GET("/open", () => 1),
  );
expectType<"/login">(login.loginHandler("/login").path);
expectType<"POST">(login.logoutHandler("/logout", { redirectTo: "/" }).method);
const plain: Handler<string, string, unknown, Identity> = login.callbackHandler("/callback");
void plain;
// @ts-expect-error: a logout leads somewhere.
login.logoutHandler("/logout");
// @ts-expect-error: a session is somebody's.
sessions({ ...login, resolve: () => ({ email: "ann@example.com" }) });

// Stores.
expectType<SqlStore>(sqlStore(sqlite()));
const own: SessionStore = sqlStore(sqlite());
void own;
// @ts-expect-error: a connection string is not a database.
sqlStore("postgres://localhost/shop");

// Several ways: each gives the type of the engine's callers.
interface Machine extends Identity {
  readonly machine: string;
}
declare const byMachine: Extractor<Machine>;
declare const byAnyone: Extractor;
createEngine<Identity>().withAuthenticator(byAnyone, byMachine);
createEngine<Machine>().withAuthenticator(byMachine, byMachine);
// @ts-expect-error one that gives no machine
createEngine<Machine>().withAuthenticator(byMachine, byAnyone);
// @ts-expect-error none
createEngine().withAuthenticator();
GET("/ways", { authentication: ["cookie", "bearer"] }, ({ identity }) => {
  expectType<Identity>(identity);
});
group("/ways", { authentication: ["cookie"] }).GET("/x", {}, ({ identity }) => {
  expectType<Identity>(identity);
});
// @ts-expect-error names are text
GET("/ways", { authentication: [1] }, () => 1);
// @ts-expect-error the group asks who is calling
group("/ways", { authentication: ["cookie"] }).GET("/x", { authentication: false }, () => 1);

// Sessions without OAuth have no login of their own, and `endAll` where the store finds the sessions of a user.
const cookie = { signKey: "k".repeat(32) };
const ownLogin = sessions<{ readonly plan: string }>({
  store: memoryStore(),
  cookie,
  lifetimes: { idleMs: 1 },
});
POST("/login", {}, async ({ request, response }) => {
  await ownLogin.begin({ request, response }, { userId: "a", email: "a@b.c", meta: { plan: "x" } });
  // @ts-expect-error of another type
  await ownLogin.begin({ request, response }, { userId: "a", meta: { plan: 1 } });
  // @ts-expect-error a session has a user
  await ownLogin.begin({ request, response }, {});
  await ownLogin.end({ request, response });
});
expectType<Promise<void>>(ownLogin.endAll("a"));
expectType<Extractor<SessionIdentity<{ readonly plan: string }>>>(ownLogin.extractor);
// @ts-expect-error without `oauth` there is no login at a server
ownLogin.loginHandler("/login");
// @ts-expect-error nor a return from it
ownLogin.callbackHandler("/callback");
declare const bare: SessionStore;
// @ts-expect-error this store cannot find the sessions of a user
sessions({ store: bare, cookie }).endAll("a");
// @ts-expect-error without OAuth nothing is resolved
sessions({ store: bare, cookie, resolve: () => ({ userId: "a" }) });
