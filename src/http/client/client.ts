/**
 * A client of an engine, typed by its handlers. At run time it has no data about them: the same few rules turn paths
 * and options into requests, and answers into results.
 */
import { resultOf } from "./answer.js";
import { type AnyCallOptions, checkLimits, LIMITS, perform } from "./attempts.js";
import type { CallLimits } from "./call-limits.js";
import { notSent } from "./client-error.js";
import type { AnyApi, Client, HandlersOf } from "./client-types.js";
import { type AnyStreamOptions, eventsOf } from "./events.js";
import type { Sender } from "./hooks.js";
import { known, type OptionTypes } from "./known.js";
import type { CallTarget, CommonHeaders } from "./request.js";

/** How a client reaches its server. */
export interface ClientOptions extends Sender, CallLimits {
  /** Headers for every request. A function is called each time. */
  readonly headers?: CommonHeaders | undefined;
}

/**
 * Makes a client from the type of an engine. It loads nothing of the server.
 * @param baseUrl where the engine's paths begin, its own base URL included.
 * @throws ClientError `INVALID_REQUEST` for a base URL that is not a URL or has more than scheme, host, port and path,
 *   and for options that are not an object or have an unknown name
 * @example
 * import { createClient } from "rowtype/http/client";
 * import type { api } from "./server.js";
 * const client = createClient<typeof api>("https://api.example.org");
 * const answer = await client.GET("/users/{id}", { path: { id: 1 } });
 * if (answer.ok) show(answer.data);
 * else if (answer.error.code === "NOT_FOUND") showNothing();
 */
export function createClient<Api extends AnyApi>(
  baseUrl: string | URL,
  options: ClientOptions = {},
): Client<HandlersOf<Api>> {
  const target = targetOf(baseUrl, options);
  const call =
    (method: string) =>
    (path: string, options: AnyCallOptions = {}) =>
      perform(target, method, path, options, (response, signal) => resultOf(response, signal, method));
  const methods = "GET POST PUT PATCH DELETE QUERY HEAD".split(" ");
  const client = {
    ...Object.fromEntries(methods.map((method) => [method, call(method)])),
    raw: (method: string, path: string, options: AnyCallOptions = {}) =>
      perform(target, method, path, options, (response) => response),
    stream: (method: string, path: string, options: AnyStreamOptions = {}) =>
      eventsOf({ target, method, path, options }),
  };
  // The types of the handlers describe the input and output. At run time there is no such description.
  return Object.freeze(client) as unknown as Client<HandlersOf<Api>>;
}

const OPTIONS: OptionTypes<ClientOptions> = {
  fetch: "function",
  headers: "object or function",
  ...LIMITS,
  onRequest: "function",
  onResponse: "function",
};

function targetOf(baseUrl: string | URL, options: ClientOptions): CallTarget & CallLimits {
  const given = known(options, OPTIONS, "createClient");
  checkLimits(given);
  let target: (CallTarget & CallLimits) | undefined;
  try {
    if (typeof baseUrl === "string" || baseUrl instanceof URL) {
      target = { ...given, baseUrl: String(baseUrl).replace(/\/+$/, ""), wanted: new Map() };
    }
  } catch {
    // Callers without types may pass anything. A value that cannot be read is refused too.
  }
  if (target === undefined) {
    throw notSent("createClient takes a base URL");
  }
  // Paths are appended to it, and `fetch` accepts no URL with a password.
  if (/[?#]/.test(target.baseUrl) || /^[^/]*\/\/[^/]*@/.test(target.baseUrl)) {
    throw notSent("a base URL has no query, fragment or password");
  }
  return target;
}
