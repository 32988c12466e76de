/** The root of a description, and its reusable components. */
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
  /** The URI of this document, the base of relative references (3.2). */
  $self?: string;
  /** Metadata about the API. */
  info: Info;
  /** The URI of the dialect of schemas that do not name one by `$schema`. */
  jsonSchemaDialect?: string;
  /** Where the API is served; without it `[{ url: "/" }]`. */
  servers?: Server[];
  /** The paths and their operations. */
  paths?: Paths;
  /** Requests that the API makes independently of an operation, by name. */
  webhooks?: Record<string, PathItem>;
  /** Reusable objects. */
  components?: Components;
  /** One of these is required for every operation that does not override them. */
  security?: SecurityRequirement[];
  /** The tags, in display order. */
  tags?: Tag[];
  /** Groups of tags: a vendor extension that documentation pages read. */
  "x-tagGroups"?: TagGroup[];
  /** Additional documentation. */
  externalDocs?: ExternalDocumentation;
}

/**
 * Reusable objects, by kind and name. Names consist of letters, digits, `.`, `_` and `-`.
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
