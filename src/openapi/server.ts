/**
 * Where the API is served.
 */
import type { Extensions } from "./extensions.js";

/**
 * A server that offers the API.
 * @see https://spec.openapis.org/oas/v3.1.1.html#server-object
 */
export interface Server extends Extensions {
  /** The URL. It may be relative to the description and contain `{variables}`. */
  url: string;
  /** A description of the host; CommonMark. */
  description?: string;
  /** A short unique name (3.2). */
  name?: string;
  /** The values of each `{variable}` of the URL. */
  variables?: Record<string, ServerVariable>;
}

/**
 * A variable in the URL of a server.
 * @see https://spec.openapis.org/oas/v3.1.1.html#server-variable-object
 */
export interface ServerVariable extends Extensions {
  /** The allowed values; not empty. */
  enum?: string[];
  /** The value if no other is given; one of `enum` if that is present. */
  default: string;
  /** A description of the variable; CommonMark. */
  description?: string;
}
