/**
 * The types of `rowtype/openapi`: plain literals of every object compile, with extensions.
 */
import {
  type Callback,
  type Components,
  type Contact,
  type Discriminator,
  type Encoding,
  type Example,
  type ExternalDocumentation,
  fromJSON,
  fromYAML,
  type Header,
  type Info,
  type License,
  type Link,
  type MediaType,
  type OAuthFlow,
  type OAuthFlows,
  type OpenAPI,
  OpenAPIParseError,
  type OpenAPIParseErrorCode,
  type Operation,
  type Parameter,
  type PathItem,
  type Paths,
  type Reference,
  type RequestBody,
  type Response,
  type Responses,
  type SchemaObject,
  SchemaType,
  type SecurityRequirement,
  type SecurityScheme,
  type Server,
  type ServerVariable,
  type Tag,
  type TagGroup,
  type TypeName,
  toJSON,
  toYAML,
  type XML,
} from "rowtype/openapi";
import { expectType } from "tsd";

// --- right: every object as a plain literal, with all its fields and an extension ---

const contact: Contact = { name: "n", url: "u", email: "e", "x-a": 1 };
const license: License = { name: "MIT", identifier: "MIT", "x-a": 1 };
export const licenseByUrl: License = { name: "MIT", url: "https://example.com", "x-a": 1 };
const info: Info = {
  title: "t",
  summary: "s",
  description: "d",
  termsOfService: "u",
  contact,
  license,
  version: "1",
  "x-a": null,
};
const variable: ServerVariable = { enum: ["a"], default: "a", description: "d", "x-a": 1 };
const server: Server = { url: "u", description: "d", name: "n", variables: { v: variable }, "x-a": 1 };
const externalDocs: ExternalDocumentation = { url: "u", description: "d", "x-a": 1 };
const tag: Tag = {
  name: "n",
  summary: "s",
  description: "d",
  externalDocs,
  parent: "p",
  kind: "nav",
  "x-a": 1,
};
const tagGroup: TagGroup = { name: "n", tags: ["a"], "x-a": 1 };
const reference: Reference = { $ref: "#/a", summary: "s", description: "d" };
const discriminator: Discriminator = {
  propertyName: "p",
  mapping: { a: "A" },
  defaultMapping: "B",
  "x-a": 1,
};
const xml: XML = {
  name: "n",
  namespace: "u",
  prefix: "p",
  attribute: true,
  wrapped: true,
  nodeType: "text",
  "x-a": 1,
};
const limit: number | bigint = 9007199254740993n;
const schema: SchemaObject = {
  $id: "i",
  $schema: "s",
  $ref: "r",
  $anchor: "a",
  $dynamicRef: "r",
  $dynamicAnchor: "a",
  $vocabulary: { v: true },
  $comment: "c",
  $defs: { A: true },
  type: ["string", "null"],
  enum: [1, null, "a", {}],
  const: null,
  multipleOf: limit,
  maximum: limit,
  exclusiveMaximum: 1,
  minimum: limit,
  exclusiveMinimum: 1.5,
  maxLength: 1,
  minLength: 1,
  pattern: "p",
  maxItems: 1,
  minItems: 1,
  uniqueItems: true,
  maxContains: 1,
  minContains: 1,
  maxProperties: 1,
  minProperties: 1,
  required: ["a"],
  dependentRequired: { a: ["b"] },
  allOf: [{}],
  anyOf: [false],
  oneOf: [true],
  not: {},
  if: {},
  // biome-ignore lint/suspicious/noThenProperty: the keyword of JSON Schema.
  then: {},
  else: false,
  dependentSchemas: { a: {} },
  prefixItems: [{}],
  items: { type: "string" },
  contains: {},
  properties: { a: { type: "integer" }, b: true },
  patternProperties: { "^a": {} },
  additionalProperties: false,
  propertyNames: {},
  unevaluatedItems: false,
  unevaluatedProperties: false,
  title: "t",
  description: "d",
  default: null,
  deprecated: true,
  readOnly: true,
  writeOnly: false,
  examples: [1],
  format: "f",
  contentEncoding: "base64",
  contentMediaType: "image/png",
  contentSchema: {},
  discriminator,
  xml,
  externalDocs,
  example: 1,
  "x-a": 1,
};
const example: Example = { summary: "s", description: "d", value: null, "x-a": 1 };
export const exampleElsewhere: Example = { externalValue: "u", "x-a": 1 };
export const exampleSerialized: Example = { dataValue: 1, serializedValue: "1" };
const header: Header = {
  description: "d",
  required: true,
  deprecated: false,
  style: "simple",
  explode: false,
  schema,
  example: 1,
  "x-a": 1,
};
export const headerByContent: Header = { content: { "a/b": {} }, "x-a": 1 };
const encoding: Encoding = {
  contentType: "c",
  headers: { h: header, r: reference },
  style: "form",
  explode: true,
  allowReserved: true,
  encoding: {},
  prefixEncoding: [{}],
  itemEncoding: {},
  "x-a": 1,
};
const mediaType: MediaType = {
  schema,
  itemSchema: schema,
  examples: { a: example, b: reference },
  encoding: { a: encoding },
  prefixEncoding: [encoding],
  itemEncoding: encoding,
  "x-a": 1,
};
const content = { "application/json": mediaType, "text/*": { example: 1 } };
const query: Parameter = {
  name: "n",
  in: "query",
  description: "d",
  required: false,
  deprecated: true,
  allowEmptyValue: true,
  style: "deepObject",
  explode: true,
  allowReserved: true,
  schema,
  examples: { a: example },
  "x-a": 1,
};
const path: Parameter = { name: "n", in: "path", required: true, style: "matrix", schema: true, "x-a": 1 };
const requestHeader: Parameter = { name: "n", in: "header", content };
const cookie: Parameter = { name: "n", in: "cookie", style: "cookie", schema: {} };
const querystring: Parameter = { name: "n", in: "querystring", content };
const requestBody: RequestBody = { description: "d", content, required: true, "x-a": 1 };
const link: Link = {
  operationId: "o",
  parameters: { id: "$response.body#/id", n: 1 },
  requestBody: { a: 1 },
  description: "d",
  server,
  "x-a": 1,
};
export const linkByReference: Link = { operationRef: "#/a", "x-a": 1 };
const response: Response = {
  summary: "s",
  description: "d",
  headers: { h: header },
  content,
  links: { l: link, r: reference },
  "x-a": 1,
};
const responses: Responses = {
  200: response,
  "404": reference,
  "5XX": response,
  default: response,
  "x-a": 1,
};
const callback: Callback = {
  "{$request.body#/url}": {},
  "https://example.com/?u={$request.query.u}": {},
  "$request.body#/url": {},
  "x-a": 1,
};
const requirement: SecurityRequirement = { oauth: ["read"], key: [] };
const operation: Operation = {
  tags: ["a"],
  summary: "s",
  description: "d",
  externalDocs,
  operationId: "o",
  parameters: [query, path, requestHeader, cookie, querystring, reference],
  requestBody,
  responses,
  callbacks: { c: callback, r: reference },
  deprecated: true,
  security: [requirement, {}],
  servers: [server],
  "x-a": 1,
};
const pathItem: PathItem = {
  $ref: "r",
  summary: "s",
  description: "d",
  get: operation,
  put: {},
  post: {},
  delete: {},
  options: {},
  head: {},
  patch: {},
  trace: {},
  query: {},
  additionalOperations: { COPY: {} },
  servers: [server],
  parameters: [path],
  "x-a": 1,
};
const paths: Paths = { "/users/{id}": pathItem, "x-a": 1 };
const flow: OAuthFlow = {
  authorizationUrl: "u",
  tokenUrl: "u",
  refreshUrl: "u",
  scopes: { a: "b" },
  "x-a": 1,
};
export const flows: OAuthFlows = {
  implicit: { authorizationUrl: "u", scopes: {} },
  password: { tokenUrl: "u", scopes: {} },
  clientCredentials: { tokenUrl: "u", scopes: {} },
  authorizationCode: { authorizationUrl: "u", tokenUrl: "u", scopes: {} },
  deviceAuthorization: { deviceAuthorizationUrl: "u", tokenUrl: "u", scopes: {} },
  "x-a": flow,
};
const schemes: Record<string, SecurityScheme> = {
  key: { type: "apiKey", name: "n", in: "header", description: "d", deprecated: true, "x-a": 1 },
  bearer: { type: "http", scheme: "bearer", bearerFormat: "JWT", "x-a": 1 },
  tls: { type: "mutualTLS", "x-a": 1 },
  oauth: { type: "oauth2", flows, oauth2MetadataUrl: "u", "x-a": 1 },
  oidc: { type: "openIdConnect", openIdConnectUrl: "u", "x-a": 1 },
};
const components: Components = {
  schemas: { A: schema, B: true },
  responses: { A: response, B: reference },
  parameters: { A: query, B: reference },
  examples: { A: example, B: reference },
  requestBodies: { A: requestBody, B: reference },
  headers: { A: header, B: reference },
  securitySchemes: { ...schemes, r: reference },
  links: { A: link, B: reference },
  callbacks: { A: callback, B: reference },
  pathItems: { A: pathItem },
  mediaTypes: { A: mediaType, B: reference },
  "x-a": 1,
};
const doc: OpenAPI = {
  openapi: "3.1.1",
  $self: "u",
  info,
  jsonSchemaDialect: "u",
  servers: [server],
  paths,
  webhooks: { w: pathItem },
  components,
  security: [requirement],
  tags: [tag],
  "x-tagGroups": [tagGroup],
  externalDocs,
  "x-a": 1,
};
export const newer: OpenAPI = { openapi: "3.2.0", info };

