/**
 * Descriptions of real APIs and the published examples of the specification, read from packages that ship them. Nothing of them is copied here. Those of OpenAPI 3.0 that use nothing which 3.1
 * has changed are read with their version line changed.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { fromJSON, fromYAML, toJSON, toYAML } from "../../src/openapi/index.js";

/** By producer: a package, and files in it or folders of which every file is read. */
const SHIPPED: readonly (readonly [producer: string, name: string, ...paths: string[]])[] = [
  ["GitHub", "@octokit/openapi-webhooks", "generated/api.github.com.json"],
  ["Figma", "@figma/rest-api-spec", "openapi/openapi.yaml"],
  ["WorkOS", "@workos/openapi-spec", "open-api-spec.yaml"],
  ["ReadMe", "@readme/oas-examples", "3.1/json", "3.1/yaml"],
  ["STAPI", "@readme/oas-examples", "3.0/json/star-trek.json", "3.0/yaml/star-trek.yaml"],
  ["Bump.sh", "@readme/oas-examples", "3.1/json/train-travel.json", "3.1/yaml/train-travel.yaml"],
  ["Blockfrost", "@blockfrost/openapi", "openapi.yaml"],
  ["Scalar", "@scalar/galaxy", "dist/3.1.json", "dist/3.1.yaml"],
  ["Samchon", "@samchon/shopping-api", "swagger.json"],
  [
    "The OpenAPI Initiative",
    "@readme/oas-examples",
    ...["callbacks", "link-example", "petstore", "petstore-expanded", "uspto"].flatMap((name) => [
      `3.0/json/${name}.json`,
      `3.0/yaml/${name}.yaml`,
    ]),
    "3.1/json/webhooks.json",
    "3.1/yaml/webhooks.yaml",
  ],
];

const places = createRequire(import.meta.url).resolve.paths("any") ?? [];
const files = SHIPPED.flatMap(([producer, name, ...paths]) => {
  const root = places.map((place) => join(place, name)).find((place) => existsSync(place));
  if (root === undefined) throw new Error(`${name} is not installed`);
  return paths.flatMap((path) => filesIn(root, path).map((file) => [producer, file, join(root, file)]));
});

function filesIn(root: string, path: string): string[] {
  if (/\.(?:json|yaml)$/.test(path)) return [path];
  return readdirSync(join(root, path)).map((file) => join(path, file));
}

/** Left out: they have `exclusiveMinimum: true`, which is OpenAPI 3.0, and are refused for it. */
const OF_3_0 = /schema-validation-(?:local|top-level)\./;

/** What says that a text is of OpenAPI 3.0. */
const VERSION_3_0 = /^(\s*"?openapi"?:\s*["']?)3\.0\.\d/m;

describe("real descriptions", () => {
  it("come from ten producers", () => {
    expect(new Set(files.map(([producer]) => producer)).size).toBe(10);
  });

  it.each(files.filter(([, file]) => !OF_3_0.test(file ?? "")))(
    "go round unchanged: %s, %s",
    (_, file = "", path = "") => {
      const text = readFileSync(path, "utf8").replace(VERSION_3_0, "$13.1.0");
      const doc = file.endsWith(".json") ? fromJSON(text) : fromYAML(text);
      const rounded: unknown = JSON.parse(
        JSON.stringify(doc, (_, value) => (typeof value === "bigint" ? Number(value) : value)),
      );
      const expected: unknown = file.endsWith(".json") ? JSON.parse(text) : parse(text, { stringKeys: true });
      expect(rounded).toEqual(expected);
      expect(JSON.stringify(rounded)).toBe(JSON.stringify(expected));

      const yaml = toYAML(doc);
      expect(fromYAML(yaml)).toEqual(doc);
      expect(toYAML(fromYAML(yaml))).toBe(yaml);
      expect(fromJSON(toJSON(doc))).toEqual(doc);
      expect(fromYAML(toJSON(doc, { indent: 2 }))).toEqual(doc);
      expect(JSON.stringify(fromYAML(yaml), keepBigints)).toBe(JSON.stringify(doc, keepBigints));
    },
  );
});

function keepBigints(_: string, value: unknown): unknown {
  return typeof value === "bigint" ? `${value}n` : value;
}
