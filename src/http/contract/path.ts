/**
 * Path templates: `/users/{id}` at compile time and at run time. A parameter is a segment, a part of one (`{id}.json`),
 * or all that is left of the path (`{path*}`).
 */
import { DeclarationError, quoted } from "../../core/errors.js";

/** The names in a template; any name if the compiler does not know the template. */
export type PathNames<Path extends string> = string extends Path
  ? string
  : Path extends `${string}{${infer Name}}${infer Rest}`
    ? // Asked here: most names have no star, and need no more.
      (Name extends `${string}*` ? WithoutStar<Name> : Name) | PathNames<Rest>
    : never;

type WithoutStar<Name extends string> = Name extends `${infer Plain}*` ? Plain : Name;

/** A segment of a template that is, or holds, a parameter. */
export interface NamedSegment {
  readonly name: string;
  /** The literal text around the name, decoded; empty for a whole segment. */
  readonly before: string;
  readonly after: string;
  /** Whether it is all that is left of the path: one segment or more. */
  readonly isRest: boolean;
}

/** One segment of a template: literal text, or a parameter. */
export type Segment = { readonly literal: string } | NamedSegment;

const SEGMENT = /^([^{}]*)\{([A-Za-z_][A-Za-z0-9_-]*)(\*?)\}([^{}]*)$/;

/**
 * Reads a template.
 * @throws DeclarationError for a name that is there twice, for several names in a segment, and for more after `{name*}`
 */
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
    .map((text, i, all) => {
      // A segment in Express' parameter syntax is a mistake, not literal text.
      if (!/[{}]|^[:*]/.test(text)) return { literal: decoded(text, path) };
      const [, before = "", name, star, after = ""] = SEGMENT.exec(text) ?? [];
      if (name === undefined || /^[:*]/.test(before)) {
        throw new DeclarationError(
          `path ${quoted(path)}: segment ${quoted(text)} must be literal text, or hold one {name}`,
        );
      }
      const isRest = star === "*";
      if (isRest && (i < all.length - 1 || before + after !== "")) {
        throw new DeclarationError(`path ${quoted(path)}: {${name}*} must be the whole last segment`);
      }
      if (names.has(name)) throw new DeclarationError(`path ${quoted(path)} names {${name}} twice`);
      names.add(name);
      return { name, before: decoded(before, path), after: decoded(after, path), isRest };
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
