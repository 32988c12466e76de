/**
 * Parameters and headers. Each is described by a `schema` (with a style, and an example or several) or by
 * `content` (one media type), never by both; what else is allowed depends on where a parameter stands.
 */
import type { Content, Example } from "./content.js";
import type { Extensions, NotAReference, Reference, WithDescription } from "./extensions.js";
import type { Schema } from "./schema.js";

/**
 * A parameter of an operation, known by its name and place.
 * @see https://spec.openapis.org/oas/v3.1.1.html#parameter-object
 */
export type Parameter =
  | QueryParameter
  | HeaderParameter
  | PathParameter
  | CookieParameter
  | QuerystringParameter;

/** A parameter in the query: `?limit=10`. */
export type QueryParameter = QueryParameterFields &
  (
    | (Described<"form" | "spaceDelimited" | "pipeDelimited" | "deepObject"> & AllowReserved)
    | (DescribedByContent & { allowReserved?: never })
  );

/** A header of the request. `Accept`, `Content-Type` and `Authorization` are not described so. */
export type HeaderParameter = HeaderParameterFields & (Described<"simple"> | DescribedByContent);

/** A part of the path: `/users/{id}`. */
export type PathParameter = PathParameterFields &
  (Described<"simple" | "label" | "matrix"> | DescribedByContent);

/** A cookie. */
export type CookieParameter = CookieParameterFields & (Described<"form" | "cookie"> | DescribedByContent);

/** The whole query as one value (3.2). */
export type QuerystringParameter = QuerystringParameterFields & DescribedByContent;

/**
 * A header of a response or of a part of a body; its name is its key.
 * @see https://spec.openapis.org/oas/v3.1.1.html#header-object
 */
export type Header = HeaderFields & (Described<"simple"> | DescribedByContent);

/** What parameters and headers have in common. */
export interface DescribedFields extends Extensions, NotAReference, WithDescription {
  /** Whether it should no longer be used. */
  deprecated?: boolean;
}

/** What every header has. */
export interface HeaderFields extends DescribedFields {
  /** Whether it is always sent. */
  required?: boolean;
}

/** What every query parameter has. */
export interface QueryParameterFields extends DescribedFields {
  /** Its name; case matters. */
  name: string;
  /** Where the parameter stands. */
  in: "query";
  /** Whether it must be given. */
  required?: boolean;
  /** Whether it may be given without a value; not recommended. */
  allowEmptyValue?: boolean;
}

/** What every header parameter has. */
export interface HeaderParameterFields extends DescribedFields {
  /** Its name, in any case. */
  name: string;
  /** Where the parameter stands. */
  in: "header";
  /** Whether it must be given. */
  required?: boolean;
}

/** What every path parameter has. */
export interface PathParameterFields extends DescribedFields {
  /** Its name between the braces of the path. */
  name: string;
  /** Where the parameter stands. */
  in: "path";
  /** A path without it would be another path. */
  required: true;
}

/** What every cookie parameter has. */
export interface CookieParameterFields extends DescribedFields {
  /** Its name; case matters. */
  name: string;
  /** Where the parameter stands. */
  in: "cookie";
  /** Whether it must be given. */
  required?: boolean;
}

/** What every parameter for the whole query has (3.2). */
export interface QuerystringParameterFields extends DescribedFields {
  /** A name for documentation; it is not sent. */
  name: string;
  /** Where the parameter stands. */
  in: "querystring";
  /** Whether it must be given. */
  required?: boolean;
}

/** Described by a schema, with an example or several. */
export type Described<Style extends string> = DescribedWithExample<Style> | DescribedWithExamples<Style>;

/** Described by a schema, with one example or none. */
export interface DescribedWithExample<Style extends string> extends DescribedBySchema<Style> {
  /** A sample value; excludes `examples`. */
  example?: unknown;
  /** Not beside `example`. */
  examples?: never;
}

/** Described by a schema, with named examples. */
export interface DescribedWithExamples<Style extends string> extends DescribedBySchema<Style> {
  /** Sample values, by name; excludes `example`. */
  examples?: Record<string, Example | Reference>;
  /** Not beside `examples`. */
  example?: never;
}

/** Described by a schema; its value is laid out by `style`. */
export interface DescribedBySchema<Style extends string> {
  /** The schema of the value; excludes `content`. */
  schema: Schema;
  /** Not beside `schema`. */
  content?: never;
  /** How the value is laid out. */
  style?: Style;
  /** Whether each item or property of the value stands on its own. */
  explode?: boolean;
}

/** For query parameters with a schema. */
export interface AllowReserved {
  /** Whether reserved characters stay unescaped. */
  allowReserved?: boolean;
}

/** Described by a media type, which says how the value is written. */
export interface DescribedByContent {
  /** Exactly one media type; excludes `schema` and what goes with it. */
  content: Content;
  /** Not beside `content`. */
  schema?: never;
  /** Not beside `content`. */
  style?: never;
  /** Not beside `content`. */
  explode?: never;
  /** Not beside `content`. */
  example?: never;
  /** Not beside `content`. */
  examples?: never;
}
