/** Step: the route. A request target leads to the endpoints of a path, leads nowhere, or is malformed. */

import type { Endpoint } from "./endpoint.js";
import type { Routes } from "./routes.js";

/** The endpoints of one path, by method. */
export type ByMethod = Map<string, Endpoint>;

/** A path that leads nowhere. */
interface Lost {
  readonly found: false;
  /** The fault of the request target itself. */
  readonly malformed: string | undefined;
}

/** The result of routing a request target. */
export type Located =
  | Lost
  | {
      readonly found: true;
      readonly malformed: string | undefined;
      readonly methods: ByMethod;
      /** The decoded texts of the path's parameters. */
      readonly values: readonly string[];
      /** The segments of the path, not decoded. */
      readonly segments: readonly string[];
    };

/** Segments are split first and decoded once: an encoded slash is part of a value. */
export function locate(routes: Routes<ByMethod>, url: string): Located {
  const path = pathOf(url);
  if (!path.startsWith("/")) return NO_PATH;
  const raw = path.slice(1).split("/");
  let segments: readonly string[] = raw;
  let malformed: string | undefined;
  if (path.includes("%")) {
    try {
      segments = raw.map(decodeURIComponent);
    } catch {
      malformed = "malformed percent-encoding in the path";
    }
  }
  const found = routes.find(segments);
  if (found === undefined) return { found: false, malformed };
  return { found: true, malformed, methods: found.target, values: found.values, segments: raw };
}

const NO_PATH: Lost = { found: false, malformed: "the request target is not a path" };

/** The path of a request target, which may be in absolute form. */
function pathOf(url: string): string {
  const query = url.indexOf("?");
  const target = query === -1 ? url : url.slice(0, query);
  if (target.startsWith("/")) return target;
  const absolute = /^https?:\/\/[^/]*(\/.*)?$/i.exec(target);
  return absolute === null ? target : (absolute[1] ?? "/");
}

/** `GET` also serves `HEAD`. */
export function endpointFor(methods: ByMethod, method: string): Endpoint | undefined {
  return methods.get(method) ?? (method === "HEAD" ? methods.get("GET") : undefined);
}

/** The value of `Allow`. */
export function allowed(methods: ByMethod): string {
  const names = new Set(methods.keys());
  if (names.has("GET")) names.add("HEAD");
  return [...names.add("OPTIONS")].join(", ");
}
