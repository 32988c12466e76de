/** The entry point of `rowtype/openapi`: the types of OpenAPI 3.1 and the codec for JSON and YAML. */
export type {
  Content,
  Encoding,
  Example,
  ExampleElsewhere,
  ExampleSerialized,
  ExampleWithValue,
  Header,
  MediaType,
  MediaTypeWithExample,
  MediaTypeWithExamples,
} from "./content.js";
export type { Components, OpenAPI } from "./document.js";
export {
  OpenAPIParseError,
  type OpenAPIParseErrorCode,
  OpenAPIWriteError,
  type Position,
} from "./errors.js";
export type { Extensions, ExternalDocumentation, Reference } from "./extensions.js";
export type { Contact, Info, License, LicenseByIdentifier, LicenseByUrl, Tag, TagGroup } from "./info.js";
export type {
  Callback,
  Link,
  LinkById,
  LinkByReference,
  Operation,
  PathItem,
  Paths,
  RequestBody,
  Response,
  Responses,
} from "./operation.js";
export type {
  CookieParameter,
  HeaderParameter,
  Parameter,
  PathParameter,
  QueryParameter,
  QuerystringParameter,
} from "./parameter.js";
export type { ReadOptions } from "./read-description.js";
export { fromJSON } from "./read-json.js";
export { fromYAML } from "./read-yaml.js";
export type { Discriminator, Schema, SchemaObject, XML } from "./schema.js";
export { SchemaType, type TypeName } from "./schema-type.js";
export type {
  ApiKeySecurityScheme,
  HttpSecurityScheme,
  MutualTlsSecurityScheme,
  OAuth2SecurityScheme,
  OAuthAuthorizationCodeFlow,
  OAuthDeviceFlow,
  OAuthFlow,
  OAuthFlows,
  OAuthImplicitFlow,
  OAuthTokenFlow,
  OpenIdConnectSecurityScheme,
  SecurityRequirement,
  SecurityScheme,
} from "./security.js";
export type { Server, ServerVariable } from "./server.js";
export { type JsonOptions, toJSON } from "./write-json.js";
export { toYAML } from "./write-yaml.js";
