/** Converts an answer to the result of a call: an output, or a declared error. Every other error is thrown. */
import { ClientError, notRead } from "./client-error.js";
import { piecesOf } from "./pieces.js";
import { lost } from "./signals.js";

/** The result of a call, for any handler. */
interface AnyResult {
  readonly ok: boolean;
  readonly status: number;
  readonly data?: unknown;
  readonly error?: unknown;
  readonly headers: Headers;
}

/** Reads an answer. @throws ClientError */
export async function resultOf(
  response: Response,
  signal: AbortSignal | undefined,
  method: string,
): Promise<AnyResult> {
  const { status, headers } = response;
  const success = (data: unknown) => ({ ok: true, status, data, headers });
  if (response.ok && method === "HEAD") return success(undefined);
  // Another origin may not see the kind: then the media type decides.
  const kind = headers.get("answer-kind") ?? headers.get("content-type");
  if (response.ok && response.body && kind?.match(/^[^;]*ndjson/))
    return success(linesOf(response.body, signal));
  const bytes = await response.arrayBuffer().catch((cause: unknown) => {
    throw lost(cause, signal);
  });
  if (status >= 400) return { ok: false, status, error: refusalOf(response, textOf(bytes)), headers };
  return success(dataOf(response, bytes));
}

/** The declared error of an answer, in its own form or as problem details. @throws ClientError for any other */
export function refusalOf({ status, headers }: Response, text: string): object {
  // Any value of JSON: its members are looked at, whatever it is.
  const body = parsed(text) as { readonly [name: string]: unknown } | null | undefined;
  const { code, details, message = body?.["detail"] } = body ?? {};
  if (typeof code !== "string" || typeof message !== "string")
    throw notRead(`an answer ${status} that is not an error of this API`, status);
  if (!isDeclared(code, headers.get("error-origin"))) {
    throw new ClientError(code, message, { status, details });
  }
  return { code, status, message, ...(details === undefined ? {} : { details }) };
}

/** Errors that the framework itself answers with, and that handlers seldom declare. */
const FRAMEWORK = new Set(
  (
    "BAD_REQUEST UNAUTHORIZED FORBIDDEN METHOD_NOT_ALLOWED PAYLOAD_TOO_LARGE UNSUPPORTED_MEDIA_TYPE " +
    "UNPROCESSABLE_ENTITY VALIDATION_FAILED TOO_MANY_REQUESTS INTERNAL_SERVER_ERROR"
  ).split(" "),
);

/** The engine says whether an error is declared. A proxy or another origin may have hidden it from us. */
function isDeclared(code: string, origin: string | null): boolean {
  return origin === null ? !FRAMEWORK.has(code) : origin === "handler";
}

/**
 * An engine writes a value as JSON, at least `null`, or names the kind of its answer. Other text and bytes come from a
 * handler that writes its own answer. A page comes from something else: a proxy, a login portal, the fallback of a single-page application.
 */
function dataOf({ status, headers }: Response, bytes: ArrayBuffer): unknown {
  const kind = headers.get("answer-kind") ?? "";
  if (/^(bytes|file)$/.test(kind)) return new Uint8Array(bytes);
  if (/^(text|html|csv)$/.test(kind)) return textOf(bytes);
  if (bytes.byteLength === 0) {
    if (status === 204 || status === 205 || status >= 300) return undefined;
    throw notRead("the answer is empty", status);
  }
  const type = headers.get("content-type") ?? "";
  if (/^[^;]+[/+]json *(;|$)/i.test(type)) {
    const data = parsed(textOf(bytes));
    if (data === undefined) throw notRead("the answer is not JSON", status);
    return data;
  }
  if (/^$|html/i.test(type)) {
    throw notRead("a page instead of an answer of this API", status);
  }
  // Text that is not in the character set that its type says stays as it came.
  if (/^text/i.test(type))
    try {
      return new TextDecoder(/charset="?([^\s";]+)/i.exec(type)?.[1], { fatal: true }).decode(bytes);
    } catch {}
  return new Uint8Array(bytes);
}

/** The values of lines of JSON, as they arrive. */
async function* linesOf(
  body: ReadableStream<Uint8Array>,
  signal: AbortSignal | undefined,
): AsyncGenerator<unknown, void> {
  let rest = "";
  for await (const piece of piecesOf(body, signal)) {
    rest += piece;
    // A long line comes in many pieces.
    if (!piece.includes("\n")) continue;
    const lines = rest.split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) if (line.trim() !== "") yield jsonOf(line, "a line");
  }
  // An engine ends every line. Others may leave out the last break, or cut the line.
  if (rest.trim() !== "") yield jsonOf(rest, "a line");
}

/** @throws ClientError for text that is not JSON */
export function jsonOf(text: string, what: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw notRead(`${what} whose data are not JSON`, undefined, cause);
  }
}

function textOf(bytes: ArrayBuffer): string {
  return new TextDecoder().decode(bytes);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
