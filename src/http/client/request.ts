/** Converts a call to a request: the path filled in, the query and the headers as text, the body in its form. */
import { bodyOf, json } from "./body.js";
import { ClientError, notSent } from "./client-error.js";
import { type Sender, sendBy } from "./hooks.js";
import type { OptionTypes } from "./known.js";
import { textsOf } from "./texts.js";

/** Headers for every request, or a function that returns them each time, for example expiring credentials. */
export type CommonHeaders =
  | Readonly<Record<string, string>>
  | (() => Readonly<Record<string, string>> | Promise<Readonly<Record<string, string>>>);

/** The destination of requests, and how they are sent. */
export interface CallTarget extends Sender {
  readonly baseUrl: string;
  readonly headers?: CommonHeaders | undefined;
  /** The media types that handlers have asked for, by method and path. */
  readonly wanted: Map<string, string>;
}

/** What a call or a stream sends, for any handler. */
export interface CallData {
  readonly path?: Values | undefined;
  readonly query?: Values | undefined;
  readonly headers?: Values | undefined;
  readonly body?: unknown;
  readonly signal?: AbortSignal | undefined;
}

/** What is sent, by name. */
export const CALL_DATA: OptionTypes<CallData> = {
  path: "object",
  query: "object",
  headers: "object",
  body: "",
  signal: "object",
};

type Values = Readonly<Record<string, unknown>>;

/** Sends a call. @throws ClientError if it cannot be sent or no answer comes */
export async function send(
  target: CallTarget,
  method: string,
  path: string,
  options: CallData,
  own: Readonly<Record<string, string>>,
): Promise<Response> {
  let url: string;
  const headers = new Headers(own);
  const common = typeof target.headers === "function" ? await target.headers() : target.headers;
  const init: RequestInit = { method, headers };
  const { body, signal } = options;
  let place = method;
  let isOnce = false;
  try {
    place += path;
    url = `${target.baseUrl}${filled(path, options.path ?? {})}${queryOf(options.query ?? {}, target.wanted.get(`?${place}`))}`;
    for (const [name, text] of Object.entries(common ?? {})) headers.set(name, text);
    for (const [name, value] of Object.entries(options.headers ?? {})) {
      const texts = textsOf(value);
      if (Array.isArray(value) && texts.some((text) => text.includes(",")))
        throw notSent(`an item of header ${name} holds a comma, which separates items`);
      if (texts.length > 0) headers.set(name, texts.join(", "));
    }
    if (body !== undefined) {
      const { data, type, once = false } = bodyOf(body, target.wanted.get(place));
      init.body = data;
      isOnce = once;
      // Node and Chromium ask for it; it is not in the type of all of them.
      if (once) Object.assign(init, { duplex: "half" });
      if (type !== undefined && !headers.has("content-type")) headers.set("content-type", type);
    }
  } catch (cause) {
    if (cause instanceof ClientError) throw cause;
    throw notSent("the path, the query, a header or the body cannot be sent", cause);
  }
  if (signal !== undefined) init.signal = signal;
  const response = await sendBy(target, url, init);
  // The client does not know what a handler declares. One that takes no JSON, or a query in other styles, says so.
  const { status, headers: said } = response;
  const key = status === 415 ? place : `?${place}`;
  const wanted = status === 415 ? said.get("accept") : status === 422 && said.get("query-styles");
  if (!wanted || isOnce || wanted === target.wanted.get(key)) return response;
  target.wanted.set(key, wanted);
  await response.body?.cancel();
  return send(target, method, path, options, own);
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
    throw notSent(`path parameter ${name} needs a text that can be a segment of a path`);
  });
}

/** @param styles the styles of parameters that are known, by their names */
function queryOf(values: Values, styles: string | undefined): string {
  const query = new URLSearchParams();
  const style = new URLSearchParams(styles);
  const lists: string[] = [];
  for (const [name, value] of Object.entries(values)) {
    const own = style.get(name)?.[0];
    if (own === "j" && value !== undefined) query.append(name, json(value));
    else if (own === "c") {
      const items = textsOf(value).map(encodeURIComponent);
      if (items.length > 0) lists.push(`${encodeURIComponent(name)}=${items.join(",")}`);
    } else if (isPlain(value)) {
      const fields = Object.entries(value).flatMap(([field, inner]) =>
        (isPlain(inner) ? [json(inner)] : textsOf(inner)).map((text) => [`${name}[${field}]`, text] as const),
      );
      for (const [field, text] of fields) query.append(field, text);
      // Nothing would pass as an absent value: the server says which style it is.
      if (fields.length === 0 && own === undefined) query.append(name, "");
    } else for (const text of textsOf(value)) query.append(name, text);
  }
  const text = [query, ...lists].join("&").replace(/^&/, "");
  return text === "" ? "" : `?${text}`;
}

/** An object that is not a value of its own, as a date is. */
function isPlain(value: unknown): value is object {
  return typeof value === "object" && value !== null && `${value}` === "[object Object]";
}
