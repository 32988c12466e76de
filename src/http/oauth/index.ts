/** `rowtype/http/oauth`: this program as a client of an authorisation server. */
export type { OAuthOptions, Tokens } from "./client.js";
export { LoginRequired, ProviderError } from "./errors.js";
export { refreshToken } from "./refresh.js";
