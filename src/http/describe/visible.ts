/**
 * The parts of a document without the handlers that an identity may not call, and without everything that describes
 * only these: operations of `withSpec`, tags and their groups, scopes of the scheme. The rest must not reveal hidden
 * handlers.
 */
import type { OpenAPI, Paths, SecurityScheme } from "../../openapi/index.js";
import type { Handler } from "../contract/handler.js";
import type { Identity } from "../contract/identity.js";
import type { DocumentParts } from "./document.js";

/** The parts of a document for the handlers that may be called. */
export function visibleTo(
  parts: DocumentParts,
  isCallable: (handler: Handler, index: number) => boolean,
): DocumentParts {
  const handlers = parts.handlers.filter(isCallable);
  const shown = new Set(handlers);
  const hidden = parts.handlers.filter((handler) => !shown.has(handler));
  if (hidden.length === 0) return parts;

  const tags = onlyOf(hidden, handlers, ({ options }) => options.tags);
  const scopes = onlyOf(hidden, handlers, ({ options }) => options.scopes.flat());
  const groups = [...parts.tagGroups].map(
    ([name, members]) => [name, members.filter((tag) => !tags.has(tag))] as const,
  );
  const { security } = parts;
  return {
    ...parts,
    handlers,
    spec: withoutOperations(parts, hidden, handlers, tags),
    tags: new Map([...parts.tags].filter(([name]) => !tags.has(name))),
    tagGroups: new Map(groups.filter(([, members]) => members.length > 0)),
    security: security.map((one) => ({ ...one, scheme: withoutScopes(one.scheme, scopes) })),
  };
}

/** Whether an identity has the scopes and roles of a handler. */
export function mayCall({ options }: Handler, identity: Identity): boolean {
  return (
    options.scopes.every((group) => group.some((scope) => identity.hasScope(scope))) &&
    options.roles.every((group) => group.some((role) => identity.hasRole(role)))
  );
}

/** The names that only hidden handlers use. */
function onlyOf(
  hidden: readonly Handler[],
  visible: readonly Handler[],
  names: (handler: Handler) => readonly string[],
): ReadonlySet<string> {
  const used = new Set(visible.flatMap(names));
  return new Set(hidden.flatMap(names).filter((name) => !used.has(name)));
}

/** Removes the application's text about the operations of hidden handlers. */
function withoutOperations(
  { spec, paths: items }: DocumentParts,
  hidden: readonly Handler[],
  visible: readonly Handler[],
  tags: ReadonlySet<string>,
): Partial<OpenAPI> {
  const result: Partial<OpenAPI> = { ...spec };
  if (spec.tags !== undefined) result.tags = spec.tags.filter(({ name }) => !tags.has(name));
  if (spec.paths === undefined) return result;
  const stays = new Set(visible.map(({ path }) => items.templateOf(path)));
  const paths = new Map<string, unknown>();
  for (const [path, item] of Object.entries(spec.paths)) {
    const methods = hidden
      .filter((handler) => items.templateOf(handler.path) === path)
      .flatMap(({ method }) => (method === "QUERY" ? ["query", "x-query"] : method.toLowerCase()));
    if (methods.length === 0) {
      paths.set(path, item);
      continue;
    }
    const left = Object.entries(item ?? {}).filter(([key]) => !methods.includes(key));
    // The description of a path whose operations are all hidden would reveal them.
    const speaks = stays.has(path) || left.some(([key]) => METHODS.has(key));
    if (speaks) paths.set(path, Object.fromEntries(left));
  }
  // All keys are paths of the given spec.
  result.paths = Object.fromEntries(paths) as Paths;
  return result;
}

const METHODS = new Set("get put post delete options head patch trace query x-query".split(" "));

function withoutScopes(scheme: SecurityScheme, hidden: ReadonlySet<string>): SecurityScheme {
  if (scheme.type !== "oauth2") return scheme;
  const flows = Object.entries(scheme.flows).map(([name, flow]: [string, unknown]) => {
    if (typeof flow !== "object" || flow === null || !("scopes" in flow)) return [name, flow];
    const scopes = Object.entries(flow.scopes ?? {}).filter(([scope]) => !hidden.has(scope));
    return [name, { ...flow, scopes: Object.fromEntries(scopes) }];
  });
  return { ...scheme, flows: Object.fromEntries(flows) };
}
