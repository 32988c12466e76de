/** `rowtype/http/jwt`: callers identified by bearer tokens that an identity provider has signed. */
export type { Claims } from "./claims.js";
export { type JwtIdentity, type JwtOptions, jwtExtractor } from "./extractor.js";
export { TokenError, type TokenErrorCode } from "./token-error.js";
