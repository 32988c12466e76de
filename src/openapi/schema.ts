/**
 * The Schema Object: JSON Schema 2020-12 with OpenAPI's four keywords. Keywords that neither of them defines are legal
 * in a document and survive the codec, but are not typed. Vendor keywords begin with `x-`.
 */
import type { Extensions, ExternalDocumentation } from "./extensions.js";
import type { SchemaType } from "./schema-type.js";

/**
 * The allowed values: an object of keywords, or `true` (anything) or `false` (nothing).
 * @see https://spec.openapis.org/oas/v3.1.1.html#schema-object
 */
export type Schema = SchemaObject | boolean;

/**
 * A schema of keywords; `$ref` may be combined with others.
 * @see https://json-schema.org/draft/2020-12/json-schema-core
 */
export interface SchemaObject extends Extensions {
  /** The URI of this schema, the base of relative references in it. */
  $id?: string;
  /** The URI of the dialect; without it the `jsonSchemaDialect` of the document. */
  $schema?: string;
  /** The schema that also applies, as a URI: `#/components/schemas/User`. */
  $ref?: string;
  /** A name that a fragment can refer to. */
  $anchor?: string;
  /** A reference resolved at evaluation time, to the outermost `$dynamicAnchor` of that name. */
  $dynamicRef?: string;
  /** A name that `$dynamicRef` looks for. */
  $dynamicAnchor?: string;
  /** In a meta-schema: the vocabularies in use, and whether each must be understood. */
  $vocabulary?: Record<string, boolean>;
  /** A note to maintainers of the schema. */
  $comment?: string;
  /** Schemas that are kept here for references. */
  $defs?: Record<string, Schema>;

  /** The type or types that a value may have. */
  type?: SchemaType;
  /** The allowed values. */
  enum?: unknown[];
  /** The only value. */
  const?: unknown;
  /** The number is a multiple of this one. */
  multipleOf?: number | bigint;
  /** The greatest number. */
  maximum?: number | bigint;
  /** The number is less than this. */
  exclusiveMaximum?: number | bigint;
  /** The least number. */
  minimum?: number | bigint;
  /** The number is greater than this. */
  exclusiveMinimum?: number | bigint;
  /** The greatest length of a string, in characters. */
  maxLength?: number | bigint;
  /** The least length of a string, in characters. */
  minLength?: number | bigint;
  /** A regular expression (ECMA-262) found in the string; not anchored. */
  pattern?: string;
  /** The greatest number of items. */
  maxItems?: number | bigint;
  /** The least number of items. */
  minItems?: number | bigint;
  /** Whether all items must be different. */
  uniqueItems?: boolean;
  /** At most this many items match `contains`. */
  maxContains?: number | bigint;
  /** At least this many items match `contains`; default 1. */
  minContains?: number | bigint;
  /** The greatest number of properties. */
  maxProperties?: number | bigint;
  /** The least number of properties. */
  minProperties?: number | bigint;
  /** The names of the required properties. */
  required?: string[];
  /** For each property that is present, the names of others that must be present too. */
  dependentRequired?: Record<string, string[]>;

  /** All of these apply. */
  allOf?: Schema[];
  /** At least one of these applies. */
  anyOf?: Schema[];
  /** Exactly one of these applies. */
  oneOf?: Schema[];
  /** This must not apply. */
  not?: Schema;
  /** The condition for `then` and `else`. */
  if?: Schema;
  /** Applies if `if` does. */
  then?: Schema;
  /** Applies if `if` does not. */
  else?: Schema;
  /** For each property that is present, a schema of the whole object. */
  dependentSchemas?: Record<string, Schema>;
  /** The schemas of the first items, by position. */
  prefixItems?: Schema[];
  /** The schema of the items (after those of `prefixItems`). */
  items?: Schema;
  /** The schema that at least one item matches. */
  contains?: Schema;
  /** The schemas of properties, by name. */
  properties?: Record<string, Schema>;
  /** The schemas of properties whose names match a regular expression. */
  patternProperties?: Record<string, Schema>;
  /** The schema of properties that neither of the two above names. */
  additionalProperties?: Schema;
  /** The schema of the property names themselves. */
  propertyNames?: Schema;
  /** The schema of items that no other keyword has evaluated, including those in subschemas. */
  unevaluatedItems?: Schema;
  /** The schema of properties that no other keyword has evaluated, including those in subschemas. */
  unevaluatedProperties?: Schema;

  /** A name for display. */
  title?: string;
  /** A description of the value; CommonMark. */
  description?: string;
  /** The value of an absent one. */
  default?: unknown;
  /** Whether it should no longer be used. */
  deprecated?: boolean;
  /** Only sent by the server: it does not belong in a request. */
  readOnly?: boolean;
  /** Only sent to the server: it does not belong in a response. */
  writeOnly?: boolean;
  /** Sample values. */
  examples?: unknown[];
  /** A finer form of the type: `date-time`, `uuid`, `int64`, … */
  format?: string;
  /** How binary content is written in the string: `base64` for example. */
  contentEncoding?: string;
  /** The media type of the content of the string. */
  contentMediaType?: string;
  /** The schema of the content of the string, once decoded. */
  contentSchema?: Schema;

  /** The property that distinguishes the alternatives of `oneOf` or `anyOf`. */
  discriminator?: Discriminator;
  /** How a property is written as XML. */
  xml?: XML;
  /** Further documentation. */
  externalDocs?: ExternalDocumentation;
  /** A sample value; `examples` is preferred since 3.1. */
  example?: unknown;
}

/**
 * Selects one of several schemas by the value of one property.
 * @see https://spec.openapis.org/oas/v3.1.1.html#discriminator-object
 */
export interface Discriminator extends Extensions {
  /** The name of the property. */
  propertyName: string;
  /** Maps values of the property to names or URIs of schemas. */
  mapping?: Record<string, string>;
  /** The schema for an absent or unmapped value (3.2). */
  defaultMapping?: string;
}

/**
 * How a property is written as XML.
 * @see https://spec.openapis.org/oas/v3.1.1.html#xml-object
 */
export interface XML extends Extensions {
  /** The name of the element or attribute. */
  name?: string;
  /** The URI of its namespace. */
  namespace?: string;
  /** The prefix of its name. */
  prefix?: string;
  /** Whether it is an attribute instead of an element. */
  attribute?: boolean;
  /** Whether an array has an element around its items. */
  wrapped?: boolean;
  /** The kind of XML node; replaces `attribute` and `wrapped` (3.2). */
  nodeType?: "element" | "attribute" | "text" | "cdata" | "none";
}