// --- right: built step by step, read, narrowed ---

const place: "path" | "query" | "header" | "cookie" = Math.random() > 0.5 ? "path" : "query";
export const built: Parameter = { name: "n", in: place, required: true, schema: {} };
const made: Responses = {};
made[200 + 4] = { description: "No Content" };
made["404"] = reference;
doc.paths ??= {};
doc.paths["/more"] = { get: { responses: made } };
export const partial: OpenAPI = { ...doc, ...({ tags: [] } satisfies Partial<OpenAPI>) };

const found = doc.paths["/more"]?.get?.responses?.[204];
if (found !== undefined) {
  if (found.$ref !== undefined) expectType<Reference>(found);
  else expectType<Response>(found);
}
const scheme = schemes["key"];
if (scheme?.type === "apiKey") expectType<"query" | "header" | "cookie">(scheme.in);
expectType<unknown>(doc["x-anything"]);
expectType<TagGroup[] | undefined>(doc["x-tagGroups"]);

// --- right: the codec and SchemaType ---

expectType<OpenAPI>(fromJSON("{}"));
expectType<OpenAPI>(fromJSON(new Uint8Array()));
expectType<OpenAPI>(fromYAML("a: 1"));
expectType<string>(toJSON(doc));
expectType<string>(toJSON(doc, { indent: 2 }));
expectType<string>(toYAML(doc));
const error: unknown = undefined;
if (error instanceof OpenAPIParseError) {
  expectType<OpenAPIParseErrorCode>(error.code);
  expectType<number>(error.line);
  expectType<number>(error.column);
  expectType<string>(error.pointer);
}

expectType<SchemaType>(SchemaType.of("string"));
expectType<SchemaType>(SchemaType.of("string", "null"));
expectType<boolean>(SchemaType.isEmpty(schema.type));
expectType<boolean>(SchemaType.isArray(undefined));
expectType<boolean>(SchemaType.isNullable("null"));
expectType<boolean>(SchemaType.contains(["string"], "null"));
expectType<TypeName | "">(SchemaType.first(schema.type));
expectType<TypeName[]>(SchemaType.list(schema.type));
expectType<TypeName | TypeName[] | undefined>(schema.type);
