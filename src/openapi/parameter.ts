/**
 * Parameters. Each is described by a `schema` or by `content`, never by both. The other allowed fields depend on its
 * place.
 */
import type { DescribedByContent, DescribedFields, WithExamples } from "./content.js";

/**
 * A parameter of an operation, identified by its name and place.
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
    | (WithExamples<"form" | "spaceDelimited" | "pipeDelimited" | "deepObject"> & AllowReserved)
    | (DescribedByContent & { allowReserved?: never })
  );

/** A header of the request. `Accept`, `Content-Type` and `Authorization` are not described in this way. */
export type HeaderParameter = HeaderParameterFields & (WithExamples<"simple"> | DescribedByContent);

/** A part of the path: `/users/{id}`. */
export type PathParameter = PathParameterFields &
  (WithExamples<"simple" | "label" | "matrix"> | DescribedByContent);

/** A cookie. */
export type CookieParameter = CookieParameterFields & (WithExamples<"form" | "cookie"> | DescribedByContent);

/** The whole query as one value (3.2). */
export type QuerystringParameter = QuerystringParameterFields & DescribedByContent;

/** The fields of every parameter. */
interface NamedFields extends DescribedFields {
  /** Its name: for a path, the name in the braces. Only names of headers are case-insensitive. */
  name: string;
}

/** The fields of every query parameter. */
interface QueryParameterFields extends NamedFields {
  /** The place of the parameter. */
  in: "query";
  /** Whether it must be given. */
  required?: boolean;
  /** Whether it may be given without a value; not recommended. */
  allowEmptyValue?: boolean;
}

/** The fields of every header parameter. */
interface HeaderParameterFields extends NamedFields {
  /** The place of the parameter. */
  in: "header";
  /** Whether it must be given. */
  required?: boolean;
}

/** The fields of every path parameter. */
interface PathParameterFields extends NamedFields {
  /** The place of the parameter. */
  in: "path";
  /** A path without it would be a different path. */
  required: true;
}

/** The fields of every cookie parameter. */
interface CookieParameterFields extends NamedFields {
  /** The place of the parameter. */
  in: "cookie";
  /** Whether it must be given. */
  required?: boolean;
}

/** The fields of every parameter for the whole query (3.2). */
interface QuerystringParameterFields extends NamedFields {
  /** The place of the parameter. */
  in: "querystring";
  /** Whether it must be given. */
  required?: boolean;
}

/** For query parameters with a schema. */
interface AllowReserved {
  /** Whether reserved characters stay unescaped. */
  allowReserved?: boolean;
}
