/** Descriptions made from the table of shapes, every field of every object among them, go round both formats. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fromJSON, fromYAML, type OpenAPI, toJSON, toYAML } from "../../src/openapi/index.js";
import { FIELDS, PATTERNS } from "../../src/openapi/shapes.js";
import { anyValue, mapOf, TRICKY_STRINGS } from "./descriptions.js";

const text = fc.oneof(fc.constantFrom(...TRICKY_STRINGS), fc.string({ maxLength: 8 }));
const scalars: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
  any: anyValue,
  string: text,
  number: fc.oneof(fc.integer(), fc.double({ noNaN: true, noDefaultInfinity: true }), fc.constant(2n ** 64n)),
  boolean: fc.boolean(),
  types: fc.constantFrom("string", ["null", "integer"], ["object"]),
};
const KEYS: Readonly<Record<string, string>> = { Paths: "/a/{b}", Responses: "404", Callback: "{$url}" };
const fixed = new Map<string, Readonly<Record<string, string>>>(Object.entries(FIELDS));
const patterns = new Map(Object.entries(PATTERNS));

/** A value of a type in the table's words; `depth` levels of objects are left. */
function anyOf(type: string, depth: number): fc.Arbitrary<unknown> {
  if (type.endsWith("[]")) return fc.array(anyOf(type.slice(0, -2), depth), { maxLength: 2 });
  if (type.startsWith("{")) return mapOf(anyOf(type.slice(1, -1), depth), text);
  const scalar = scalars[type];
  if (scalar !== undefined) return scalar;
  const [name = "", reference] = type.split("|", 2);
  const own = depth === 0 ? fc.constant({}) : objectOf(name, depth - 1);
  if (name === "Schema") return fc.oneof(fc.boolean(), own);
  return reference === undefined ? own : fc.oneof(own, fc.record({ $ref: text, summary: text }));
}

/** An object with a few of its fields and an extension. */
function objectOf(name: string, depth: number): fc.Arbitrary<object> {
  const pattern = patterns.get(name);
  const types: Readonly<Record<string, string>> =
    pattern === undefined ? (fixed.get(name) ?? {}) : { [KEYS[name] ?? ""]: pattern.of };
  // What has a `$ref` is a Reference, but for schemas and path items.
  const keys = Object.keys(types).filter((key) => key !== "$ref" || name === "Schema" || name === "PathItem");
  // Every key of a callback is an expression.
  const unknown = name === "Callback" ? {} : { unknown: [true] };
  return fc
    .subarray(keys, { maxLength: Math.min(3, keys.length) })
    .chain((some) =>
      fc.record(Object.fromEntries(some.map((key) => [key, anyOf(types[key] ?? "any", depth)]))),
    )
    .chain((object) => fc.constantFrom(object, { ...object, "x-more": null, ...unknown }));
}

const goesRound = (value: object): void => {
  // Made from the table, which the compiler holds against the types; what is required may be missing.
  const doc = { openapi: "3.1.1", info: { title: "T", version: "1" }, ...value } as OpenAPI;
  expect(fromJSON(toJSON(doc))).toEqual(doc);
  expect(fromYAML(toYAML(doc))).toEqual(doc);
  expect(toYAML(fromYAML(toYAML(doc)))).toBe(toYAML(doc));
};

describe("descriptions made from the table", () => {
  it("go round", () => {
    const root = objectOf("OpenAPI", 7).map((doc) => ({ ...doc, openapi: "3.2.0" }));
    fc.assert(fc.property(root, goesRound), { numRuns: 100 });
  });

  it.each([...fixed.keys()].filter((name) => name !== "OpenAPI"))(
    "go round with every field of %s",
    (name) => {
      const fields = fixed.get(name) ?? {};
      const schema = fc.record(
        Object.fromEntries(Object.entries(fields).map(([key, type]) => [key, anyOf(type, 0)])),
      );
      // Under an extension anything may stand; as a response's or a schema's part it is checked.
      const place = (value: unknown): object => ({ "x-value": value, ...PLACES[name]?.(value) });
      fc.assert(
        fc.property(schema, (value) => goesRound(place(value))),
        { numRuns: 20 },
      );
    },
  );
});

const inComponents =
  (kind: string) =>
  (value: unknown): object => ({ components: { [kind]: { A: value } } });
const inSchema =
  (field: string) =>
  (value: unknown): object => ({ components: { schemas: { A: { [field]: value } } } });

/** Where an object of each kind stands. */
const PLACES: Readonly<Record<string, (value: unknown) => object>> = {
  Info: (info) => ({ info }),
  Contact: (contact) => ({ info: { contact } }),
  License: (license) => ({ info: { license } }),
  Server: (server) => ({ servers: [server] }),
  ServerVariable: (variable) => ({ servers: [{ variables: { a: variable } }] }),
  Components: (components) => ({ components }),
  PathItem: (item) => ({ paths: { "/a": item } }),
  Operation: (get) => ({ paths: { "/a": { get } } }),
  ExternalDocumentation: (externalDocs) => ({ externalDocs }),
  Parameter: inComponents("parameters"),
  RequestBody: inComponents("requestBodies"),
  MediaType: inComponents("mediaTypes"),
  Encoding: (a) => ({ components: { mediaTypes: { A: { encoding: { a } } } } }),
  Response: inComponents("responses"),
  Example: inComponents("examples"),
  Link: inComponents("links"),
  Header: inComponents("headers"),
  Tag: (tag) => ({ tags: [tag] }),
  TagGroup: (group) => ({ "x-tagGroups": [group] }),
  Reference: inComponents("responses"),
  Schema: inComponents("schemas"),
  Discriminator: inSchema("discriminator"),
  XML: inSchema("xml"),
  SecurityScheme: inComponents("securitySchemes"),
  OAuthFlows: (flows) => ({ components: { securitySchemes: { A: { flows } } } }),
  OAuthFlow: (implicit) => ({ components: { securitySchemes: { A: { flows: { implicit } } } } }),
};
