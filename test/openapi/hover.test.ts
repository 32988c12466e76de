/** What an editor shows on the fields of a plain literal: their documentation, in every object of the table. */
import { describe, expect, it } from "vitest";
import { FIELDS } from "../../src/openapi/shapes.js";
import { openEditor } from "../types/editor.js";

const { documentation, open } = openEditor(`import type * as openapi from "../src/openapi/index.js";`);

const inDescription = (literal: string): string =>
  `const doc: openapi.OpenAPI = { openapi: "3.1.1", info, ${literal} };`;

const places: readonly (readonly [string, string, string])[] = [
  [
    "a response",
    `paths: { "/a": { get: { responses: { 200: { description/*|*/: "", content: {} } } } } }`,
    "The meaning of the answer",
  ],
  [
    "a parameter",
    `paths: { "/a": { parameters: [{ name: "a", in/*|*/: "query", schema: {} }] } }`,
    "The place of the parameter",
  ],
  ["a schema", `components: { schemas: { A: { minContains/*|*/: 1 } } }`, "At least this many items"],
  [
    "a response in general",
    `components: { responses: { A: { content/*|*/: {} } } }`,
    "Its content, by media type",
  ],
  [
    "a request body",
    `components: { requestBodies: { A: { description/*|*/: "", content: {} } } }`,
    "A description; CommonMark",
  ],
  [
    "a security scheme",
    `components: { securitySchemes: { A: { type: "http", scheme/*|*/: "basic" } } }`,
    "IANA",
  ],
  ["a parameter, before its place", `components: { parameters: { A: { name/*|*/: "a" } } }`, "ame"],
  [
    "a parameter by schema",
    `components: { parameters: { A: { name: "a", in: "query", schema/*|*/: {} } } }`,
    "schema of the value",
  ],
  [
    "a parameter by content",
    `components: { parameters: { A: { name: "a", in: "query", content/*|*/: {} } } }`,
    "one media type",
  ],
  [
    "a path parameter",
    `components: { parameters: { A: { name: "a", in: "path", required/*|*/: true, schema: {} } } }`,
    "a different path",
  ],
  ["a header", `components: { headers: { A: { schema/*|*/: {} } } }`, "schema of the value"],
  ["a header again", `components: { headers: { A: { required/*|*/: true, schema: {} } } }`, "always sent"],
  ["a media type", `components: { mediaTypes: { A: { example/*|*/: 1 } } }`, "sample"],
  ["a media type again", `components: { mediaTypes: { A: { examples/*|*/: {} } } }`, "amples"],
  ["an example", `components: { examples: { A: { value/*|*/: 1 } } }`, "sample"],
  ["an example again", `components: { examples: { A: { externalValue/*|*/: "u" } } }`, "URI"],
  ["an example once more", `components: { examples: { A: { dataValue/*|*/: 1 } } }`, "sample"],
  ["a link", `components: { links: { A: { operationId/*|*/: "o" } } }`, "operationId"],
  ["a link again", `components: { links: { A: { operationRef/*|*/: "o" } } }`, "URI"],
  [
    "a flow",
    `components: { securitySchemes: { A: { type: "oauth2", flows: { password: { tokenUrl/*|*/: "o", scopes: {} } } } } }`,
    "okens",
  ],
  ["a scheme", `components: { securitySchemes: { A: { type/*|*/: "oauth2", flows: {} } } }`, "OAuth"],
  ["a scheme, before its type", `components: { securitySchemes: { A: { type/*|*/: "" } } }`, ""],
  ["a licence", `"x-a": { name/*|*/: "MIT" } satisfies openapi.License`, "name of the licence"],
  ["a licence again", `"x-a": { name: "MIT", url/*|*/: "" } satisfies openapi.License`, "URI of the text"],
  ["a licence once more", `"x-a": { name: "MIT", identifier/*|*/: "" } satisfies openapi.License`, "SPDX"],
  ["a path item", `paths: { "/a": { get/*|*/: {} } }`, "by GET"],
  [
    "a status",
    `paths: { "/a": { get: { responses: { default/*|*/: { description: "" } } } } }`,
    "every status",
  ],
  ["a reference", `components: { responses: { A: { $ref/*|*/: "" } } }`, "The URI of the object"],
];

describe("an editor", () => {
  const fields = Object.entries(FIELDS).flatMap(([object, names]) =>
    Object.keys(names).map((name) => {
      const type = `openapi.${object === "Schema" ? "SchemaObject" : object}`;
      const text = `declare const o: Required<Extract<${type}, { "${name}"?: unknown }>>; o["${name}"/*|*/]`;
      return [`${type}.${name}`, text] as const;
    }),
  );
  open([...places.map(([, literal]) => inDescription(literal)), ...fields.map(([, text]) => text)]);

  it.each(places)("says in place what a field of %s is", (_, literal, expected) => {
    expect(documentation(inDescription(literal))).toContain(expected);
  });

  it.each(fields)("says what %s is", (_, text) => {
    expect(documentation(text)).not.toBe("");
  });
});
