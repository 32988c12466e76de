/**
 * A call as a request: the path filled in, the query and the headers as text, the body as JSON.
 */
import type { OptionNames } from "../contract/configured.js";
import { ClientError } from "./client-error.js";

/** Sends requests: `fetch` itself, or something like it. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

/** Headers for every request, or a function that gives them each time: credentials that expire, say. */
export type CommonHeaders =
  | Readonly<Record<string, string>>
  | (() => Readonly<Record<string, string>> | Promise<Readonly<Record<string, string>>>);

/** Where requests go and by what means. */
export interface CallTarget {
  readonly baseUrl: string;
  readonly fetch: Fetch | undefined;
  readonly headers: CommonHeaders | undefined;
}

/** A call's options, whatever its handler declares. */
export interface AnyCallOptions {
  readonly path?: Values | undefined;
  readonly query?: Values | undefined;
  readonly headers?: Values | undefined;
  readonly body?: unknown;
  readonly signal?: AbortSignal | undefined;
}

/** The names of a call's options. */
export const CALL_OPTIONS: OptionNames<AnyCallOptions> = {
  path: true,
  query: true,
  headers: true,
  body: true,
  signal: true,
};

type Values = Readonly<Record<string, unknown>>;

/** Sends a call. @throws ClientError where it cannot be sent, or no answer comes */
export async function send(
  target: CallTarget,
  method: string,
  path: string,
  options: AnyCallOptions,
  own: Readonly<Record<string, string>>,
): Promise<Response> {
  let url: string;
  const headers = new Headers(own);
  const common = typeof target.headers === "function" ? await target.headers() : target.headers;
  const init: RequestInit = { method, headers };
  try {
    url = `${target.baseUrl}${filled(path, options.path ?? {})}${queryOf(options.query ?? {})}`;
    for (const [name, text] of Object.entries(common ?? {})) headers.set(name, text);
    for (const [name, value] of Object.entries(options.headers ?? {})) {
      const texts = textsOf(value);
      if (Array.isArray(value) && texts.some((text) => text.includes(",")))
        throw new ClientError(
          "INVALID_REQUEST",
          `an item of header ${name} holds a comma, which separates items`,
        );
      if (texts.length > 0) headers.set(name, texts.join(", "));
    }
    if (options.body !== undefined) {
      init.body = JSON.stringify(options.body, refuseLoss);
      headers.set("content-type", "application/json");
    }
  } catch (cause) {
    if (cause instanceof ClientError) throw cause;
    throw new ClientError("INVALID_REQUEST", "the path, the query, a header or the body cannot be sent", {
      cause,
    });
  }
  if (options.signal !== undefined) init.signal = options.signal;
  // Browsers want their own `fetch` to be called as the function that it is.
  const { fetch = globalThis.fetch } = target;
  try {
    return await fetch(url, init);
  } catch (cause) {
    throw lost(cause, options.signal);
  }
}

/** @throws ClientError for a value that JSON would write as `{}` or `null`, or not at all, and for bytes */
function refuseLoss(this: object, key: string, value: unknown): unknown {
  // As it was before its `toJSON`: that of a `Buffer` is a list of numbers.
  const given: unknown = Reflect.get(this, key);
  const isLost =
    typeof value === "number"
      ? !Number.isFinite(value)
      : typeof value === "object" && value !== null
        ? ArrayBuffer.isView(given) || isOpaque(value)
        : typeof value === "function" || typeof value === "symbol";
  if (isLost) throw new ClientError("INVALID_REQUEST", "the body holds what JSON cannot carry");
  return value;
}

/** Whether an object keeps what it holds to itself, as forms, blobs, streams, maps and sets do. */
function isOpaque(value: object): boolean {
  const isPlain = /t (Object|Array)]/.test(Object.prototype.toString.call(value));
  return !isPlain && Object.keys(value).length === 0;
}

/** What a connection that failed, or was given up, is thrown as. */
export function lost(cause: unknown, signal: AbortSignal | undefined): ClientError {
  return signal?.aborted === true
    ? new ClientError("ABORTED", "the call was aborted", { cause })
    : new ClientError("NETWORK", "the server cannot be reached, or the connection broke", { cause });
}

/** A value for each name; the items of a list are separated by commas. What a URL takes for a step upwards is no segment. */
function filled(path: string, values: Values): string {
  return path.replace(/\{([^{}]+)\}/g, (_, name: string) => {
    const texts = Object.hasOwn(values, name) ? textsOf(values[name]) : [];
    try {
      const segment = texts.map(encodeURIComponent).join(",");
      if (segment !== "" && segment !== "." && segment !== "..") return segment;
    } catch {
      // Half of a surrogate pair has no bytes.
    }
    throw new ClientError(
      "INVALID_REQUEST",
      `path parameter ${name} needs a text that can be a segment of a path`,
    );
  });
}

function queryOf(values: Values): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(values)) {
    for (const text of textsOf(value)) query.append(name, text);
  }
  const text = query.toString();
  return text === "" ? "" : `?${text}`;
}

/** A list repeats its key; absent values are left out. @throws TypeError for bytes, which the wire carries as base64 */
function textsOf(value: unknown): readonly string[] {
  if (value === undefined || value === null) return [];
  if (Array.isArray(value)) return value.flatMap(textsOf);
  if (ArrayBuffer.isView(value)) throw new TypeError("bytes");
  return [value instanceof Date ? value.toISOString() : String(value)];
}
