/**
 * Checks Oracle's SQL without a server: ANTLR's grammar of PL/SQL, the parser with which the driver finds
 * placeholders, and a list of faults that both accept.
 */
import { createRequire } from "node:module";
import { expect, inject } from "vitest";
import { isAccepted } from "./accepted-texts.js";
import { lintOracle } from "./lint.js";

interface DriverStatement {
  sql: string;
  readonly bindInfoList: readonly { readonly bindName: string; readonly isReturnBind: boolean }[];
  _determineStatementType(sql: string): void;
  _prepare(sql: string): void;
}
// Internal to the driver, whose version is fixed: there is no other way to its parser without a server.
const { Statement } = createRequire(import.meta.url)("oracledb/lib/thin/statement.js") as {
  readonly Statement: new () => DriverStatement;
};

/** How long the first question of a run may take, on a busy machine: for `beforeAll(warmUpOracle, …)`. */
export const ORACLE_WARM_UP_MS = 240_000;

/** Has the grammar read enough that the questions of tests are answered at once. */
export async function warmUpOracle(): Promise<void> {
  await syntaxFaults(WARM_UP);
}

/**
 * Fails the test unless a statement is Oracle's, its placeholders are exactly `:p0` to the last of `names`, and those
 * of what it returns are `:o0` and so on. Call it with `native.sql` and `native.params` of `render()`.
 */
export async function judgeOracle(sql: string, names: readonly string[]): Promise<void> {
  expect(await oracleFaults(sql, names), sql).toEqual([]);
}

/** What the judges have against a statement. */
export async function oracleFaults(sql: string, names: readonly string[]): Promise<string[]> {
  return [...lintOracle(sql), ...bindFaults(sql, names), ...(await syntaxFaults(sql))];
}

/** What the driver would find in place of the placeholders that were meant. */
export function bindFaults(sql: string, names: readonly string[]): string[] {
  const statement = new Statement();
  statement._determineStatementType(sql.trimStart().split(/\s/, 1)[0]?.toUpperCase() ?? "");
  statement.sql = sql;
  statement._prepare(sql);
  const found = statement.bindInfoList;
  const given = [
    ...new Set(found.filter(({ isReturnBind }) => !isReturnBind).map(({ bindName }) => bindName)),
  ];
  const returned = found.filter(({ isReturnBind }) => isReturnBind).map(({ bindName }) => bindName);
  return [
    ...differs(
      "placeholders",
      given,
      names.map((_, i) => `P${i}`),
    ),
    ...differs(
      "returned placeholders",
      returned,
      returned.map((_, i) => `O${i}`),
    ),
    ...(found.length > 65_535 ? ["more than 65,535 placeholders"] : []),
  ];
}

function differs(what: string, found: readonly string[], meant: readonly string[]): string[] {
  return found.join() === meant.join() ? [] : [`${what}: found ${found.join()}, meant ${meant.join()}`];
}

/** The parts of Oracle 21c that the grammar does not know, with equivalents that it knows. */
const NEWER: readonly (readonly [words: RegExp, known: string])[] = [
  [/\b(?:EXCEPT|MINUS|INTERSECT) ALL\b/g, "MINUS"],
  [/\bEXCEPT\b/g, "MINUS"],
];

async function syntaxFaults(sql: string): Promise<string[]> {
  // Not within text or names: there it would be somebody's own.
  const older = sql.replace(/'(?:[^']|'')*'|"[^"]*"|[^'"]+/g, (part) =>
    /^['"]/.test(part) ? part : NEWER.reduce((text, [words, known]) => text.replace(words, known), part),
  );
  if (isAccepted(older)) return [];
  const answer = await fetch(inject("oracleGrammar"), { method: "POST", body: older });
  if (!answer.ok) throw new Error(await answer.text());
  return (await answer.json()) as string[];
}

const WARM_UP = `SELECT DISTINCT "a", COUNT(*) FROM "t" WHERE ("a" = :p0 OR "b" IN (:p1, :p2)) AND "c" LIKE :p3 ESCAPE '\\'
GROUP BY "a" HAVING SUM("b") > :p4 ORDER BY "a" DESC NULLS LAST OFFSET 1 ROWS FETCH NEXT 2 ROWS ONLY`;
