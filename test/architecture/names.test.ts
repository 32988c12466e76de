/** One name means one thing: no type name is exported by two files of `src`. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { sourceFiles } from "./imports.js";

const source = fileURLToPath(new URL("../../src", import.meta.url));

/** Names that users import from two subpaths: they stay, because a public name does not change. */
const ofTwoSubpaths = new Map([
  ["Callback", ["openapi/operation.ts", "sql/exec/callbacks.ts"]],
  ["DeclarationError", ["core/errors.ts", "sql/words/errors.ts"]],
  ["Model", ["http/contract/model.ts", "sql/types/model.ts"]],
  ["Operation", ["openapi/operation.ts", "sql/words/events.ts"]],
  ["Parameter", ["openapi/parameter.ts", "sql/types/operands.ts"]],
  ["Step", ["sql/migrate/words/step.ts", "sql/types/paths.ts"]],
]);

/** The files that export each type, by its name. */
function exportedTypes(files: ReadonlyMap<string, string>): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const [file, text] of files)
    for (const [, name = ""] of text.matchAll(/^export (?:abstract )?(?:interface|type|class) (\w+)/gm))
      found.set(name, [...(found.get(name) ?? []), file]);
  return found;
}

const repeated = (files: ReadonlyMap<string, string>) =>
  [...exportedTypes(files)]
    .filter(([, files]) => files.length > 1)
    .map(([name, files]) => [name, files.sort()]);

test("no type name is exported by two files", () => {
  const names = sourceFiles(source);
  const files = new Map(names.map((name) => [name, readFileSync(join(source, name), "utf8")]));
  expect(repeated(files).sort()).toEqual([...ofTwoSubpaths]);
});

test("the gate finds a name of two files, and none of one", () => {
  const planted = new Map([
    ["a.ts", "export interface Step {}\nexport type Other = 1;\ninterface Kept {}"],
    ["b.ts", "export abstract class Step {}\ninterface Kept {}"],
  ]);
  expect(repeated(planted)).toEqual([["Step", ["a.ts", "b.ts"]]]);
});
