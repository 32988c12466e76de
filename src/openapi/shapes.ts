/**
 * The shape of every OpenAPI object as a table: the JSON type of each field. Reading checks against it. The compiler
 * compares it with the interfaces: a field that is only in one of them does not compile.
 *
 * A field is written `string number boolean any`, `types` (the `type` keyword), the name of an object, or a name with
 * `|Reference`; `x[]` is a list of x, `{x}` a map to x.
 */
import type { Encoding, Example, Header, MediaType } from "./content.js";
import type { Components, OpenAPI } from "./document.js";
import type { ExternalDocumentation, Reference } from "./extensions.js";
import type { Contact, Info, License, Tag, TagGroup } from "./info.js";
import type { Link, Operation, PathItem, RequestBody, Response } from "./operation.js";
import type { Parameter } from "./parameter.js";
import type { Discriminator, SchemaObject, XML } from "./schema.js";
import type { OAuthFlow, OAuthFlows, SecurityScheme } from "./security.js";
import type { Server, ServerVariable } from "./server.js";

/** The objects with fixed fields. */
interface Objects {
  OpenAPI: OpenAPI;
  Info: Info;
  Contact: Contact;
  License: License;
  Server: Server;
  ServerVariable: ServerVariable;
  Components: Components;
  PathItem: PathItem;
  Operation: Operation;
  ExternalDocumentation: ExternalDocumentation;
  Parameter: Parameter;
  RequestBody: RequestBody;
  MediaType: MediaType;
  Encoding: Encoding;
  Response: Response;
  Example: Example;
  Link: Link;
  Header: Header;
  Tag: Tag;
  TagGroup: TagGroup;
  Reference: Reference;
  Schema: SchemaObject;
  Discriminator: Discriminator;
  XML: XML;
  SecurityScheme: SecurityScheme;
  OAuthFlows: OAuthFlows;
  OAuthFlow: OAuthFlow;
}

/** The name of an object whose keys are patterns. */
export type PatternName = "Paths" | "Responses" | "Callback";

/** The name of an object with fixed fields. */
export type FixedName = keyof Objects;

type ObjectName = FixedName | PatternName;

type Base = "string" | "number" | "boolean" | "any" | "types" | ObjectName | `${ObjectName}|Reference`;

/** The type of a field. */
export type FieldType = Base | `${Base}[]` | `{${Base}}` | `{${Base}[]}` | `{${Base}[]}[]`;

/** The fields of all members of a union, without the open `x-` ones and the forbidden ones. */
type FieldsOf<T> = T extends unknown
  ? { [K in keyof T as K extends `x-${infer Rest}` ? (string extends Rest ? never : K) : K]: T[K] }
  : never;
type Known<T> = FieldsOf<T> extends infer F ? (F extends unknown ? Allowed<F> : never) : never;
type Allowed<F> = { [K in keyof F]-?: [Exclude<F[K], undefined>] extends [never] ? never : K }[keyof F];

