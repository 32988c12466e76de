/**
 * What migrations ask of a database is a member of its dialect's record: outside the files of the records nothing
 * compares the name of a dialect, and nothing is a table by these names.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript";
import { expect, test } from "vitest";
import { dialects } from "../../src/sql/words/dialect.js";
import { sourceFiles } from "./imports.js";

const migrate = fileURLToPath(new URL("../../src/sql/migrate", import.meta.url));
const names: ReadonlySet<string> = new Set(dialects);
const EQUALITIES: ReadonlySet<ts.SyntaxKind> = new Set([
  ts.SyntaxKind.EqualsEqualsEqualsToken,
  ts.SyntaxKind.ExclamationEqualsEqualsToken,
  ts.SyntaxKind.EqualsEqualsToken,
  ts.SyntaxKind.ExclamationEqualsToken,
]);

/** A file or a room of one dialect, `text/sqlite.ts` or `run/sqlite/dialect.ts`, or the list of the records. */
function isOfRecords(file: string): boolean {
  if (file === "dialects/dialects.ts") return true;
  return file.split("/").some((part) => names.has(part.replace(/\.ts$/, "")));
}

/** Where a text chooses by the name of a dialect: a comparison, a case, or a table with two or more of the names. */
function choices(text: string): string[] {
  const source = ts.createSourceFile("", text, ts.ScriptTarget.Latest, true);
  const found: string[] = [];
  const isName = (node: ts.Node) => ts.isStringLiteralLike(node) && names.has(node.text);
  const isKey = ({ name }: ts.ObjectLiteralElementLike) =>
    name !== undefined && (ts.isIdentifier(name) || ts.isStringLiteralLike(name)) && names.has(name.text);
  const visit = (node: ts.Node): void => {
    const isComparison =
      ts.isBinaryExpression(node) &&
      EQUALITIES.has(node.operatorToken.kind) &&
      (isName(node.left) || isName(node.right));
    const isCase = ts.isCaseClause(node) && isName(node.expression);
    const isTable = ts.isObjectLiteralExpression(node) && node.properties.filter(isKey).length > 1;
    if (isComparison || isCase || isTable) found.push(node.getText().split("\n")[0] ?? "");
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

test("no file of migrations that several dialects share chooses by the name of a dialect", () => {
  const shared = sourceFiles(migrate).filter((file) => !isOfRecords(file));
  const found = shared.flatMap((file) =>
    choices(readFileSync(join(migrate, file), "utf8")).map((choice) => `${file}: ${choice}`),
  );
  expect(found).toEqual([]);
});

test("the gate finds comparisons, cases and tables, and no word of an option", () => {
  const planted = [
    'if (dialect === "postgres") run();',
    'const word = "mariadb" !== db.dialect ? "A" : "B";',
    'switch (db.dialect) { case "sqlite": run(); }',
    "const readers = { postgres: one, mariadb, oracle() {} };",
    'const longText = column(text, { type: { oracle: "CLOB" } });',
    'const config = { dialect: "postgres" };',
  ];
  expect(planted.map((text) => choices(text).length)).toEqual([1, 1, 1, 1, 0, 0]);
  expect(
    ["run/sqlite/process.ts", "text/mariadb.ts", "diff.ts", "catalog/view-links.ts"].map(isOfRecords),
  ).toEqual([true, true, false, false]);
});
