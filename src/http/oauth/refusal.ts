/**
 * The cause of a refusal by the token endpoint: the user's grant has ended, or the server does not accept this program
 * or its request. The `error` of the body shows it (RFC 6749, 5.2) for any status: some servers refuse with 200.
 */

/** `grant`: only a new login helps. `client`: the configuration is wrong. `server`: the server has failed. */
type Fault = "grant" | "client" | "server";

const FAULTS: Readonly<Record<string, Fault>> = {
  // RFC 6749, 5.2.
  invalid_grant: "grant",
  invalid_request: "client",
  invalid_client: "client",
  unauthorized_client: "client",
  unsupported_grant_type: "client",
  invalid_scope: "client",
  // RFC 8707, 2.
  invalid_target: "client",
  // RFC 6749, 4.1.2.1, and RFC 8628, 3.5; servers use it here too.
  access_denied: "grant",
  expired_token: "grant",
  server_error: "server",
  temporarily_unavailable: "server",
  slow_down: "server",
  // OpenID Connect Core, 3.1.2.6.
  interaction_required: "grant",
  login_required: "grant",
  consent_required: "grant",
  account_selection_required: "grant",
  // GitHub.
  bad_refresh_token: "grant",
  bad_verification_code: "grant",
  unverified_user_email: "grant",
  incorrect_client_credentials: "client",
  redirect_uri_mismatch: "client",
};

const KNOWN: ReadonlyMap<string, Fault> = new Map(Object.entries(FAULTS));

/** A refusal, and its code if a standard defines it. */
interface TokenRefusal {
  readonly fault: Fault;
  readonly code: string | undefined;
}

/** The refusal in an answer; `undefined` if there is none. The answer can still be read afterwards. */
export async function refusalIn(answer: Response): Promise<TokenRefusal | undefined> {
  const { status } = answer;
  const given = await errorOf(answer.clone());
  const fault = given === undefined ? undefined : KNOWN.get(given);
  if (fault !== undefined) return { fault, code: given };
  // An error outside the standards refuses the grant, unless the status shows that the server has failed.
  if (given !== undefined && status < 500 && status !== 429) return { fault: "grant", code: undefined };
  // Without an error, only the status counts; 401 is the status of `invalid_client`.
  if (status === 401) return { fault: "client", code: undefined };
  return status === 400 || status === 403 ? { fault: "grant", code: undefined } : undefined;
}

/** The `error` of the body, a text that is not empty. */
async function errorOf(answer: Response): Promise<string | undefined> {
  const body: unknown = await answer.json().catch(() => undefined);
  if (typeof body !== "object" || body === null || !Object.hasOwn(body, "error")) return undefined;
  // `hasOwn` has checked it.
  const { error } = body as { readonly error: unknown };
  return typeof error === "string" && error !== "" ? error : undefined;
}
