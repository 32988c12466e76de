/** How callers authenticate. Schemes are declared under `components` and required by name. */
import type { Extensions, NotAReference, WithDescription } from "./extensions.js";

/**
 * A way to authenticate; `type` determines which.
 * @see https://spec.openapis.org/oas/v3.1.1.html#security-scheme-object
 */
export type SecurityScheme =
  | ApiKeySecurityScheme
  | HttpSecurityScheme
  | MutualTlsSecurityScheme
  | OAuth2SecurityScheme
  | OpenIdConnectSecurityScheme;

/** The fields of every security scheme. */
interface SecuritySchemeBase extends Extensions, NotAReference, WithDescription {
  /** Whether it should no longer be used (3.2). */
  deprecated?: boolean;
}

/** A key sent in a header, a query parameter or a cookie. */
export interface ApiKeySecurityScheme extends SecuritySchemeBase {
  /** A key. */
  type: "apiKey";
  /** The name of the header, query parameter or cookie. */
  name: string;
  /** Where the key is sent. */
  in: "query" | "header" | "cookie";
}

/** HTTP authentication: the Authorization header. */
export interface HttpSecurityScheme extends SecuritySchemeBase {
  /** HTTP authentication. */
  type: "http";
  /** The scheme as registered with IANA: `basic`, `bearer`, … */
  scheme: string;
  /** How a bearer token is made, `JWT` for example; for people. */
  bearerFormat?: string;
}

/** A client certificate. */
export interface MutualTlsSecurityScheme extends SecuritySchemeBase {
  /** A client certificate. */
  type: "mutualTLS";
}

/** OAuth 2. */
export interface OAuth2SecurityScheme extends SecuritySchemeBase {
  /** OAuth 2. */
  type: "oauth2";
  /** The supported flows. */
  flows: OAuthFlows;
  /** The URL of the authorization server's metadata, RFC 8414 (3.2). */
  oauth2MetadataUrl?: string;
}

/** OpenID Connect Discovery. */
export interface OpenIdConnectSecurityScheme extends SecuritySchemeBase {
  /** OpenID Connect Discovery. */
  type: "openIdConnect";
  /** The URL of the discovery document. */
  openIdConnectUrl: string;
}

/**
 * The OAuth flows that a scheme supports.
 * @see https://spec.openapis.org/oas/v3.1.1.html#oauth-flows-object
 */
export interface OAuthFlows extends Extensions {
  /** The implicit flow. */
  implicit?: OAuthImplicitFlow;
  /** The resource owner password flow. */
  password?: OAuthTokenFlow;
  /** The client credentials flow. */
  clientCredentials?: OAuthTokenFlow;
  /** The authorization code flow. */
  authorizationCode?: OAuthAuthorizationCodeFlow;
  /** The device authorization flow (3.2). */
  deviceAuthorization?: OAuthDeviceFlow;
}

/**
 * One OAuth flow; which URLs it needs depends on its kind.
 * @see https://spec.openapis.org/oas/v3.1.1.html#oauth-flow-object
 */
export type OAuthFlow = OAuthImplicitFlow | OAuthTokenFlow | OAuthAuthorizationCodeFlow | OAuthDeviceFlow;

/** The fields of every OAuth flow. */
interface OAuthFlowBase extends Extensions {
  /** Where refresh tokens are obtained. */
  refreshUrl?: string;
  /** The available scopes, each with a short description; may be empty. */
  scopes: Record<string, string>;
}

/** The implicit flow: no token endpoint. */
export interface OAuthImplicitFlow extends OAuthFlowBase {
  /** Where the user authorizes. */
  authorizationUrl: string;
}

/** The password and client credentials flows: only a token endpoint. */
export interface OAuthTokenFlow extends OAuthFlowBase {
  /** Where tokens are obtained. */
  tokenUrl: string;
}

/** The authorization code flow. */
export interface OAuthAuthorizationCodeFlow extends OAuthFlowBase {
  /** Where the user authorizes. */
  authorizationUrl: string;
  /** Where tokens are obtained. */
  tokenUrl: string;
}

/** The device authorization flow (3.2). */
export interface OAuthDeviceFlow extends OAuthFlowBase {
  /** Where the device requests its code. */
  deviceAuthorizationUrl: string;
  /** Where tokens are obtained. */
  tokenUrl: string;
}

/**
 * The schemes that are required together, by name, with the scopes (or roles) of each; `{}` makes security optional.
 * @see https://spec.openapis.org/oas/v3.1.1.html#security-requirement-object
 */
export type SecurityRequirement = Record<string, string[]>;
