/**
 * New tokens from a refresh token. Overlapping calls for one token are one request: a server that rotates refresh
 * tokens treats a second use as theft.
 */
import { createHash } from "node:crypto";
import { processRefreshTokenResponse, refreshTokenGrantRequest } from "oauth4webapi";
import { type OAuthOptions, oauthClient, readOAuth, type Tokens, tokensOf } from "./client.js";
import { LoginRequired } from "./errors.js";

/** Running requests, by a digest of their content. A token itself is not kept. */
const underWay = new Map<string, Promise<Tokens>>();

/**
 * Requests new tokens. If the server issues no new refresh token, the old one is returned: it stays valid.
 * @throws LoginRequired if the server refuses the token, ProviderError if it cannot be reached
 * @example
 * import { LoginRequired, refreshToken } from "rowtype/http/oauth";
 * const tokens = await refreshToken(oauth, stored).catch((error) => {
 *   if (error instanceof LoginRequired) return null; // to the login page
 *   throw error;
 * });
 */
export async function refreshToken(given: OAuthOptions, token: string): Promise<Tokens> {
  const options = readOAuth(given);
  const client = oauthClient(options);
  if (typeof token !== "string" || token === "") throw new LoginRequired("there is no refresh token");
  const { clientId, clientSecret, tokenEndpoint } = options;
  const asked = JSON.stringify([tokenEndpoint, clientId, clientSecret, token]);
  const key = createHash("sha256").update(asked).digest("base64");
  const same = underWay.get(key);
  if (same !== undefined) return same;
  const tokens = tokensOf(
    client,
    () =>
      refreshTokenGrantRequest(client.server, client.client, client.authentication, token, client.request),
    (server, response) => processRefreshTokenResponse(server, client.client, response),
  )
    .then((given) => Object.freeze({ refreshToken: token, ...given }))
    .finally(() => underWay.delete(key));
  underWay.set(key, tokens);
  return tokens;
}
