/**
 * Path templates: `/users/{id}` at compile time and at run time. A parameter is a whole segment.
 */
import { DeclarationError, quoted } from "../../core/errors.js";

/** The names in a template; any name if the compiler does not know the template. */
export type PathNames<Path extends string> = string extends Path
  ? string
  : Path extends `${string}{${infer Name}}${infer Rest}`
    ? Name | PathNames<Rest>
    : never;

/** One segment of a template: literal text, or the name of a parameter. */
export type Segment = { readonly literal: string } | { readonly name: string };

const NAME = /^\{([A-Za-z_][A-Za-z0-9_-]*)\}$/;

/** Reads a template. @throws DeclarationError for anything but whole-segment parameters with different names. */
export function parseTemplate(path: string): readonly Segment[] {
  if (typeof path !== "string" || !path.startsWith("/")) {
    throw new DeclarationError(`path ${quoted(path)} must start with "/"`);
  }
  if (/[?#\s]/.test(path)) {
    throw new DeclarationError(
      `path ${quoted(path)} holds a blank, "?" or "#"; a template is the path alone`,
    );
  }
  const names = new Set<string>();
  return path
    .slice(1)
    .split("/")
    .map((text) => {
      // A segment in Express' parameter syntax is a mistake, not literal text.
      if (!/[{}]|^[:*]/.test(text)) return { literal: decoded(text, path) };
      const name = NAME.exec(text)?.[1];
      if (name === undefined) {
        throw new DeclarationError(
          `path ${quoted(path)}: segment ${quoted(text)} must be literal text or one whole {name}`,
        );
      }
      if (names.has(name)) throw new DeclarationError(`path ${quoted(path)} names {${name}} twice`);
      names.add(name);
      return { name };
    });
}

/** The parsed paths of handlers. They are not properties: a copy of a handler may have another path. */
const parsed = new WeakMap<object, readonly Segment[]>();

/** Keeps the parsed path of a handler. */
export function keepSegments(handler: object, segments: readonly Segment[]): void {
  parsed.set(handler, segments);
}

/** The parsed path of a handler. @throws DeclarationError for an object shaped like a handler with an invalid path */
export function segmentsOf(handler: { readonly path: string }): readonly Segment[] {
  return parsed.get(handler) ?? parseTemplate(handler.path);
}

/** The names of a parsed template, in order. */
export function namesOf(segments: readonly Segment[]): readonly string[] {
  return segments.flatMap((segment) => ("name" in segment ? [segment.name] : []));
}

function decoded(text: string, path: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new DeclarationError(`path ${quoted(path)} holds malformed percent-encoding`);
  }
}
