/** Converts a call to a request: the path filled in, the query and the headers as text, the body as JSON. */
import type { OptionNames } from "../contract/configured.js";
import { ClientError } from "./client-error.js";

/** Sends requests: `fetch` or a compatible function. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

/** Headers for every request, or a function that returns them each time, for example expiring credentials. */
export type CommonHeaders =
  | Readonly<Record<string, string>>
  | (() => Readonly<Record<string, string>> | Promise<Readonly<Record<string, string>>>);

/** The destination of requests, and the function that sends them. */
export interface CallTarget {
  readonly baseUrl: string;
  readonly fetch: Fetch | undefined;
  readonly headers: CommonHeaders | undefined;
}

/** A call's options, for any handler. */
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

/** Sends a call. @throws ClientError if it cannot be sent or no answer comes */
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
  // Browsers require that `fetch` is called as a plain function.
  const { fetch = globalThis.fetch } = target;
  try {
    return await fetch(url, init);
  } catch (cause) {
    throw lost(cause, options.signal);
  }
}

/** @throws ClientError for a value that JSON would write as `{}` or `null`, or omit, and for bytes */
function refuseLoss(this: object, key: string, value: unknown): unknown {
  // The value before its `toJSON`: for a `Buffer` that returns a list of numbers.
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

/** Whether an object hides its content, as forms, blobs, streams, maps and sets do. */
function isOpaque(value: object): boolean {
  const isPlain = /t (Object|Array)]/.test(Object.prototype.toString.call(value));
  return !isPlain && Object.keys(value).length === 0;
}

/** The error for a failed or aborted connection. */
export function lost(cause: unknown, signal: AbortSignal | undefined): ClientError {
  return signal?.aborted === true
    ? new ClientError("ABORTED", "the call was aborted", { cause })
    : new ClientError("NETWORK", "the server cannot be reached, or the connection broke", { cause });
}

/** Replaces each name by its value; commas separate items of a list. A segment that means a step upwards is refused. */
function filled(path: string, values: Values): string {
  return path.replace(/\{([^{}*]+)(\*?)\}/g, (_, name: string, star: string) => {
    const texts = Object.hasOwn(values, name) ? textsOf(values[name]) : [];
    try {
      const text = texts.map(encodeURIComponent).join(",");
      // The segments of a rest are encoded one by one.
      const segments = star === "" ? [text] : text.split("%2F");
      if (!segments.some((one) => /^\.{0,2}$/.test(one))) return segments.join("/");
    } catch {
      // A lone surrogate has no bytes.
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

/** A list repeats its key; absent values are omitted. @throws TypeError for bytes, whose wire form is base64 */
function textsOf(value: unknown): readonly string[] {
  if (value === undefined || value === null) return [];
  if (Array.isArray(value)) return value.flatMap(textsOf);
  if (ArrayBuffer.isView(value)) throw new TypeError("bytes");
  return [value instanceof Date ? value.toISOString() : String(value)];
}
