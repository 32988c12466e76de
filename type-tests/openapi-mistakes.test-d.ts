/**
 * The types of `rowtype/openapi`: mistakes do not compile. Fields that no object has are refused, extensions are not,
 * on every kind of object.
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
  type Header,
  type Info,
  type License,
  type Link,
  type MediaType,
  type OAuthFlow,
  type OAuthFlows,
  type OpenAPI,
  type Operation,
  type Parameter,
  type PathItem,
  type Paths,
  type Reference,
  type RequestBody,
  type Response,
  type Responses,
  type Schema,
  type SchemaObject,
  SchemaType,
  type SecurityRequirement,
  type SecurityScheme,
  type Server,
  type ServerVariable,
  type Tag,
  type TagGroup,
  type XML,
} from "rowtype/openapi";

const info: Info = { title: "t", version: "1" };
const content = { "application/json": { schema: true } };
const response: Response = { description: "d" };

// --- mistakes ---

// @ts-expect-error a title is missing
export const e1: Info = { version: "1" };
// @ts-expect-error a misspelt field
export const e2: Info = { title: "t", version: "1", titel: "t" };
// @ts-expect-error not 3.1 or 3.2
export const e3: OpenAPI = { openapi: "3.0.3", info };
// @ts-expect-error a misspelt type
export const e4: Schema = { type: "strng" };
// @ts-expect-error nullable is of 3.0
export const e5: Schema = { type: "string", nullable: true };
// @ts-expect-error a boolean is of 3.0
export const e6: Schema = { exclusiveMinimum: true };
// @ts-expect-error a list of schemas is prefixItems
export const e7: Schema = { items: [{}] };
// @ts-expect-error required is a list of names
export const e8: Schema = { required: true };
// @ts-expect-error a misspelt place
export const e9: Parameter = { name: "n", in: "qurey", schema: {} };
// @ts-expect-error neither schema nor content
export const e10: Parameter = { name: "n", in: "query" };
// @ts-expect-error schema and content
export const e11: Parameter = { name: "n", in: "query", schema: {}, content };
// @ts-expect-error a path parameter is required
export const e12: Parameter = { name: "n", in: "path", schema: {} };
// @ts-expect-error a path parameter is required
export const e13: Parameter = { name: "n", in: "path", required: false, schema: {} };
// @ts-expect-error no style of headers
export const e14: Parameter = { name: "n", in: "header", style: "deepObject", schema: {} };
// @ts-expect-error only queries may be empty
export const e15: Parameter = { name: "n", in: "header", allowEmptyValue: true, schema: {} };
// @ts-expect-error example and examples
export const e16: Parameter = { name: "n", in: "query", schema: {}, example: 1, examples: {} };
// @ts-expect-error a header has its name as its key
export const e17: Header = { name: "n", schema: {} };
// @ts-expect-error example and examples
export const e18: MediaType = { example: 1, examples: {} };
// @ts-expect-error value and externalValue
export const e19: Example = { value: 1, externalValue: "u" };
// @ts-expect-error a path begins with a slash
export const e20: Paths = { users: {} };
// @ts-expect-error no method
export const e21: PathItem = { fetch: {} };
// @ts-expect-error a description is missing
export const e22: Response = { content };
// @ts-expect-error no status
export const e23: Responses = { OK: response };
// @ts-expect-error a reference has no content
export const e24: Responses = { 200: { $ref: "r", content: {} } };
// @ts-expect-error content is missing
export const e25: RequestBody = { description: "d" };
// @ts-expect-error a name is missing
export const e26: SecurityScheme = { type: "apiKey", in: "header" };
// @ts-expect-error a scheme is missing
export const e27: SecurityScheme = { type: "http" };
// @ts-expect-error no scheme of HTTP has a place
export const e28: SecurityScheme = { type: "http", scheme: "basic", in: "header" };
// @ts-expect-error the implicit flow has no token
export const e29: OAuthFlows = { implicit: { tokenUrl: "u", scopes: {} } };
// @ts-expect-error scopes are missing
export const e30: OAuthFlows = { password: { tokenUrl: "u" } };
// @ts-expect-error both ways to name an operation
export const e31: Link = { operationId: "o", operationRef: "r" };
// @ts-expect-error identifier and url
export const e32: License = { name: "MIT", identifier: "MIT", url: "u" };
// @ts-expect-error a default is missing
export const e33: ServerVariable = { enum: ["a"] };
// @ts-expect-error a url is missing
export const e34: Server = { description: "d" };
// @ts-expect-error not an expression
export const e35: Callback = { onData: {} };
// @ts-expect-error a name is missing
export const e36: Tag = { description: "d" };
// @ts-expect-error no kind of component
export const e37: Components = { models: {} };
// @ts-expect-error scopes are a list
export const e38: SecurityRequirement = { oauth: "read" };
// @ts-expect-error a property name is missing
export const e39: Discriminator = { mapping: {} };
// @ts-expect-error undefined is not absence
export const e40: Info = { title: "t", version: "1", summary: undefined };
// @ts-expect-error an unknown field of the root
export const e41: OpenAPI = { openapi: "3.1.1", info, path: {} };
// @ts-expect-error no type name
SchemaType.of("strng");
// @ts-expect-error at least one name
SchemaType.of();
// @ts-expect-error not text
fromJSON(3);
// @ts-expect-error a list of one place
export const e42: Parameter = { name: "n", in: ["query"], schema: {} };
// @ts-expect-error an extension begins with x-
export const e43: Info = { title: "t", version: "1", "y-vendor": 1 };
// @ts-expect-error a name of a type, not of a format
export const e44: Schema = { type: ["string", "date"] };
// @ts-expect-error a reference is not a schema of two
export const e45: PathItem = { get: { $ref: "#/x" } };
// @ts-expect-error servers are objects
export const e46: OpenAPI = { openapi: "3.1.1", info, servers: ["https://example.com"] };

// --- unknown fields, and extensions, on every kind of object ---

// @ts-expect-error an unknown field
export const unknownCallback: Callback = { unknown: 1 };
export const extendedCallback: Callback = { "x-vendor": { any: [null] } };
// @ts-expect-error an unknown field
export const unknownComponents: Components = { unknown: 1 };
export const extendedComponents: Components = { "x-vendor": { any: [null] } };
// @ts-expect-error an unknown field
export const unknownContact: Contact = { name: "n", unknown: 1 };
export const extendedContact: Contact = { name: "n", "x-vendor": { any: [null] } };
// @ts-expect-error an unknown field
export const unknownDiscriminator: Discriminator = { propertyName: "p", unknown: 1 };
export const extendedDiscriminator: Discriminator = { propertyName: "p", "x-vendor": { any: [null] } };
// @ts-expect-error an unknown field
export const unknownEncoding: Encoding = { unknown: 1 };
export const extendedEncoding: Encoding = { "x-vendor": { any: [null] } };
// @ts-expect-error an unknown field
export const unknownExample: Example = { value: 1, unknown: 1 };
export const extendedExample: Example = { value: 1, "x-vendor": { any: [null] } };
// @ts-expect-error an unknown field
export const unknownExternalDocumentation: ExternalDocumentation = { url: "u", unknown: 1 };
export const extendedExternalDocumentation: ExternalDocumentation = { url: "u", "x-vendor": { any: [null] } };
// @ts-expect-error an unknown field
export const unknownHeader: Header = { schema: {}, unknown: 1 };
export const extendedHeader: Header = { schema: {}, "x-vendor": { any: [null] } };
// @ts-expect-error an unknown field
export const unknownInfo: Info = { title: "t", version: "1", unknown: 1 };
export const extendedInfo: Info = { title: "t", version: "1", "x-vendor": { any: [null] } };
// @ts-expect-error an unknown field
export const unknownLicense: License = { name: "n", unknown: 1 };
export const extendedLicense: License = { name: "n", "x-vendor": { any: [null] } };
// @ts-expect-error an unknown field
export const unknownLink: Link = { operationId: "o", unknown: 1 };
export const extendedLink: Link = { operationId: "o", "x-vendor": { any: [null] } };
// @ts-expect-error an unknown field
export const unknownMediaType: MediaType = { unknown: 1 };
export const extendedMediaType: MediaType = { "x-vendor": { any: [null] } };
// @ts-expect-error an unknown field
export const unknownOAuthFlow: OAuthFlow = { tokenUrl: "u", scopes: {}, unknown: 1 };
export const extendedOAuthFlow: OAuthFlow = { tokenUrl: "u", scopes: {}, "x-vendor": { any: [null] } };
// @ts-expect-error an unknown field
export const unknownOAuthFlows: OAuthFlows = { unknown: 1 };
export const extendedOAuthFlows: OAuthFlows = { "x-vendor": { any: [null] } };
// @ts-expect-error an unknown field
export const unknownOpenAPI: OpenAPI = { openapi: "3.1.1", info, unknown: 1 };
export const extendedOpenAPI: OpenAPI = { openapi: "3.1.1", info, "x-vendor": { any: [null] } };
// @ts-expect-error an unknown field
export const unknownOperation: Operation = { unknown: 1 };
export const extendedOperation: Operation = { "x-vendor": { any: [null] } };
// @ts-expect-error an unknown field
export const unknownParameter: Parameter = { name: "n", in: "query", schema: {}, unknown: 1 };
export const extendedParameter: Parameter = {
  name: "n",
  in: "query",
  schema: {},
  "x-vendor": { any: [null] },
};
// @ts-expect-error an unknown field
export const unknownPathItem: PathItem = { unknown: 1 };
export const extendedPathItem: PathItem = { "x-vendor": { any: [null] } };
// @ts-expect-error an unknown field
export const unknownPaths: Paths = { unknown: 1 };
export const extendedPaths: Paths = { "x-vendor": { any: [null] } };
// @ts-expect-error an unknown field
export const unknownReference: Reference = { $ref: "r", unknown: 1 };
// @ts-expect-error an unknown field
export const unknownRequestBody: RequestBody = { content: {}, unknown: 1 };
export const extendedRequestBody: RequestBody = { content: {}, "x-vendor": { any: [null] } };
// @ts-expect-error an unknown field
export const unknownResponse: Response = { description: "d", unknown: 1 };
export const extendedResponse: Response = { description: "d", "x-vendor": { any: [null] } };
// @ts-expect-error an unknown field
export const unknownResponses: Responses = { unknown: 1 };
export const extendedResponses: Responses = { "x-vendor": { any: [null] } };
// @ts-expect-error an unknown field
export const unknownSchemaObject: SchemaObject = { unknown: 1 };
export const extendedSchemaObject: SchemaObject = { "x-vendor": { any: [null] } };
// @ts-expect-error an unknown field
export const unknownSecurityScheme: SecurityScheme = { type: "mutualTLS", unknown: 1 };
export const extendedSecurityScheme: SecurityScheme = { type: "mutualTLS", "x-vendor": { any: [null] } };
// @ts-expect-error an unknown field
export const unknownServer: Server = { url: "u", unknown: 1 };
export const extendedServer: Server = { url: "u", "x-vendor": { any: [null] } };
// @ts-expect-error an unknown field
export const unknownServerVariable: ServerVariable = { default: "d", unknown: 1 };
export const extendedServerVariable: ServerVariable = { default: "d", "x-vendor": { any: [null] } };
// @ts-expect-error an unknown field
export const unknownTag: Tag = { name: "n", unknown: 1 };
export const extendedTag: Tag = { name: "n", "x-vendor": { any: [null] } };
// @ts-expect-error an unknown field
export const unknownTagGroup: TagGroup = { name: "n", tags: [], unknown: 1 };
export const extendedTagGroup: TagGroup = { name: "n", tags: [], "x-vendor": { any: [null] } };
// @ts-expect-error an unknown field
export const unknownXML: XML = { unknown: 1 };
export const extendedXML: XML = { "x-vendor": { any: [null] } };
