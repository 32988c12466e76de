/**
 * The OpenAPI document of an engine: the same input gives the same bytes.
 */
import type { Info, OpenAPI, Operation, PathItem, Paths, Schema } from "../../openapi/index.js";
import { SchemaComponents } from "../../schema/components/components.js";
import type { ErrorForm } from "../contract/error-form.js";
import type { Handler, Method } from "../contract/handler.js";
import type { NamedScheme } from "../contract/identity.js";
import type { Model } from "../contract/model.js";
import { ErrorComponents, errorsByStatus } from "./error-responses.js";
import { mergeObjects } from "./merge.js";
import { defaultOperationId, planOperation } from "./operation.js";
import type { PathItems } from "./path-items.js";

/** The parts of a document. */
export interface DocumentParts {
  readonly handlers: readonly Handler[];
  readonly models: readonly Model[];
  readonly spec: Partial<OpenAPI>;
  readonly info: Info | undefined;
  readonly tags: ReadonlyMap<string, string | undefined>;
  readonly tagGroups: ReadonlyMap<string, readonly string[]>;
  readonly security: readonly NamedScheme[];
  readonly version: "3.1" | "3.2";
  /** Whether queries refuse names that are not declared. */
  readonly strictQuery: boolean;
  readonly errorForm: ErrorForm;
  /** The templates under which the paths are listed: those of the whole document, even for a part of it. */
  readonly paths: PathItems;
}

/** A document, and the data for making parts of it. */
export interface MadeDocument {
  readonly document: OpenAPI;
  readonly components: SchemaComponents;
  readonly errors: ErrorComponents;
}

/** Makes the document of these parts; a part of `whole` reuses its components. */
export function buildDocument(parts: DocumentParts, whole?: MadeDocument): MadeDocument {
  const { handlers } = parts;
  const components = new SchemaComponents(whole?.components);
  const errors = new ErrorComponents(components, parts.errorForm, whole?.errors);
  // Errors are named by their codes. They get their names first, so that no other component can take them.
  for (const handler of handlers) {
    for (const definitions of errorsByStatus(handler, parts.strictQuery).values()) {
      for (const definition of definitions) errors.ref(definition);
    }
  }
  for (const { name, schema } of parts.models) components.addNamed(schema, "output", name);
  const plans = planPaths(parts, components, errors);
  const schemas = components.finish();
  const paths = finishPaths(plans);

  const document: OpenAPI = {
    openapi: `${parts.version}.0`,
    info: parts.info ?? { title: "API", version: "1.0.0" },
    servers: [{ url: "." }],
    paths,
  };
  const all = [...schemas, ...errors.all()].sort(([a], [b]) => (a < b ? -1 : 1));
  // The conversion returns a Schema Object; its keywords were made one by one.
  const generated = Object.fromEntries(all) as Record<string, Schema>;
  if (all.length > 0) document.components = { schemas: generated };
  if (parts.security.length > 0) {
    document.components = {
      ...document.components,
      securitySchemes: Object.fromEntries(parts.security.map(({ name, scheme }) => [name, scheme])),
    };
  }
  if (parts.tags.size > 0) {
    document.tags = [...parts.tags].map(([name, description]) => ({
      name,
      ...(description === undefined ? {} : { description }),
    }));
  }
  if (parts.tagGroups.size > 0) {
    document["x-tagGroups"] = [...parts.tagGroups].map(([name, tags]) => ({ name, tags: [...tags] }));
  }
  return { document: merged(parts.spec, document, parts.info !== undefined), components, errors };
}

interface PlannedPath {
  readonly path: `/${string}`;
  readonly operations: [OperationKey, () => Operation][];
}

type OperationKey = Lowercase<Method> | "x-query";

/** Paths in the order of their handlers, and each operation with a unique name. */
function planPaths(
  { handlers, security, version, strictQuery, paths }: DocumentParts,
  components: SchemaComponents,
  errors: ErrorComponents,
): readonly PlannedPath[] {
  const byPath = new Map<string, PlannedPath>();
  const taken = new Set<string>();
  for (const handler of handlers) {
    const { method, name } = handler;
    const base = name === `${method} ${handler.path}` ? defaultOperationId(handler) : name;
    let id = base;
    for (let n = 2; taken.has(id); n++) id = `${base}${n}`;
    taken.add(id);
    const path = paths.templateOf(handler.path);
    let planned = byPath.get(path);
    if (planned === undefined) {
      // `parseTemplate` refuses a template that does not begin with a slash.
      planned = { path: path as `/${string}`, operations: [] };
      byPath.set(path, planned);
    }
    const renaming = paths.renaming(handler.path);
    const around = { components, errors, security, version, strictQuery, renaming };
    planned.operations.push([keyOf(method, version), planOperation(handler, id, around)]);
  }
  return [...byPath.values()];
}

function finishPaths(planned: readonly PlannedPath[]): Paths {
  const paths: Paths = {};
  for (const { path, operations } of planned) {
    const item: PathItem = {};
    for (const [method, operation] of operations) item[method] = operation();
    paths[path] = item;
  }
  return paths;
}

/** OpenAPI 3.1 does not know QUERY. */
function keyOf(method: string, version: DocumentParts["version"]): OperationKey {
  if (method === "QUERY" && version === "3.1") return "x-query";
  // `checkDeclaration` refuses every other method.
  return method.toLowerCase() as Lowercase<Method>;
}

/** The engine's part has priority over the given one. Objects are merged, lists and texts are not. */
function merged(given: Partial<OpenAPI>, generated: OpenAPI, ownInfo: boolean): OpenAPI {
  const under: Partial<OpenAPI> = { ...given };
  const over: Partial<OpenAPI> = { ...generated };
  if (given.servers !== undefined) delete over.servers;
  if (given.info !== undefined && !ownInfo) delete over.info;
  if (given.tags !== undefined && over.tags !== undefined) {
    const known = new Set(over.tags.map(({ name }) => name));
    over.tags = [...over.tags, ...given.tags.filter(({ name }) => !known.has(name))];
  }
  // Both are parts of one document, and together they have all required fields.
  return mergeObjects(under, over) as OpenAPI;
}
