/**
 * A certified authorisation server in this process, and somebody who fills in its forms.
 */
import { createServer, type RequestListener } from "node:http";
import { exportJWK, generateKeyPair } from "jose";
import Provider, { type Adapter, type AdapterPayload, type Configuration, type JWK } from "oidc-provider";
import { atEnd } from "../at-end.js";
import { keepCookies } from "./browser.js";

export const CLIENT = {
  clientId: "shop",
  clientSecret: "the-client-secret-of-the-shop",
  redirectUri: "https://shop.example.com/callback",
};
export const AUDIENCE = "https://api.example.com";

export interface AuthorisationServer {
  readonly issuer: string;
  /** From now on tokens are signed with a new key; the old one is still published. */
  rotateKeys(): Promise<void>;
}

/** A server on a free port, whose access tokens are JWTs for `AUDIENCE`. */
export async function authorisationServer(
  redirectUri: string = CLIENT.redirectUri,
): Promise<AuthorisationServer> {
  let answer: RequestListener = (_request, response) => void response.writeHead(503).end();
  const server = createServer((request, response) => answer(request, response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  atEnd(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the server has no port");
  const issuer = `http://127.0.0.1:${address.port}`;
  const keys: JWK[] = [];
  const kept = new Map<string, AdapterPayload>();
  const rotateKeys = async () => {
    const { privateKey } = await generateKeyPair("RS256", { extractable: true });
    // What was exported is a key of the kind that was made.
    const key = {
      ...(await exportJWK(privateKey)),
      alg: "RS256",
      use: "sig",
      kid: `key-${keys.length}`,
    } as JWK;
    keys.unshift(key);
    // What is kept is shared, so that the new server knows the grants of the old one.
    answer = new Provider(issuer, {
      ...configuration(keys, redirectUri),
      adapter: (kind) => adapter(kind, kept),
    }).callback();
  };
  await rotateKeys();
  return { issuer, rotateKeys };
}

function configuration(keys: readonly JWK[], redirectUri: string): Configuration {
  return {
    jwks: { keys: [...keys] },
    clients: [
      {
        client_id: CLIENT.clientId,
        client_secret: CLIENT.clientSecret,
        redirect_uris: [redirectUri],
        grant_types: ["authorization_code", "refresh_token"],
        response_types: ["code"],
      },
    ],
    cookies: { keys: ["a key of the server's own cookies"] },
    pkce: { required: () => true },
    scopes: ["openid", "email", "read"],
    claims: { openid: ["sub"], email: ["email"] },
    conformIdTokenClaims: false,
    ttl: { AccessToken: 300, Grant: 300, IdToken: 300, Interaction: 300, RefreshToken: 300, Session: 300 },
    issueRefreshToken: async () => true,
    rotateRefreshToken: true,
    findAccount: (_context, id) => ({
      accountId: id,
      claims: () => ({ sub: id, email: `${id}@example.com` }),
    }),
    extraTokenClaims: () => ({ "https://example.com/roles": ["editor"] }),
    features: {
      devInteractions: { enabled: true },
      resourceIndicators: {
        enabled: true,
        defaultResource: () => AUDIENCE,
        useGrantedResource: () => true,
        getResourceServerInfo: () => ({
          scope: "read",
          audience: AUDIENCE,
          accessTokenFormat: "jwt",
          accessTokenTTL: 300,
          jwt: { sign: { alg: "RS256" } },
        }),
      },
    },
  };
}

function adapter(kind: string, kept: Map<string, AdapterPayload>): Adapter {
  const key = (id: string) => `${kind}:${id}`;
  const by = async (fits: (payload: AdapterPayload) => boolean) =>
    [...kept].find(([name, payload]) => name.startsWith(`${kind}:`) && fits(payload))?.[1];
  return {
    upsert: async (id, payload) => void kept.set(key(id), payload),
    find: async (id) => kept.get(key(id)),
    findByUid: (uid) => by((payload) => payload.uid === uid),
    findByUserCode: (code) => by((payload) => payload.userCode === code),
    consume: async (id) => {
      const payload = kept.get(key(id));
      if (payload !== undefined) payload["consumed"] = Math.floor(Date.now() / 1000);
    },
    destroy: async (id) => void kept.delete(key(id)),
    revokeByGrantId: async (grantId) => {
      for (const [name, payload] of kept) if (payload.grantId === grantId) kept.delete(name);
    },
  };
}

/** Follows the way through the server's forms, and gives the address that it sends the browser back to. */
export async function fillIn(start: string, login: string): Promise<URL> {
  const cookies = new Map<string, string>();
  let url = new URL(start);
  let body: URLSearchParams | undefined;
  for (let steps = 0; steps < 20; steps++) {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const response = await fetch(url, {
      method: body === undefined ? "GET" : "POST",
      redirect: "manual",
      headers: { cookie },
      ...(body === undefined ? {} : { body }),
    });
    keepCookies(cookies, response.headers.getSetCookie());
    const location = response.headers.get("location");
    if (location !== null) {
      url = new URL(location, url);
      body = undefined;
      if (url.href.startsWith(CLIENT.redirectUri)) return url;
      continue;
    }
    const page = await response.text();
    const prompt = /name="prompt" value="(\w+)"/.exec(page)?.[1];
    const action = /action="([^"]+)"/.exec(page)?.[1];
    if (prompt === undefined || action === undefined) throw new Error(`no form: ${page.slice(0, 500)}`);
    url = new URL(action, url);
    body = new URLSearchParams({ prompt, ...(prompt === "login" ? { login, password: "any" } : {}) });
  }
  throw new Error("the server's forms do not end");
}
