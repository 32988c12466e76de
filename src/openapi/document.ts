/**
 * The root of a description, and the components that it keeps for reuse.
 */
import type { Example, Header, MediaType } from "./content.js";
import type { Extensions, ExternalDocumentation, Reference } from "./extensions.js";
import type { Info, Tag, TagGroup } from "./info.js";
import type { Callback, Link, PathItem, Paths, RequestBody, Response } from "./operation.js";
import type { Parameter } from "./parameter.js";
import type { Schema } from "./schema.js";
import type { SecurityRequirement, SecurityScheme } from "./security.js";
import type { Server } from "./server.js";

/**
 * An OpenAPI description. It holds at least one of `paths`, `components` and `webhooks`.
 * @see https://spec.openapis.org/oas/v3.1.1.html#openapi-object
 */
export interface OpenAPI extends Extensions {
  /** The version of the OpenAPI Specification that it follows. */
  openapi: `3.1.${string}` | `3.2.${string}`;
  /** The URI of this document, which relative references start from (3.2). */
  $self?: string;
  /** Metadata about the API. */
  info: Info;
  /** The URI of the dialect of schemas that do not name one by `$schema`. */
  jsonSchemaDialect?: string;
  /** Where the API is served; without it `[{ url: "/" }]`. */
  servers?: Server[];
  /** The paths and their operations. */
  paths?: Paths;
  /** Requests that the API makes without being asked by an operation, by name. */
  webhooks?: Record<string, PathItem>;
  /** Objects kept for reuse. */
  components?: Components;
  /** One of these is needed for every operation that does not say otherwise. */
  security?: SecurityRequirement[];
  /** The tags, in the order in which they are to be shown. */
  tags?: Tag[];
  /** Groups of tags: a vendor extension that documentation pages read. */
  "x-tagGroups"?: TagGroup[];
  /** Further documentation. */
  externalDocs?: ExternalDocumentation;
}

/**
 * Objects kept for reuse, by kind and name; names are made of letters, digits, `.`, `_` and `-`.
 * @see https://spec.openapis.org/oas/v3.1.1.html#components-object
 */
export interface Components extends Extensions {
  /** Schemas, by name. */
  schemas?: Record<string, Schema>;
  /** Responses, by name. */
  responses?: Record<string, Response | Reference>;
  /** Parameters, by name (not the name of the parameter itself). */
  parameters?: Record<string, Parameter | Reference>;
  /** Examples, by name. */
  examples?: Record<string, Example | Reference>;
  /** Request bodies, by name. */
  requestBodies?: Record<string, RequestBody | Reference>;
  /** Headers, by name (not the name of the header itself). */
  headers?: Record<string, Header | Reference>;
  /** Security schemes, by the name that a SecurityRequirement uses. */
  securitySchemes?: Record<string, SecurityScheme | Reference>;
  /** Links, by name. */
  links?: Record<string, Link | Reference>;
  /** Callbacks, by name. */
  callbacks?: Record<string, Callback | Reference>;
  /** Path items, by name. */
  pathItems?: Record<string, PathItem>;
  /** Media types, by name (3.2). */
  mediaTypes?: Record<string, MediaType | Reference>;
}
