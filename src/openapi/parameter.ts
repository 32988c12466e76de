/**
 * Parameters. Each is described by a `schema` or by `content`, never by both; what else is allowed depends on
 * where it stands.
 */
import type { DescribedByContent, DescribedFields, WithExamples } from "./content.js";

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
    | (WithExamples<"form" | "spaceDelimited" | "pipeDelimited" | "deepObject"> & AllowReserved)
    | (DescribedByContent & { allowReserved?: never })
  );

/** A header of the request. `Accept`, `Content-Type` and `Authorization` are not described so. */
export type HeaderParameter = HeaderParameterFields & (WithExamples<"simple"> | DescribedByContent);

/** A part of the path: `/users/{id}`. */
export type PathParameter = PathParameterFields &
  (WithExamples<"simple" | "label" | "matrix"> | DescribedByContent);

/** A cookie. */
export type CookieParameter = CookieParameterFields & (WithExamples<"form" | "cookie"> | DescribedByContent);

/** The whole query as one value (3.2). */
export type QuerystringParameter = QuerystringParameterFields & DescribedByContent;

/** What every parameter has. */
interface NamedFields extends DescribedFields {
  /** Its name: that in the braces of the path, of the header in any case, otherwise case matters. */
  name: string;
}

/** What every query parameter has. */
interface QueryParameterFields extends NamedFields {
  /** Where the parameter stands. */
  in: "query";
  /** Whether it must be given. */
  required?: boolean;
  /** Whether it may be given without a value; not recommended. */
  allowEmptyValue?: boolean;
}

/** What every header parameter has. */
interface HeaderParameterFields extends NamedFields {
  /** Where the parameter stands. */
  in: "header";
  /** Whether it must be given. */
  required?: boolean;
}

/** What every path parameter has. */
interface PathParameterFields extends NamedFields {
  /** Where the parameter stands. */
  in: "path";
  /** A path without it would be another path. */
  required: true;
}

/** What every cookie parameter has. */
interface CookieParameterFields extends NamedFields {
  /** Where the parameter stands. */
  in: "cookie";
  /** Whether it must be given. */
  required?: boolean;
}

/** What every parameter for the whole query has (3.2). */
interface QuerystringParameterFields extends NamedFields {
  /** Where the parameter stands. */
  in: "querystring";
  /** Whether it must be given. */
  required?: boolean;
}

/** For query parameters with a schema. */
interface AllowReserved {
  /** Whether reserved characters stay unescaped. */
  allowReserved?: boolean;
}
