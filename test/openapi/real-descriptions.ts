/**
 * Descriptions of real APIs and the published examples of the specification, read from packages that ship them:
 * nothing of them is copied here. Those of OpenAPI 3.0 that use nothing which 3.1 has changed are read with their
 * version line changed. The tests of round trips and of speed read them, and the benchmark.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";

/** One file of a package. */
export interface RealDescription {
  readonly producer: string;
  /** The file within its package; its ending is that of its format. */
  readonly file: string;
  readonly text: string;
}

/** By producer: a package, and files in it or folders of which every file is read. */
const SHIPPED: readonly (readonly [producer: string, name: string, ...paths: string[]])[] = [
  ["GitHub", "@octokit/openapi-webhooks", "generated/api.github.com.json"],
  ["Figma", "@figma/rest-api-spec", "openapi/openapi.yaml"],
  ["WorkOS", "@workos/openapi-spec", "open-api-spec.yaml"],
  ["ReadMe", "@readme/oas-examples", "3.1/json", "3.1/yaml"],
  ["STAPI", "@readme/oas-examples", "3.0/json/star-trek.json", "3.0/yaml/star-trek.yaml"],
  ["Bump.sh", "@readme/oas-examples", "3.1/json/train-travel.json", "3.1/yaml/train-travel.yaml"],
  ["Blockfrost", "@blockfrost/openapi", "openapi.yaml"],
  ["Directus", "@directus/openapi", "dist/oas.json", "dist/oas.yaml"],
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

/** Left out: they have `exclusiveMinimum: true`, which is OpenAPI 3.0, and are refused for it. */
const OF_3_0 = /schema-validation-(?:local|top-level)\./;

/** What says that a text is of OpenAPI 3.0. */
const VERSION_3_0 = /^(\s*"?openapi"?:\s*["']?)3\.0\.\d/m;

/** Every one that is of OpenAPI 3.1 in all its parts. */
export function realDescriptions(): RealDescription[] {
  return shipped(SHIPPED, (file) => !OF_3_0.test(file));
}

/** Those and the ones beside them that have mistakes, or are of OpenAPI 3.0 under a changed version line. */
export function allDescriptions(): RealDescription[] {
  const examples = ["3.0/json", "3.0/yaml"] as const;
  const others = shipped([["ReadMe", "@readme/oas-examples", ...examples]], () => true);
  const known = new Set([...realDescriptions()].map(({ file }) => file));
  return [...shipped(SHIPPED, () => true), ...others.filter(({ file }) => !known.has(file))];
}

function shipped(packages: typeof SHIPPED, takes: (file: string) => boolean): RealDescription[] {
  const places = createRequire(import.meta.url).resolve.paths("any") ?? [];
  return packages.flatMap(([producer, name, ...paths]) => {
    const root = places.map((place) => join(place, name)).find((place) => existsSync(place));
    if (root === undefined) throw new Error(`${name} is not installed`);
    const files = paths.flatMap((path) => filesIn(root, path)).filter(takes);
    return files.map((file) => ({
      producer,
      file,
      text: readFileSync(join(root, file), "utf8").replace(VERSION_3_0, "$13.1.0"),
    }));
  });
}

/** The largest of each producer that has one of 400 kB or more. */
export function largeDescriptions(): RealDescription[] {
  const largest = new Map<string, RealDescription>();
  for (const one of realDescriptions()) {
    const known = largest.get(one.producer)?.text.length ?? 400_000;
    if (one.text.length >= known) largest.set(one.producer, one);
  }
  return [...largest.values()];
}

function filesIn(root: string, path: string): string[] {
  if (/\.(?:json|yaml)$/.test(path)) return [path];
  const files = readdirSync(join(root, path)).filter((file) => /\.(?:json|yaml)$/.test(file));
  return files.map((file) => join(path, file));
}
