import { createEngine, GET } from "rowtype/http";
import { jwtExtractor } from "rowtype/http/jwt";
import { LoginRequired, refreshToken } from "rowtype/http/oauth";
import { memoryStore, sessions, type Tokens } from "rowtype/http/session";
import { serveRequestWithHeaders } from "rowtype/http/testing";
import { beforeAll, describe, expect, test } from "vitest";
import {
  AUDIENCE,
  type AuthorisationServer,
  authorisationServer,
  CLIENT,
  fillIn,
} from "./authorisation-server.js";
import { browser } from "./browser.js";

let server: AuthorisationServer;
beforeAll(async () => {
  server = await authorisationServer();
});

function shop() {
  const given: Tokens[] = [];
  const oauth = {
    ...CLIENT,
    issuer: server.issuer,
    authorizationEndpoint: `${server.issuer}/auth`,
    tokenEndpoint: `${server.issuer}/token`,
    scopes: ["openid", "email", "read"],
  };
  const login = sessions({
    oauth,
    store: memoryStore(),
    cookie: { signKey: "k".repeat(32) },
    resolve: async (tokens) => {
      given.push(tokens);
      const response = await fetch(`${server.issuer}/jwks`);
      return { userId: "ann", meta: { keys: response.status } };
    },
    afterLogin: "/welcome",
  });
  const engine = createEngine()
    .withAuthenticator(login.extractor)
    .withHandlers(
      login.loginHandler("/login", { returnTo: ["/app"] }),
      login.callbackHandler("/callback"),
      login.logoutHandler("/logout", { redirectTo: "/bye" }),
      GET("/me", { authentication: true }, ({ identity }) => identity.id),
    );
  return { engine, given, oauth };
}

/** A whole login, as somebody at a browser does it. */
async function logIn({ engine }: ReturnType<typeof shop>) {
  const ann = browser(engine);
  const there = await ann.get("/login?return_to=/app");
  const back = await fillIn(there.headers.get("location") ?? "", "ann");
  return { ann, back, answer: await ann.get(back.pathname + back.search) };
}

describe("a certified authorisation server", () => {
  test("logs a user in, by its own forms, and out again", async () => {
    const made = shop();
    const { ann, back, answer } = await logIn(made);
    expect([...back.searchParams.keys()].sort()).toEqual(["code", "iss", "state"]);
    expect([answer.status, answer.headers.get("location")]).toEqual([302, "/app"]);
    expect((await ann.get("/me")).decodeJSON()).toBe("ann");
    expect(made.given[0]).toMatchObject({ tokenType: "bearer", idToken: expect.stringMatching(/^ey/) });
    expect((await ann.get(back.pathname + back.search)).status).toBe(400);
    expect((await ann.post("/logout")).status).toBe(303);
    expect((await ann.get("/me")).status).toBe(401);
  });

  test("row 99: refuses a code that was used, which is a 401", async () => {
    const made = shop();
    const { back } = await logIn(made);
    const eve = browser(made.engine);
    const there = new URL((await eve.get("/login")).headers.get("location") ?? "");
    back.searchParams.set("state", there.searchParams.get("state") ?? "");
    const answer = await eve.get(back.pathname + back.search);
    expect([answer.status, answer.text()]).toEqual([
      401,
      '{"code":"UNAUTHORIZED","message":"the login was refused"}',
    ]);
    expect(eve.cookies.has("__Host-sid")).toBe(false);
  });

  test("signs tokens that jwtExtractor takes, while its keys rotate and requests run; a used refresh token is refused", async () => {
    const made = shop();
    await logIn(made);
    const [first] = made.given;
    const api = createEngine()
      .withAuthenticator(
        jwtExtractor({
          domain: "127.0.0.1",
          issuer: server.issuer,
          jwksUri: `${server.issuer}/jwks`,
          audience: AUDIENCE,
          rolesClaim: "https://example.com/roles",
        }),
      )
      .withHandlers(GET("/read", { scopes: ["read"], roles: ["editor"] }, ({ identity }) => identity.id));
    const read = (token: string) =>
      serveRequestWithHeaders(api, "GET", "/read", { authorization: `Bearer ${token}` });
    const old = first?.accessToken ?? "";
    expect((await read(old)).decodeJSON()).toBe("ann");

    const running = Promise.all(Array.from({ length: 50 }, () => read(old)));
    await server.rotateKeys();
    const next = await refreshToken(made.oauth, first?.refreshToken ?? "");
    const kid = (token: string) => Buffer.from(token.split(".")[0] ?? "", "base64url").toString();
    expect(kid(next.accessToken)).not.toBe(kid(old));
    const mixed = await Promise.all(
      Array.from({ length: 50 }, (_, i) => read(i % 2 ? old : next.accessToken)),
    );
    for (const { status } of [...(await running), ...mixed]) expect(status).toBe(200);
    // An ID token is for the client, not for the interface.
    expect((await read(next.idToken ?? "")).status).toBe(401);

    expect(next.refreshToken).not.toBe(first?.refreshToken);
    await expect(refreshToken(made.oauth, first?.refreshToken ?? "")).rejects.toBeInstanceOf(LoginRequired);
  });
});
