/**
 * Descriptions for property tests: built from the types, with the strings, numbers and keys that codecs get wrong.
 */
import fc from "fast-check";
import type {
  Info,
  MediaType,
  OpenAPI,
  Operation,
  Parameter,
  PathItem,
  Response,
  Schema,
  SchemaObject,
  SecurityScheme,
} from "../../src/openapi/index.js";

/** Strings that some reader takes for something else, or that break a layout. */
export const TRICKY_STRINGS: readonly string[] = [
  ..."|~|null|Null|true|no|No|on|off|y|n|yes|1|1.0|-1|+1|0x10|0o14|012|08|1e3|1e400|.5|5.|.inf|-.inf|.nan|1_000".split(
    "|",
  ),
  ..."2001-01-01|2001-12-14T21:59:43.10-05:00|12:30:00|190:20:30|<<|=|-|- a|?|? a|:|: a|a: b|a:|a #b|#a|a#b".split(
    "|",
  ),
  ..."&a|*a|!a|!!str a|%a|@a|`a|'a'|\"a\"|[a]|{a}|a, b|---|--- a|...|>|>-|/a/{b}|$ref|__proto__|constructor".split(
    "|",
  ),
  " ",
  " a",
  "a ",
  "a  b",
  "\t",
  "a\tb",
  "\n",
  "\n\n",
  "a\n",
  "a\n\n",
  "\na",
  "a\nb",
  "a\nb\n",
  " a\nb",
  "a\n b\n  c",
  "a \nb",
  "a\n \nb",
  "a\n\t\nb",
  "a\n\n\nb",
  "a\n\tb",
  "# a\n- b\n",
  "a: b\nc: d\n",
  "---\n...\n",
  "a\r\nb",
  "a\rb",
  "a\u0085b",
  "a\u2028b\u2029c",
  "\uFEFFa",
  "a\uFEFF\nb",
  "\u0000",
  "\u0007\u001b\u007f\u009f",
  "\u00a0a\u3000",
  "\ud800",
  "a\ndc\udc00",
  "\ufffe\uffff\ufffd",
  "é ß 漢字 🎉 👩‍👩‍👧",
  "a".repeat(1500),
  `${"long words ".repeat(200)}end`,
  `quote " and \\ backslash \\n`,
];

const text = fc.oneof(
  fc.constantFrom(...TRICKY_STRINGS),
  fc.string(),
  fc.string({ unit: "binary", maxLength: 12 }),
  fc
    .array(fc.constantFrom("a", " ", "\n", "\t", ":", "#", "-", "é", "\r", "\\"), { maxLength: 12 })
    .map((c) => c.join("")),
);

const number = fc.oneof(
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.integer(),
  fc.maxSafeInteger(),
  fc.constantFrom(
    -0,
    1e20,
    -1e20,
    2 ** 53,
    2 ** 1000,
    1.5e300,
    Number.MAX_VALUE,
    5e-324,
    1e-7,
    1e21,
    123e-20,
  ),
  fc.bigInt({ min: 2n ** 53n, max: 2n ** 130n }),
  fc.bigInt({ min: -(2n ** 70n), max: -(2n ** 53n) }),
);

/** Anything that JSON can hold. */
export const anyValue: fc.Arbitrary<unknown> = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    text,
    number,
    fc.boolean(),
    fc.constant(null),
    fc.array(tie("value"), { maxLength: 4 }),
    mapOf(tie("value")),
  ),
})).value;

/** An object with tricky keys of its own, `__proto__` too. */
export function mapOf<T>(
  value: fc.Arbitrary<T>,
  key: fc.Arbitrary<string> = text,
): fc.Arbitrary<Record<string, T>> {
  return fc.uniqueArray(fc.tuple(key, value), { maxLength: 3, selector: ([name]) => name }).map((entries) => {
    const object: Record<string, T> = {};
    for (const [name, part] of entries) {
      Object.defineProperty(object, name, {
        value: part,
        enumerable: true,
        configurable: true,
        writable: true,
      });
    }
    return object;
  });
}

const optional: { requiredKeys: never[] } = { requiredKeys: [] };
const typeName = fc.constantFrom(
  "null",
  "boolean",
  "object",
  "array",
  "number",
  "string",
  "integer" as const,
);

const keywords: fc.Arbitrary<SchemaObject> = fc.record<SchemaObject, never>(
  {
    $ref: text,
    $comment: text,
    type: fc.oneof(typeName, fc.uniqueArray(typeName, { minLength: 1, maxLength: 3 })),
    enum: fc.array(anyValue, { maxLength: 2 }),
    const: anyValue,
    default: anyValue,
    example: anyValue,
    maximum: number,
    exclusiveMinimum: number,
    multipleOf: number,
    required: fc.array(text, { maxLength: 3 }),
    description: text,
    deprecated: fc.boolean(),
    xml: fc.record({ name: text, attribute: fc.boolean() }, optional),
    discriminator: fc.record({ propertyName: text, mapping: mapOf(text) }),
    "x-extra": anyValue,
  },
  optional,
);

