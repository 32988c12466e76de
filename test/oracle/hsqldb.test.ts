/** What H2 does not have runs on HSQLDB in its Oracle mode, with the values of a call written into the text. */
import { spawnSync } from "node:child_process";
import { oracle } from "rowtype/oracle";
import { describe, expect, test } from "vitest";
import { Person, people, Team } from "../kit/people.js";
import { cases, type Repositories } from "../sql/expression/expressions.cases.js";
import { missingInH2 } from "./h2/translate.js";
import { hsqldbJar, java, javaArguments, javaRuns } from "./java.js";

const isThere = javaRuns(hsqldbJar);

const db = oracle();
// The cases are written against SQLite's operators, which every dialect has.
const of = { people: db.repository(Person), teams: db.repository(Team) } as unknown as Repositories;

function literal(value: unknown): string {
  if (value === null || value === undefined) return "NULL";
  if (typeof value === "boolean") return value ? "1" : "0";
  return typeof value === "number" ? String(value) : `'${String(value).replaceAll("'", "''")}'`;
}

const setUp = [
  'CREATE TABLE "people" ("id" NUMBER(10), "age" NUMBER(10), "role" VARCHAR2(20), "active" NUMBER(1))',
  ...people.map(
    ({ id, age, role = "member", active }) =>
      `INSERT INTO "people" VALUES (${[id, age, role, active].map(literal).join(", ")})`,
  ),
];

/** The rows that a query has, as text. */
function run(sql: string): readonly (readonly string[])[] {
  const url = "jdbc:hsqldb:mem:test;sql.syntax_ora=true;sql.nulls_first=false";
  const input = [...setUp, sql].join("\n");
  const program = [...javaArguments(hsqldbJar, "Query"), url];
  const { stdout, stderr, status } = spawnSync(java, program, { input, encoding: "utf8" });
  if (status !== 0) throw new Error(stderr);
  return stdout
    .trimEnd()
    .split("\n")
    .map((line) => line.split("\t"));
}

const left = cases.filter(({ run: make }) =>
  /ALL/.test(missingInH2((make(of) as { render(): { native: { sql: string } } }).render().native.sql) ?? ""),
);

describe.skipIf(!isThere)("on HSQLDB in Oracle mode", () => {
  test("there are cases that H2 cannot run", () => {
    expect(left.length).toBeGreaterThan(1);
  });

  test.each(left)("$name", ({ run: make, params, rows }) => {
    const builder = make(of) as { render(): { native: { sql: string; params: readonly string[] } } };
    const { sql, params: names } = builder.render().native;
    const given: Readonly<Record<string, unknown>> = { ...params };
    const text = sql.replace(/:p(\d+)/g, (_, index: string) =>
      [given[names[Number(index)] ?? ""]].flat().map(literal).join(", "),
    );
    const expected = rows.map((row) =>
      Object.values(row as object).map((value) =>
        value === null ? "null" : literal(value).replaceAll("'", ""),
      ),
    );
    expect(run(text)).toEqual(expected);
  });
});
