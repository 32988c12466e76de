/**
 * This program as a client of an authorisation server: its configuration, checked once, and the results of requests to
 * the token endpoint. oauth4webapi makes the protocol's messages.
 */
import { decodeJwt } from "jose";
import {
  type AuthorizationServer,
  allowInsecureRequests,
  type Client,
  type ClientAuth,
  ClientSecretBasic,
  ClientSecretPost,
  customFetch,
  None,
  OperationProcessingError,
  type TokenEndpointRequestOptions,
  type TokenEndpointResponse,
} from "oauth4webapi";
import { DeclarationError } from "../../core/errors.js";
import { endpoint, filled, known, type OptionNames, positive } from "../contract/configured.js";
import { PUBLIC_KEY_ALGORITHMS } from "../contract/signature-algorithms.js";
import { boundedFetch } from "../outside/outgoing.js";
import { LoginRequired, ProviderError } from "./errors.js";
import { refusalIn } from "./refusal.js";

/** The configuration for a token endpoint. */
export interface OAuthOptions {
  readonly clientId: string;
  /** Absent for a public client. */
  readonly clientSecret?: string;
  /** https; also http on the loopback. */
  readonly tokenEndpoint: string;
  /** The server's identifier, as in its ID tokens. */
  readonly issuer?: string;
  /** How the secret is sent: default `"basic"`, in the Authorization header. */
  readonly clientAuthentication?: "basic" | "post";
  /** For an answer of the server; default 5,000. */
  readonly timeoutMs?: number;
  readonly fetch?: typeof fetch;
}

/** The authorisation server, including logins, and this program as its client. */
export interface LoginOptions extends OAuthOptions {
  readonly authorizationEndpoint: string;
  /** The URL of the callback handler, as registered at the server. */
  readonly redirectUri: string;
  readonly scopes: readonly string[];
}

// One object serves the login and the refresh of its tokens.
const OPTIONS: OptionNames<LoginOptions> = {
  clientId: true,
  clientSecret: true,
  tokenEndpoint: true,
  issuer: true,
  clientAuthentication: true,
  timeoutMs: true,
  fetch: true,
  authorizationEndpoint: true,
  redirectUri: true,
  scopes: true,
};

/** The result of a token endpoint. */
export interface Tokens {
  readonly accessToken: string;
  readonly tokenType: string;
  /** In seconds, from now. */
  readonly expiresIn?: number;
  readonly refreshToken?: string;
  /** Its issuer, audience and times were checked. */
  readonly idToken?: string;
  readonly scope?: string;
}

/** A checked configuration, in the form of oauth4webapi. */
export interface OAuthClient {
  /** The configured value, if there is one. */
  readonly issuer: string | undefined;
  readonly server: AuthorizationServer;
  readonly client: Client;
  readonly authentication: ClientAuth;
  readonly request: TokenEndpointRequestOptions;
}

const MAX_ANSWER_BYTES = 256 * 1024;

/** A copy of a configuration, each option read once. @throws DeclarationError for an unknown option */
export function readOAuth<Options extends LoginOptions | OAuthOptions>(options: Options): Options {
  // The compiler requires each name of a login in the list.
  return known<LoginOptions | OAuthOptions>(options, OPTIONS, "OAuth") as Options;
}

/** @param options as `readOAuth` read them. @throws DeclarationError */
export function oauthClient(options: OAuthOptions): OAuthClient {
  const tokenEndpoint = endpoint(options.tokenEndpoint, "tokenEndpoint");
  const { issuer, clientSecret, clientAuthentication = "basic" } = options;
  if (clientAuthentication !== "basic" && clientAuthentication !== "post") {
    throw new DeclarationError(`clientAuthentication is "basic" or "post"`);
  }
  const withSecret = clientAuthentication === "basic" ? ClientSecretBasic : ClientSecretPost;
  const bounds = {
    fetch: options.fetch,
    timeoutMs: positive(options.timeoutMs, "timeoutMs", 5_000),
    maxBytes: MAX_ANSWER_BYTES,
  };
  return {
    issuer,
    server: {
      // oauth4webapi requires an issuer. Without one, the values to compare it with are absent or not compared.
      issuer: issuer === undefined ? tokenEndpoint.origin : filled(issuer, "issuer"),
      token_endpoint: tokenEndpoint.href,
      id_token_signing_alg_values_supported: [...PUBLIC_KEY_ALGORITHMS],
    },
    client: { client_id: filled(options.clientId, "clientId") },
    authentication: clientSecret === undefined ? None() : withSecret(filled(clientSecret, "clientSecret")),
    request: {
      [customFetch]: (url, { method, headers, body }) => boundedFetch(url, { method, headers, body }, bounds),
      // `endpoint` allows http only on the loopback.
      [allowInsecureRequests]: true,
    },
  };
}

/**
 * The tokens of an answer of the token endpoint.
 * @throws LoginRequired if the server has refused the grant, ProviderError if it has failed or refuses this client
 */
export async function tokensOf(
  { server, issuer }: OAuthClient,
  answer: () => Promise<Response>,
  read: (server: AuthorizationServer, response: Response) => Promise<TokenEndpointResponse>,
): Promise<Tokens> {
  let response: Response;
  try {
    response = await answer();
  } catch {
    // The thrown error may contain the request, and the request contains secrets.
    throw new ProviderError("the token endpoint could not be reached, or gave no complete answer in time");
  }
  const { status } = response;
  const refusal = await refusalIn(response);
  if (refusal?.fault === "grant") {
    throw new LoginRequired("the authorisation server has refused: the user must log in again");
  }
  if (refusal !== undefined) {
    const what =
      refusal.fault === "client" ? "refuses this client: its configuration must be mended" : "has failed";
    const code = refusal.code === undefined ? "" : ` (${refusal.code})`;
    throw new ProviderError(`the token endpoint ${what}${code}`, status);
  }
  try {
    const expected =
      issuer !== undefined ? server : { ...server, issuer: await ownIssuer(response, server.issuer) };
    return camelCase(await read(expected, response));
  } catch (error) {
    // oauth4webapi's causes contain the answer, and the answer may contain tokens.
    const why = error instanceof OperationProcessingError ? ` (${error.code})` : "";
    throw new ProviderError(
      `the answer of the token endpoint, with status ${status}, is not a token response${why}`,
      status,
    );
  }
}

/** The issuer in the ID token itself. It came from the token endpoint, over https. */
async function ownIssuer(response: Response, fallback: string): Promise<string> {
  const body: unknown = await response
    .clone()
    .json()
    .catch(() => undefined);
  if (typeof body !== "object" || body === null || !("id_token" in body)) return fallback;
  if (typeof body.id_token !== "string") return fallback;
  return decodeJwt(body.id_token).iss ?? fallback;
}

function camelCase(answer: TokenEndpointResponse): Tokens {
  const { expires_in, refresh_token, id_token, scope } = answer;
  return {
    accessToken: answer.access_token,
    tokenType: answer.token_type,
    ...(expires_in === undefined ? {} : { expiresIn: expires_in }),
    ...(refresh_token === undefined ? {} : { refreshToken: refresh_token }),
    ...(id_token === undefined ? {} : { idToken: id_token }),
    ...(scope === undefined ? {} : { scope }),
  };
}