/** The fixed fields of every object. */
export const FIELDS: { readonly [N in keyof Objects]: Readonly<Record<Known<Objects[N]>, FieldType>> } = {
  OpenAPI: {
    openapi: "string",
    $self: "string",
    info: "Info",
    jsonSchemaDialect: "string",
    servers: "Server[]",
    paths: "Paths",
    webhooks: "{PathItem}",
    components: "Components",
    security: "{string[]}[]",
    tags: "Tag[]",
    "x-tagGroups": "TagGroup[]",
    externalDocs: "ExternalDocumentation",
  },
  Info: {
    title: "string",
    summary: "string",
    description: "string",
    termsOfService: "string",
    contact: "Contact",
    license: "License",
    version: "string",
  },
  Contact: { name: "string", url: "string", email: "string" },
  License: { name: "string", identifier: "string", url: "string" },
  Server: { url: "string", description: "string", name: "string", variables: "{ServerVariable}" },
  ServerVariable: { enum: "string[]", default: "string", description: "string" },
  Components: {
    schemas: "{Schema}",
    responses: "{Response|Reference}",
    parameters: "{Parameter|Reference}",
    examples: "{Example|Reference}",
    requestBodies: "{RequestBody|Reference}",
    headers: "{Header|Reference}",
    securitySchemes: "{SecurityScheme|Reference}",
    links: "{Link|Reference}",
    callbacks: "{Callback|Reference}",
    pathItems: "{PathItem}",
    mediaTypes: "{MediaType|Reference}",
  },
  PathItem: {
    $ref: "string",
    summary: "string",
    description: "string",
    get: "Operation",
    put: "Operation",
    post: "Operation",
    delete: "Operation",
    options: "Operation",
    head: "Operation",
    patch: "Operation",
    trace: "Operation",
    query: "Operation",
    additionalOperations: "{Operation}",
    servers: "Server[]",
    parameters: "Parameter|Reference[]",
  },
  Operation: {
    tags: "string[]",
    summary: "string",
    description: "string",
    externalDocs: "ExternalDocumentation",
    operationId: "string",
    parameters: "Parameter|Reference[]",
    requestBody: "RequestBody|Reference",
    responses: "Responses",
    callbacks: "{Callback|Reference}",
    deprecated: "boolean",
    security: "{string[]}[]",
    servers: "Server[]",
  },
  ExternalDocumentation: { description: "string", url: "string" },
  Parameter: {
    name: "string",
    in: "string",
    description: "string",
    required: "boolean",
    deprecated: "boolean",
    allowEmptyValue: "boolean",
    style: "string",
    explode: "boolean",
    allowReserved: "boolean",
    schema: "Schema",
    example: "any",
    examples: "{Example|Reference}",
    content: "{MediaType|Reference}",
  },
  Header: {
    description: "string",
    required: "boolean",
    deprecated: "boolean",
    style: "string",
    explode: "boolean",
    schema: "Schema",
    example: "any",
    examples: "{Example|Reference}",
    content: "{MediaType|Reference}",
  },
  RequestBody: { description: "string", content: "{MediaType|Reference}", required: "boolean" },
  MediaType: {
    schema: "Schema",
    itemSchema: "Schema",
    example: "any",
    examples: "{Example|Reference}",
    encoding: "{Encoding}",
    prefixEncoding: "Encoding[]",
    itemEncoding: "Encoding",
  },
  Encoding: {
    contentType: "string",
    headers: "{Header|Reference}",
    style: "string",
    explode: "boolean",
    allowReserved: "boolean",
    encoding: "{Encoding}",
    prefixEncoding: "Encoding[]",
    itemEncoding: "Encoding",
  },
  Response: {
    summary: "string",
    description: "string",
    headers: "{Header|Reference}",
    content: "{MediaType|Reference}",
    links: "{Link|Reference}",
  },
  Example: {
    summary: "string",
    description: "string",
    value: "any",
    dataValue: "any",
    serializedValue: "string",
    externalValue: "string",
  },
  Link: {
    operationRef: "string",
    operationId: "string",
    parameters: "{any}",
    requestBody: "any",
    description: "string",
    server: "Server",
  },
  Tag: {
    name: "string",
    summary: "string",
    description: "string",
    externalDocs: "ExternalDocumentation",
    parent: "string",
    kind: "string",
  },
  TagGroup: { name: "string", tags: "string[]" },
  Reference: { $ref: "string", summary: "string", description: "string" },
  Schema: {
    $id: "string",
    $schema: "string",
    $ref: "string",
    $anchor: "string",
    $dynamicRef: "string",
    $dynamicAnchor: "string",
    $vocabulary: "{boolean}",
    $comment: "string",
    $defs: "{Schema}",
    type: "types",
    enum: "any[]",
    const: "any",
    multipleOf: "number",
    maximum: "number",
    exclusiveMaximum: "number",
    minimum: "number",
    exclusiveMinimum: "number",
    maxLength: "number",
    minLength: "number",
    pattern: "string",
    maxItems: "number",
    minItems: "number",
    uniqueItems: "boolean",
    maxContains: "number",
    minContains: "number",
    maxProperties: "number",
    minProperties: "number",
    required: "string[]",
    dependentRequired: "{string[]}",
    allOf: "Schema[]",
    anyOf: "Schema[]",
    oneOf: "Schema[]",
    not: "Schema",
    if: "Schema",
    // biome-ignore lint/suspicious/noThenProperty: the keyword of JSON Schema; this table is never awaited.
    then: "Schema",
    else: "Schema",
    dependentSchemas: "{Schema}",
    prefixItems: "Schema[]",
    items: "Schema",
    contains: "Schema",
    properties: "{Schema}",
    patternProperties: "{Schema}",
    additionalProperties: "Schema",
    propertyNames: "Schema",
    unevaluatedItems: "Schema",
    unevaluatedProperties: "Schema",
    title: "string",
    description: "string",
    default: "any",
    deprecated: "boolean",
    readOnly: "boolean",
    writeOnly: "boolean",
    examples: "any[]",
    format: "string",
    contentEncoding: "string",
    contentMediaType: "string",
    contentSchema: "Schema",
    discriminator: "Discriminator",
    xml: "XML",
    externalDocs: "ExternalDocumentation",
    example: "any",
  },
  Discriminator: { propertyName: "string", mapping: "{string}", defaultMapping: "string" },
  XML: {
    name: "string",
    namespace: "string",
    prefix: "string",
    attribute: "boolean",
    wrapped: "boolean",
    nodeType: "string",
  },
  SecurityScheme: {
    type: "string",
    description: "string",
    deprecated: "boolean",
    name: "string",
    in: "string",
    scheme: "string",
    bearerFormat: "string",
    flows: "OAuthFlows",
    openIdConnectUrl: "string",
    oauth2MetadataUrl: "string",
  },
  OAuthFlows: {
    implicit: "OAuthFlow",
    password: "OAuthFlow",
    clientCredentials: "OAuthFlow",
    authorizationCode: "OAuthFlow",
    deviceAuthorization: "OAuthFlow",
  },
  OAuthFlow: {
    authorizationUrl: "string",
    tokenUrl: "string",
    refreshUrl: "string",
    deviceAuthorizationUrl: "string",
    scopes: "{string}",
  },
};

/** The objects whose keys are patterns: the pattern of the keys, and the type of the values. */
export const PATTERNS: { readonly [N in PatternName]: { readonly keys: RegExp; readonly of: FieldType } } = {
  Paths: { keys: /^\//, of: "PathItem" },
  Responses: { keys: /^(?:[1-5](?:\d\d|XX)|default)$/, of: "Response|Reference" },
  Callback: { keys: /^(?!x-)/, of: "PathItem" },
};
