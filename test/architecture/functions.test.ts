/** Functions are short; the few longer ones are a list of cases, members or methods, and stand here by name. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { expect, test } from "vitest";
import { sourceFiles } from "./imports.js";

const SOURCE = join(import.meta.dirname, "../../src");
const MOST_LINES = 60;
const MOST_LINES_OF_LISTS = 80;

const LISTS = [
  // Kinds of schemas.
  "schema/json-schema/describe.ts describeKind",
  "schema/zod3/json-schema.ts describeKind",
  // Members of a repository, and of a store.
  "sql/door/home.ts membersOf",
  "http/session/sql/sql-store.ts sqlStore",
  // The methods of a class.
  "sql/drivers/mariadb/execute.ts ownClass",
];

interface Found {
  readonly name: string;
  readonly lines: number;
}

/** The functions of a text that are longer than the bound. */
function longFunctions(file: string, text: string): Found[] {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const found: Found[] = [];
  const lineOf = (position: number) => source.getLineAndCharacterOfPosition(position).line;
  const visit = (node: ts.Node): void => {
    if (ts.isFunctionLike(node) && "body" in node && node.body !== undefined) {
      const lines = lineOf(node.end) - lineOf(node.getStart()) + 1;
      if (lines > MOST_LINES)
        found.push({ name: `${file} ${node.name?.getText() ?? "without a name"}`, lines });
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

test("no function has more than 60 lines, but for five lists of at most 80", () => {
  const found = sourceFiles(SOURCE).flatMap((file) =>
    longFunctions(file, readFileSync(join(SOURCE, file), "utf8")),
  );
  expect(found.map(({ name }) => name).sort()).toEqual([...LISTS].sort());
  expect(found.filter(({ lines }) => lines > MOST_LINES_OF_LISTS)).toEqual([]);
});

test("a long function is found, whatever its form", () => {
  const body = `{\n${"  work();\n".repeat(MOST_LINES)}}`;
  const text = `function one() ${body}\nconst two = () => ${body};\nclass C { three() ${body} }\n`;
  expect(longFunctions("file.ts", text).map(({ lines }) => lines)).toEqual([62, 62, 62]);
  expect(longFunctions("file.ts", "function short() {\n  work();\n}\n")).toEqual([]);
});
