/**
 * Paths and the operations on them: requests, responses, links and callbacks.
 */
import type { Content, Header } from "./content.js";
import type {
  Extensions,
  ExternalDocumentation,
  NotAReference,
  Reference,
  WithDescription,
  WithSummary,
} from "./extensions.js";
import type { Parameter } from "./parameter.js";
import type { SecurityRequirement } from "./security.js";
import type { Server } from "./server.js";

/**
 * The paths of the API, each beginning with a slash, relative to the URL of a server.
 * @see https://spec.openapis.org/oas/v3.1.1.html#paths-object
 */
export interface Paths extends Extensions {
  [path: `/${string}`]: PathItem;
}

/**
 * The operations of one path.
 * @see https://spec.openapis.org/oas/v3.1.1.html#path-item-object
 */
export interface PathItem extends Extensions {
  /** A path item elsewhere, as a URI. If a field is in both, the result is undefined. */
  $ref?: string;
  /** One line for all operations of this path. */
  summary?: string;
  /** For all operations of this path; CommonMark. */
  description?: string;
  /** The operation by GET. */
  get?: Operation;
  /** The operation by PUT. */
  put?: Operation;
  /** The operation by POST. */
  post?: Operation;
  /** The operation by DELETE. */
  delete?: Operation;
  /** The operation by OPTIONS. */
  options?: Operation;
  /** The operation by HEAD. */
  head?: Operation;
  /** The operation by PATCH. */
  patch?: Operation;
  /** The operation by TRACE. */
  trace?: Operation;
  /** The operation by QUERY (3.2). */
  query?: Operation;
  /** Operations by other methods, keyed by the method as it is sent (3.2). */
  additionalOperations?: Record<string, Operation>;
  /** Servers for all operations of this path. They replace those of the document. */
  servers?: Server[];
  /** Parameters of all operations of this path. */
  parameters?: (Parameter | Reference)[];
}

/**
 * One operation on a path.
 * @see https://spec.openapis.org/oas/v3.1.1.html#operation-object
 */
export interface Operation extends Extensions {
  /** The names of its tags. */
  tags?: string[];
  /** One line about the operation. */
  summary?: string;
  /** A description of the operation; CommonMark. */
  description?: string;
  /** Further documentation. */
  externalDocs?: ExternalDocumentation;
  /** Its name, unique in the API; case matters. */
  operationId?: string;
  /** Its parameters, in addition to those of the path. */
  parameters?: (Parameter | Reference)[];
  /** The request body. */
  requestBody?: RequestBody | Reference;
  /** The possible responses. */
  responses?: Responses;
  /** Requests that the server may make in response, by name. */
  callbacks?: Record<string, Callback | Reference>;
  /** Whether it should no longer be used. */
  deprecated?: boolean;
  /** The caller must meet one of these. They replace those of the document; `[]` requires nothing. */
  security?: SecurityRequirement[];
  /** Servers that replace those of the path and of the document. */
  servers?: Server[];
}

/**
 * The body of a request.
 * @see https://spec.openapis.org/oas/v3.1.1.html#request-body-object
 */
export interface RequestBody extends Extensions, NotAReference, WithDescription {
  /** The content, by media type. */
  content: Content;
  /** Whether a body must be sent. */
  required?: boolean;
}

/**
 * The possible answers of an operation, by status.
 * @see https://spec.openapis.org/oas/v3.1.1.html#responses-object
 */
export interface Responses extends Extensions {
  /** The answer for every status without its own. */
  default?: Response | Reference;
  /** The answer for a status. */
  [status: number]: Response | Reference;
  /** The answer for all statuses from 100 to 199. */
  "1XX"?: Response | Reference;
  /** The answer for all statuses from 200 to 299. */
  "2XX"?: Response | Reference;
  /** The answer for all statuses from 300 to 399. */
  "3XX"?: Response | Reference;
  /** The answer for all statuses from 400 to 499. */
  "4XX"?: Response | Reference;
  /** The answer for all statuses from 500 to 599. */
  "5XX"?: Response | Reference;
}

/**
 * One answer of an operation.
 * @see https://spec.openapis.org/oas/v3.1.1.html#response-object
 */
export interface Response extends Extensions, NotAReference, WithSummary {
  /** The meaning of the answer; CommonMark. */
  description: string;
  /** Its headers, by case-insensitive name. `Content-Type` is not described in this way. */
  headers?: Record<string, Header | Reference>;
  /** Its content, by media type. */
  content?: Content;
  /** Operations that may follow, by name. */
  links?: Record<string, Link | Reference>;
}

/**
 * An operation that may follow a response, named by its id or by a reference, never by both.
 * @see https://spec.openapis.org/oas/v3.1.1.html#link-object
 */
export type Link = LinkById | LinkByReference;

/** The fields of every link. */
interface LinkBase extends Extensions, NotAReference, WithDescription {
  /** The parameters of the operation: values, or runtime expressions such as `$response.body#/id`. */
  parameters?: Record<string, unknown>;
  /** The body for the operation: a value or a runtime expression. */
  requestBody?: unknown;
  /** The server of the operation. */
  server?: Server;
}

/** A link to an operation of this description. */
export interface LinkById extends LinkBase {
  /** The `operationId` of the operation; excludes `operationRef`. */
  operationId: string;
  /** Not with `operationId`. */
  operationRef?: never;
}

/** A link to an operation by its URI. */
export interface LinkByReference extends LinkBase {
  /** The URI of the operation; excludes `operationId`. */
  operationRef: string;
  /** Not with `operationRef`. */
  operationId?: never;
}

/**
 * Requests that the server makes in response: from runtime expressions (alone, or within a URL) to the requests at that
 * URL.
 * @see https://spec.openapis.org/oas/v3.1.1.html#callback-object
 */
export interface Callback extends Extensions, NotAReference {
  [expression: `${string}{$${string}`]: PathItem;
  [expression: `$request.${string}`]: PathItem;
  [expression: `$response.${string}`]: PathItem;
  [url: `http${string}`]: PathItem;
  [path: `/${string}`]: PathItem;
}
