/** The options of a group, checked and joined with those of what is in it. */
import { DeclarationError, isList, quoted, readKeys, readParts } from "../../core/errors.js";
import { isSchema } from "./any-schema.js";

/** The options that a group has. */
const GROUP_OPTIONS = [
  "path",
  "query",
  "headers",
  "cookies",
  "tags",
  "errors",
  "authentication",
  "scopes",
  "roles",
  "usageLimits",
  "middleware",
  "maxBodySize",
  "hidden",
  "responseHeaders",
] as const;

/** Options as the caller passes them; the handlers of the group check them. */
export type GivenGroup = { readonly [Name in (typeof GROUP_OPTIONS)[number]]?: unknown };

/** A copy of the options of a group, each read once. @throws DeclarationError */
export function readGroup(prefix: string, options: unknown): GivenGroup {
  const words = {
    must: `the options of group ${prefix} are an object`,
    noun: "option",
    of: `group ${prefix}`,
  } as const;
  const result = readKeys(options, GROUP_OPTIONS, words);
  if ("fault" in result) throw new DeclarationError(result.fault);
  return result.read;
}

/** The options of a group and of a handler or a group in it. @param of who has them, for errors. @throws DeclarationError */
export function joinedOptions<Own extends object>(of: string, outer: GivenGroup, own: Own): Own {
  const given = own as GivenGroup;
  const joined: Record<string, unknown> = { ...given };
  const refuse = (problem: string): never => {
    throw new DeclarationError(`${of}: ${problem}`);
  };
  for (const name of ["path", "query", "headers", "cookies"] as const)
    put(joined, name, joinedShapes(name, outer[name], given[name], refuse));
  for (const name of ["tags", "errors", "middleware", "usageLimits"] as const)
    put(joined, name, joinedLists(outer[name], given[name], name === "tags" || name === "errors"));
  for (const name of ["scopes", "roles"] as const)
    put(joined, name, joinedLists(groupsOf(outer[name]), groupsOf(given[name]), false));
  put(joined, "authentication", stricter(outer, given, refuse));
  put(joined, "maxBodySize", given.maxBodySize ?? outer.maxBodySize);
  put(joined, "hidden", given.hidden ?? outer.hidden);
  put(joined, "responseHeaders", joinedHeaders(outer.responseHeaders, given.responseHeaders, refuse));
  // The names are those of the given options and of a group's.
  return joined as Own;
}

/** An option that neither has stays absent: some are refused where they may not stand. */
function put(joined: Record<string, unknown>, name: string, value: unknown): void {
  if (value !== undefined) joined[name] = value;
}

type Refuse = (problem: string) => never;

function joinedShapes(place: string, outer: unknown, own: unknown, refuse: Refuse): unknown {
  if (outer === undefined || own === undefined) return own ?? outer;
  const [shared, more] = [outer, own].map((one) => (isSchema(one) ? undefined : readParts(one)));
  if (shared === undefined || more === undefined)
    return refuse(`the ${place} of a group and that of its handlers are joined: both are shapes of schemas`);
  const twice = Object.keys(more).find((name) => Object.hasOwn(shared, name));
  if (twice !== undefined) refuse(`the group declares the ${place} parameter ${quoted(twice)}`);
  return { ...shared, ...more };
}

/** A value that is no list is left to the check of the handler. */
function joinedLists(outer: unknown, own: unknown, once: boolean): unknown {
  if (outer === undefined || own === undefined) return own ?? outer;
  if (!isList(outer)) return outer;
  if (!isList(own)) return own;
  return once ? [...new Set([...outer, ...own])] : [...outer, ...own];
}

/** `["a", "b"]` is one group of names. */
function groupsOf(given: unknown): unknown {
  const isOne = isList(given) && given.length > 0 && given.every((name) => typeof name === "string");
  return isOne ? [given] : given;
}

function stricter(outer: GivenGroup, own: GivenGroup, refuse: Refuse): unknown {
  const isGuarded =
    outer.authentication === true ||
    isList(outer.authentication) ||
    [outer.scopes, outer.roles, outer.usageLimits].some((one) => one !== undefined);
  if (isGuarded && own.authentication === false)
    refuse("the group asks who is calling, and authentication: false cannot open it");
  if (isList(outer.authentication)) return narrowed(outer.authentication, own.authentication, refuse);
  if (outer.authentication === true) return isList(own.authentication) ? own.authentication : true;
  return own.authentication === undefined || own.authentication === false
    ? (outer.authentication ?? own.authentication)
    : own.authentication;
}

/** The ways of a group that its handler takes too. */
function narrowed(outer: readonly unknown[], own: unknown, refuse: Refuse): unknown {
  if (!isList(own)) return outer;
  const both = outer.filter((name) => own.includes(name));
  return both.length > 0 ? both : refuse("no scheme of the group's authentication is one of its handler's");
}

function joinedHeaders(outer: unknown, own: unknown, refuse: Refuse): unknown {
  if (outer === undefined || own === undefined) return own ?? outer;
  if (typeof outer === "function" || typeof own === "function")
    return refuse("responseHeaders of a group and of its handlers are joined: both are records");
  const [shared, more] = [readParts(outer), readParts(own)];
  if (shared === undefined || more === undefined) return own;
  const names = new Set(Object.keys(more).map((name) => name.toLowerCase()));
  const kept = Object.entries(shared).filter(([name]) => !names.has(name.toLowerCase()));
  return { ...Object.fromEntries(kept), ...more };
}