const schema: fc.Arbitrary<Schema> = fc.letrec<{ schema: Schema }>((tie) => ({
  schema: fc.oneof(
    { maxDepth: 2 },
    keywords,
    fc.boolean(),
    fc.record({ properties: mapOf(tie("schema")), additionalProperties: tie("schema") }),
    fc.record({ $defs: mapOf(tie("schema")), patternProperties: mapOf(tie("schema")) }),
    fc.record({ items: tie("schema"), prefixItems: fc.array(tie("schema"), { maxLength: 2 }) }),
    fc.record({ allOf: fc.array(tie("schema"), { maxLength: 2 }), not: tie("schema") }),
  ),
})).schema;

const reference = fc.record({ $ref: text, summary: text, description: text }, { requiredKeys: ["$ref"] });
const mediaType: fc.Arbitrary<MediaType> = fc.oneof(
  fc.record({ schema, example: anyValue }, optional),
  fc.record({ schema, examples: mapOf(fc.record({ value: anyValue, summary: text }, optional)) }, optional),
);
const content = mapOf(mediaType, fc.oneof(fc.constantFrom("application/json", "text/*", "*/*"), text));
const parameter: fc.Arbitrary<Parameter> = fc.oneof(
  fc.record({ name: text, in: fc.constant("path" as const), required: fc.constant(true as const), schema }),
  fc.record(
    { name: text, in: fc.constant("query" as const), schema, description: text, explode: fc.boolean() },
    { requiredKeys: ["name", "in", "schema"] },
  ),
  fc.record({ name: text, in: fc.constant("cookie" as const), content }),
);
const response: fc.Arbitrary<Response> = fc.record(
  {
    description: text,
    content,
    headers: mapOf(fc.record({ schema, required: fc.boolean() }, { requiredKeys: ["schema"] })),
    links: mapOf(
      fc.record({ operationId: text, parameters: mapOf(anyValue) }, { requiredKeys: ["operationId"] }),
    ),
  },
  { requiredKeys: ["description"] },
);
const operation: fc.Arbitrary<Operation> = fc.record(
  {
    tags: fc.array(text, { maxLength: 2 }),
    summary: text,
    operationId: text,
    parameters: fc.array(fc.oneof(parameter, reference), { maxLength: 2 }),
    requestBody: fc.oneof(fc.record({ content }), reference),
    responses: mapOf(fc.oneof(response, reference), fc.constantFrom("200", "404", "2XX", "default")),
    security: fc.array(mapOf(fc.array(text, { maxLength: 2 })), { maxLength: 2 }),
    deprecated: fc.boolean(),
    "x-extra": anyValue,
  },
  optional,
);
const pathItem: fc.Arbitrary<PathItem> = fc.record(
  { summary: text, get: operation, post: operation, parameters: fc.array(parameter, { maxLength: 1 }) },
  optional,
);
const securityScheme: fc.Arbitrary<SecurityScheme> = fc.oneof(
  fc.record({
    type: fc.constant("apiKey" as const),
    name: text,
    in: fc.constantFrom("query", "header" as const),
  }),
  fc.record({
    type: fc.constant("oauth2" as const),
    flows: fc.record({ implicit: fc.record({ authorizationUrl: text, scopes: mapOf(text) }) }, optional),
  }),
);
const info: fc.Arbitrary<Info> = fc.record(
  { title: text, version: text, description: text, license: fc.record({ name: text, identifier: text }) },
  { requiredKeys: ["title", "version"] },
);

/** A description with something of everything. */
export const description: fc.Arbitrary<OpenAPI> = fc
  .record<OpenAPI, "openapi" | "info">(
    {
      openapi: fc.constantFrom("3.1.0", "3.1.1", "3.2.0" as const),
      info,
      jsonSchemaDialect: text,
      servers: fc.array(fc.record({ url: text, variables: mapOf(fc.record({ default: text })) }), {
        maxLength: 2,
      }),
      paths: mapOf(
        pathItem,
        text.map((path) => `/${path}` as const),
      ),
      webhooks: mapOf(pathItem),
      components: fc.record(
        { schemas: mapOf(schema), parameters: mapOf(parameter), securitySchemes: mapOf(securityScheme) },
        optional,
      ),
      tags: fc.array(fc.record({ name: text, description: text }, { requiredKeys: ["name"] }), {
        maxLength: 2,
      }),
      "x-tagGroups": fc.array(fc.record({ name: text, tags: fc.array(text, { maxLength: 2 }) }), {
        maxLength: 2,
      }),
      "x-extra": anyValue,
    },
    { requiredKeys: ["openapi", "info"] },
  )
  .chain((doc) => anyValue.map((value) => ({ ...doc, unknownField: value })));
