/** One name means one thing: no type name is exported by two files of `src`. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { sourceFiles } from "./imports.js";

const source = fileURLToPath(new URL("../../src", import.meta.url));

/**
 * Names that users import from two subpaths, and those of `rowtype/driver` that an inner file has too: they stay, because
 * a public name does not change.
 */
const ofTwoSubpaths = new Map([
  ["Callback", ["openapi/operation.ts", "sql/exec/callbacks.ts"]],
  ["Cursor", ["sql/driver/interface.ts", "sql/migrate/words/cursor.ts"]],
  ["DeclarationError", ["core/errors.ts", "sql/words/errors.ts"]],
  ["Driver", ["sql/contract/driver.ts", "sql/driver/interface.ts"]],
  ["Fault", ["http/input/styles.ts", "sql/driver/interface.ts"]],
  ["Model", ["http/contract/model.ts", "sql/types/model.ts"]],
  ["Operation", ["openapi/operation.ts", "sql/words/events.ts"]],
  ["Parameter", ["openapi/parameter.ts", "sql/types/operands.ts"]],
  ["Result", ["http/contract/handler-types.ts", "sql/driver/interface.ts"]],
  ["Runs", ["sql/driver/interface.ts", "sql/migrate/words/reading.ts"]],
  ["Statement", ["sql/ast/statement.ts", "sql/driver/interface.ts"]],
  ["Step", ["sql/migrate/words/step.ts", "sql/types/paths.ts"]],
  ["Value", ["sql/driver/interface.ts", "sql/types/expressions.ts"]],
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
