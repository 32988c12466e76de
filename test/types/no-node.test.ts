/**
 * Declarations that name no module of Node: since TypeScript 6 a program must ask for the types of Node, and one that
 * has no other reason to have them compiles without.
 */
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";

const root = join(import.meta.dirname, "..", "..");
const { exports } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
  exports: Record<string, { types?: string }>;
};

/** The declarations that a file reaches, with what each names of Node. */
function ofNode(file: string, seen = new Map<string, readonly string[]>()): Map<string, readonly string[]> {
  if (seen.has(file) || !existsSync(file)) return seen;
  // Examples in comments may import what they like.
  const text = readFileSync(file, "utf8").replace(/\/\*[\s\S]*?\*\//g, "");
  const named = [...text.matchAll(/(?:from|import\()\s*"([^"]+)"|<reference types="([^"]+)"/g)].map(
    ([, module, types]) => module ?? `types of ${types}`,
  );
  seen.set(
    file,
    named.filter((name) => name.startsWith("node:") || name === "types of node"),
  );
  for (const name of named)
    if (name.startsWith(".")) ofNode(join(dirname(file), name.replace(/\.js$/, ".d.ts")), seen);
  return seen;
}

describe("no module of Node is named by the declarations of", () => {
  // mysql2's own types need those of Node, and so does Express.
  test.each([
    ".",
    "./table",
    "./sqlite",
    "./postgres",
    "./oracle",
    "./driver",
    "./driver/test",
    "./migrate",
    "./testing",
    "./openapi",
    "./http/client",
  ])("%s", (subpath) => {
    const files = ofNode(join(root, exports[subpath]?.types ?? "none"));
    expect(files.size).toBeGreaterThan(0);
    expect([...files].filter(([, named]) => named.length > 0)).toEqual([]);
  });
});
