/**
 * Groups: handlers that share a prefix, options and a context. A group joins its options with those of each handler and
 * makes an ordinary handler of the whole path.
 */
import { DeclarationError, quoted } from "../../core/errors.js";
import { readGiven } from "./declaration.js";
import { declare } from "./declared.js";
import { type GivenGroup, joinedOptions, readGroup } from "./group-options.js";
import type { GroupMaker } from "./group-types.js";
import type { Identity } from "./identity.js";
import type { UseFunction } from "./options.js";

/** A group before its types. */
interface Declared {
  readonly prefix: string;
  readonly options: GivenGroup;
  readonly uses: readonly UseFunction[];
}

/**
 * A group of handlers: their paths begin with the prefix, and its options count for all of them. Parameters, tags,
 * errors, middleware and usage limits are joined, scopes and roles by AND; a handler's `maxBodySize` and headers take
 * precedence.
 * @param prefix `""`, or a path that does not end with a slash.
 * @throws DeclarationError for another prefix, and for options that no handler has
 * @example
 * import { group, NotFound } from "rowtype/http";
 * const tenant = group("/tenants/{tenantId}", { path: { tenantId: z.int() }, errors: [NotFound] })
 *   .use(({ params }) => tenants.get(params.path.tenantId) ?? NotFound);
 * const name = tenant.GET("/name", { output: z.string() }, ({ context }) => context.name);
 */
export const group: GroupMaker<Identity> = groupMaker<Identity>();

/** Makes groups for an identity. */
export function groupMaker<Id>(): GroupMaker<Id> {
  return ((prefix: string, options: unknown = {}) =>
    made(declared({ prefix: "", options: {}, uses: [] }, prefix, options))) as GroupMaker<Id>;
}

/** A group inside another. @throws DeclarationError */
function declared(outer: Declared, prefix: string, options: unknown): Declared {
  const isPrefix = prefix === "" || (typeof prefix === "string" && /^\/.*[^/]$/s.test(prefix));
  if (!isPrefix) {
    throw new DeclarationError(
      `the prefix of a group is "" or begins with "/" and does not end with one, not ${quoted(prefix)}`,
    );
  }
  const whole = `${outer.prefix}${prefix}`;
  const own = readGroup(whole, options);
  return { prefix: whole, options: joinedOptions(`group ${whole}`, outer.options, own), uses: outer.uses };
}

function made({ prefix, options, uses }: Declared): unknown {
  const one =
    (kind: "handler" | "stream", name: string | undefined) =>
    (method: string, path: string, own: unknown, run: unknown): unknown => {
      if (path !== "" && !(typeof path === "string" && path.startsWith("/")))
        throw new DeclarationError(`path ${quoted(path)} must start with "/"`);
      const whole = `${prefix}${path}`;
      const read = readGiven(kind, own, (problem) => {
        throw new DeclarationError(`${method} ${whole}: ${problem}`);
      });
      const joined = joinedOptions(`${method} ${whole}`, options, read);
      return declare({ kind, name, method, path: whole, options: joined, run, uses });
    };
  const verb = (method: string) => (path: string, second: unknown, third?: unknown) =>
    third === undefined
      ? one("handler", undefined)(method, path, {}, second)
      : one("handler", undefined)(method, path, second, third);
  return Object.freeze({
    prefix,
    GET: verb("GET"),
    POST: verb("POST"),
    PUT: verb("PUT"),
    PATCH: verb("PATCH"),
    DELETE: verb("DELETE"),
    QUERY: verb("QUERY"),
    HEAD: verb("HEAD"),
    OPTIONS: verb("OPTIONS"),
    handler: (name: string, method: string, path: string, own: unknown, run: unknown) =>
      one("handler", name)(method, path, own, run),
    stream: one("stream", undefined),
    group: (inner: string, own: unknown = {}) => made(declared({ prefix, options, uses }, inner, own)),
    use: (fn: unknown) => {
      if (typeof fn !== "function") throw new DeclarationError(`group ${prefix}: use takes a function`);
      return made({ prefix, options, uses: Object.freeze([...uses, fn as UseFunction]) });
    },
  });
}
