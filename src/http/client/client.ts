/**
 * A client of an engine, typed by its handlers. At run time it has no data about them: the same few rules turn paths
 * and options into requests, and answers into results.
 */
import { resultOf } from "./answer.js";
import { notSent } from "./client-error.js";
import type { AnyApi, Client, HandlersOf } from "./client-types.js";
import { type AnyStreamOptions, eventsOf } from "./events.js";
import { known } from "./known.js";
import {
  type AnyCallOptions,
  CALL_OPTIONS,
  type CallTarget,
  type CommonHeaders,
  type Fetch,
  send,
} from "./request.js";

/** How a client reaches its server. */
export interface ClientOptions {
  /** Replaces the global `fetch`. */
  readonly fetch?: Fetch | undefined;
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
    async (path: string, options: AnyCallOptions = {}) => {
      known(options, CALL_OPTIONS, "a call");
      const response = await send(target, method, path, options, { accept: "application/json, */*;q=0.1" });
      return resultOf(response, options.signal, method);
    };
  const methods = "GET POST PUT PATCH DELETE QUERY HEAD".split(" ");
  const client = {
    ...Object.fromEntries(methods.map((method) => [method, call(method)])),
    stream: (method: string, path: string, options: AnyStreamOptions = {}) =>
      eventsOf({ target, method, path, options }),
  };
  // The types of the handlers describe the input and output. At run time there is no such description.
  return Object.freeze(client) as unknown as Client<HandlersOf<Api>>;
}

function targetOf(baseUrl: string | URL, options: ClientOptions): CallTarget {
  const { fetch, headers } = known(options, { fetch: true, headers: true }, "createClient");
  let target: CallTarget | undefined;
  try {
    if (typeof baseUrl === "string" || baseUrl instanceof URL) {
      target = { baseUrl: String(baseUrl).replace(/\/+$/, ""), fetch, headers, wanted: new Map() };
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
