/**
 * The template under which the document lists a path. Templates that differ only in the names of their parameters, or
 * in the encoding of a literal, are one path (OpenAPI 3.1, Paths Object: such templates must not both be listed). The
 * first one names it, and the parameters of the others are renamed, because requests do not carry their names.
 */
import { isObject } from "../../core/values.js";
import type { OpenAPI, Paths } from "../../openapi/index.js";
import type { Handler } from "../contract/handler.js";
import { mergeObjects } from "./merge.js";

/** The names of a template's parameters, by the template under which the document lists it. */
export type Renaming = ReadonlyMap<string, string>;

/** The path items of a document, by the templates of handlers and of `withSpec`. */
export class PathItems {
  readonly #byForm = new Map<string, string>();

  constructor(handlers: readonly Handler[], spec: Partial<OpenAPI>) {
    const paths = [...handlers.map(({ path }) => path), ...Object.keys(spec.paths ?? {})];
    for (const path of paths.filter((one) => !REST.test(one))) this.#list(path, path);
    const taken = new Set(handlers.map(({ path }) => path));
    for (const path of paths.filter((one) => REST.test(one))) {
      let listed = path.replace(REST, "{$1}");
      while (taken.has(listed)) listed = listed.replace(/\}$/, "Rest}");
      this.#list(path, listed);
    }
  }

  #list(path: string, template: string): void {
    const form = formOf(path);
    if (!this.#byForm.has(form)) this.#byForm.set(form, template);
  }

  /** The template under which a path is listed. */
  templateOf(path: string): string {
    return this.#byForm.get(formOf(path)) ?? path;
  }

  /** The names of a path's parameters in that template. */
  renaming(path: string): Renaming {
    const listed = namesIn(this.templateOf(path));
    return new Map(namesIn(path).map((name, i) => [name, listed[i] ?? name]));
  }

  /** The parts from `withSpec`, with its paths listed under these templates. */
  unified(spec: Partial<OpenAPI>): Partial<OpenAPI> {
    if (spec.paths === undefined) return spec;
    const paths = new Map<string, object | undefined>();
    for (const [path, item] of Object.entries(spec.paths)) {
      const template = this.templateOf(path);
      const renamed = template === path ? item : renamedItem(item, this.renaming(path), spec);
      const known = paths.get(template);
      // A later call has priority.
      paths.set(template, known && renamed ? mergeObjects(renamed, known) : (known ?? renamed));
    }
    // The values are the given path items, under other names.
    return { ...spec, paths: Object.fromEntries(paths) as Paths };
  }
}

/** The common form of two templates of one path. */
function formOf(path: string): string {
  return path
    .split("/")
    .map((segment) => (NAME.test(segment) ? segment.replace(NAMES, "{$2}") : decoded(segment)))
    .join("/");
}

const NAME = /\{[^{}]*\}/;
const NAMES = /\{([^{}*]*)(\*?)\}/g;
/** A parameter that is the rest of its path. OpenAPI has no word for it: it is listed as one of a segment. */
const REST = /\{([^{}]*)\*\}$/;

function namesIn(path: string): readonly string[] {
  return [...path.matchAll(NAMES)].map(([, name = ""]) => name);
}

/** The canonical form of a literal. */
function decoded(segment: string): string {
  try {
    return encodeURIComponent(decodeURIComponent(segment));
  } catch {
    return segment;
  }
}

/** A path item with the path parameters of the path and of its operations renamed. */
function renamedItem<Item extends object | undefined>(
  item: Item,
  renaming: Renaming,
  spec: Partial<OpenAPI>,
): Item {
  if (!isObject(item)) return item;
  const renamed = (owner: Record<string, unknown>) => {
    const { parameters } = owner;
    if (!Array.isArray(parameters)) return owner;
    return { ...owner, parameters: parameters.map((one: unknown) => renamedParameter(one, renaming, spec)) };
  };
  const fields = Object.entries(renamed(item)).map(([key, value]) => [
    key,
    isObject(value) ? renamed(value) : value,
  ]);
  // The same fields, with other names in lists of parameters.
  return Object.fromEntries(fields) as Item;
}

/** A reference leads to a parameter with the old name: it is replaced by a renamed copy. */
function renamedParameter(given: unknown, renaming: Renaming, spec: Partial<OpenAPI>): unknown {
  const parameter = referenced(given, spec);
  if (!isObject(parameter) || parameter["in"] !== "path" || typeof parameter["name"] !== "string")
    return given;
  const name = renaming.get(parameter["name"]);
  return name === undefined || name === parameter["name"] ? given : { ...parameter, name };
}

const PARAMETERS = "#/components/parameters/";

function referenced(given: unknown, spec: Partial<OpenAPI>): unknown {
  if (!isObject(given) || typeof given["$ref"] !== "string" || !given["$ref"].startsWith(PARAMETERS))
    return given;
  const known: unknown = spec.components?.parameters;
  const name = given["$ref"].slice(PARAMETERS.length);
  return isObject(known) && Object.hasOwn(known, name) ? known[name] : given;
}
