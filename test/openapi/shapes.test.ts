import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { describe, expect, it } from "vitest";
import { FIELDS } from "../../src/openapi/shapes.js";

/** In a later schema of 3.2, yet no fixed field of 3.2.0. */
const NOT_SPECIFIED: readonly string[] = ["media-type description"];

/** The names of the official JSON Schema's definitions, where they differ from the words of the specification. */
const NAMES: Record<string, string> = {
  info: "Info",
  contact: "Contact",
  license: "License",
  server: "Server",
  "server-variable": "ServerVariable",
  components: "Components",
  "path-item": "PathItem",
  operation: "Operation",
  "external-documentation": "ExternalDocumentation",
  parameter: "Parameter",
  "request-body": "RequestBody",
  "media-type": "MediaType",
  encoding: "Encoding",
  response: "Response",
  example: "Example",
  link: "Link",
  header: "Header",
  tag: "Tag",
  reference: "Reference",
  "security-scheme": "SecurityScheme",
  "oauth-flows": "OAuthFlows",
};

const require = createRequire(import.meta.url);

function namesIn(schema: unknown, found = new Set<string>()): Set<string> {
  if (typeof schema !== "object" || schema === null) return found;
  for (const [key, value] of Object.entries(schema)) {
    if (key === "properties") for (const name of Object.keys(value)) found.add(name);
    else if (key !== "$defs") namesIn(value, found);
  }
  return found;
}

/** What OpenAPI 3.2.0 adds. */
const NEW_IN_3_2: Readonly<Record<string, readonly string[]>> = {
  OpenAPI: ["$self"],
  Server: ["name"],
  Components: ["mediaTypes"],
  PathItem: ["query", "additionalOperations"],
  MediaType: ["itemSchema", "prefixEncoding", "itemEncoding"],
  Encoding: ["encoding", "prefixEncoding", "itemEncoding"],
  Response: ["summary"],
  Example: ["dataValue", "serializedValue"],
  Tag: ["summary", "parent", "kind"],
  Discriminator: ["defaultMapping"],
  XML: ["nodeType"],
  SecurityScheme: ["deprecated", "oauth2MetadataUrl"],
  OAuthFlows: ["deviceAuthorization"],
  OAuthFlow: ["deviceAuthorizationUrl"],
};
/** The fixed fields of 3.1.1, by object; `default` of Responses is among its patterns, `x-tagGroups` is not a fixed field. */
const COUNTS: Readonly<Record<string, number>> = {
  ...{
    OpenAPI: 10,
    Info: 7,
    Contact: 3,
    License: 3,
    Server: 3,
    ServerVariable: 3,
    Components: 10,
    PathItem: 13,
  },
  ...{ Operation: 12, ExternalDocumentation: 2, Parameter: 13, RequestBody: 3, MediaType: 4, Encoding: 5 },
  ...{
    Response: 4,
    Example: 4,
    Link: 6,
    Header: 9,
    Tag: 3,
    Reference: 3,
    Schema: 61,
    Discriminator: 2,
    XML: 5,
  },
  ...{ SecurityScheme: 8, OAuthFlows: 4, OAuthFlow: 4 },
};

describe("the table", () => {
  it("has every fixed field of 3.1.1 and the 23 that 3.2 adds", () => {
    const added = Object.entries(NEW_IN_3_2).flatMap(([object, names]) =>
      names.map((name) => [object, name]),
    );
    expect(added).toHaveLength(23);
    const counts = Object.entries(FIELDS).map(([object, fields]) => {
      const known = Object.keys(fields).filter((name) => name !== "x-tagGroups");
      const later = NEW_IN_3_2[object] ?? [];
      expect(known).toEqual(expect.arrayContaining([...later]));
      return [object, known.length - later.length] as const;
    });
    expect(Object.fromEntries(counts.filter(([object]) => object !== "TagGroup"))).toEqual(COUNTS);
  });
});

describe.each(["v3.1", "v3.2"])("the official schema of OpenAPI %s", (version) => {
  const main = require.resolve("@seriousme/openapi-schema-validator");
  const path = `${main.slice(0, main.lastIndexOf("openapi-schema-validator"))}openapi-schema-validator/schemas/${version}/schema.json`;
  const official: { readonly properties: object; readonly $defs: Record<string, unknown> } = JSON.parse(
    readFileSync(path, "utf8"),
  );

  it("has no field at the root that the table lacks", () => {
    expect(Object.keys(FIELDS.OpenAPI)).toEqual(expect.arrayContaining(Object.keys(official.properties)));
  });

  it.each(Object.entries(NAMES).filter(([name]) => name in official.$defs))(
    "has no field of %s that the table lacks",
    (name, object) => {
      const known = Object.keys(new Map<string, object>(Object.entries(FIELDS)).get(object) ?? {});
      const fields = [...namesIn(official.$defs[name])].filter(
        (field) => !NOT_SPECIFIED.includes(`${name} ${field}`),
      );
      expect(known).toEqual(expect.arrayContaining(fields));
    },
  );
});
