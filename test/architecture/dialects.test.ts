/**
 * What is asked of a database is a member of its grammar, its record of migrations or its driver: no other file of
 * `src/sql` compares the name of a dialect or holds a table by these names, except those of a list with reasons.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript";
import { expect, test } from "vitest";
import { dialects } from "../../src/sql/words/dialect.js";
import { sourceFiles } from "./imports.js";

const sql = fileURLToPath(new URL("../../src/sql", import.meta.url));
const names: ReadonlySet<string> = new Set(dialects);
const EQUALITIES: ReadonlySet<ts.SyntaxKind> = new Set([
  ts.SyntaxKind.EqualsEqualsEqualsToken,
  ts.SyntaxKind.ExclamationEqualsEqualsToken,
  ts.SyntaxKind.EqualsEqualsToken,
  ts.SyntaxKind.ExclamationEqualsToken,
]);

/** A file or a room of one dialect: `text/sqlite.ts`, `run/sqlite/dialect.ts`. */
function isOfDialect(file: string): boolean {
  return file.split("/").some((part) => names.has(part.replace(/\.ts$/, "")));
}

/** The files and rooms that choose by the name, with the reason. */
const chosen: readonly (readonly [place: string, why: string])[] = [
  ["driver-errors/by-dialect.ts", "the list of the translators of errors"],
  ["driver-test/", "the suite for drivers expects what each database does"],
  ["driver/faults.ts", "the clients of each database name the facts of an error differently"],
  ["driver/lacking.ts", "functions are registered with SQLite alone"],
  ["driver/statements.ts", "PostgreSQL takes its parameters as text"],
  ["migrate/dialects/dialects.ts", "the list of the records"],
  ["testing/answer.ts", "PostgreSQL returns values as text"],
];

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

test("no file that several dialects share chooses by the name of a dialect", () => {
  const found = sourceFiles(sql)
    .filter((file) => !isOfDialect(file))
    .flatMap((file) =>
      choices(readFileSync(join(sql, file), "utf8")).map((choice) => [file, choice] as const),
    );
  const isListed = (file: string) => chosen.some(([place]) => file.startsWith(place));
  expect(found.filter(([file]) => !isListed(file))).toEqual([]);
  // A place without such a choice leaves the list.
  const idle = chosen.filter(([place]) => !found.some(([file]) => file.startsWith(place)));
  expect(idle).toEqual([]);
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
    ["run/sqlite/process.ts", "text/mariadb.ts", "diff.ts", "catalog/view-links.ts"].map(isOfDialect),
  ).toEqual([true, true, false, false]);
});
