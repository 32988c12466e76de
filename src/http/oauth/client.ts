/**
 * This program as a client of an authorisation server: its configuration, checked once, and how requests to the
 * token endpoint end. The protocol's messages are those of oauth4webapi.
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

/** What is needed to talk to a token endpoint. */
export interface OAuthOptions {
  readonly clientId: string;
  /** Absent for a public client. */
  readonly clientSecret?: string;
  /** https; on the loopback http too. */
  readonly tokenEndpoint: string;
  /** The server's identifier, that of its ID tokens. */
  readonly issuer?: string;
  /** How the secret is sent: default `"basic"`, in the Authorization header. */
  readonly clientAuthentication?: "basic" | "post";
  /** For an answer of the server; default 5,000. */
  readonly timeoutMs?: number;
  readonly fetch?: typeof fetch;
}

/** The authorisation server of logins too, and this program as its client. */
export interface LoginOptions extends OAuthOptions {
  readonly authorizationEndpoint: string;
  /** The URL of the callback handler, as the server knows it. */
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

/** What a token endpoint gives. */
export interface Tokens {
  readonly accessToken: string;
  readonly tokenType: string;
  /** In seconds, from now. */
  readonly expiresIn?: number;
  readonly refreshToken?: string;
  /** Its issuer, audience and times are checked. */
  readonly idToken?: string;
  readonly scope?: string;
}

/** A checked configuration, in the form that oauth4webapi takes. */
export interface OAuthClient {
  /** As it is configured, if it is. */
  readonly issuer: string | undefined;
  readonly server: AuthorizationServer;
  readonly client: Client;
  readonly authentication: ClientAuth;
  readonly request: TokenEndpointRequestOptions;
}

const MAX_ANSWER_BYTES = 256 * 1024;

/** @throws DeclarationError */
export function oauthClient(options: OAuthOptions): OAuthClient {
  known<LoginOptions | OAuthOptions>(options, OPTIONS, "OAuth");
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
      // oauth4webapi wants one; without an issuer, what would be compared with it is not there or not compared.
      issuer: issuer === undefined ? tokenEndpoint.origin : filled(issuer, "issuer"),
      token_endpoint: tokenEndpoint.href,
      id_token_signing_alg_values_supported: [...PUBLIC_KEY_ALGORITHMS],
    },
    client: { client_id: filled(options.clientId, "clientId") },
    authentication: clientSecret === undefined ? None() : withSecret(filled(clientSecret, "clientSecret")),
    request: {
      [customFetch]: (url, { method, headers, body }) => boundedFetch(url, { method, headers, body }, bounds),
      // `endpoint` allows http on the loopback only.
      [allowInsecureRequests]: true,
    },
  };
}

/**
 * The tokens of an answer of the token endpoint.
 * @throws LoginRequired where the server has refused the grant, ProviderError where it has failed or refuses this client
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
    // What was thrown may hold the request, and the request holds secrets.
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
    // The causes of oauth4webapi hold the answer, and the answer may hold tokens.
    const why = error instanceof OperationProcessingError ? ` (${error.code})` : "";
    throw new ProviderError(
      `the answer of the token endpoint, with status ${status}, is not a token response${why}`,
      status,
    );
  }
}

/** What an ID token says its issuer is: it came from the token endpoint itself, over https. */
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
