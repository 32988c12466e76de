/**
 * The algorithms of JWS that verify with a public key. With the others, everyone who can verify a token could also make
 * one, and a public key used as a secret is known to everybody (RFC 8725, 2.1).
 */
export const PUBLIC_KEY_ALGORITHMS: readonly string[] =
  "RS256 RS384 RS512 PS256 PS384 PS512 ES256 ES384 ES512 EdDSA Ed25519".split(" ");
