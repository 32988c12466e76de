/** The steps that rename a table and its columns, as PostgreSQL and SQLite write them. */
import type { Grammar } from "../dialect/grammar.js";
import type { TableDelta } from "./compare.js";
import { type Planned, planned, renamesInOrder, subjectOf, tableName } from "./plan.js";

/** First the table, then its columns, each before another takes its name. */
export function renameSteps({ actual, declared, renames }: TableDelta, grammar: Grammar): Planned[] {
  const { quote } = grammar;
  const name = declared.catalog.name;
  const table = planned({
    phase: "rename tables",
    kind: "rename table",
    ...subjectOf(actual.schema, actual.name),
    sql: [`ALTER TABLE ${tableName(actual.schema, actual.name, grammar)} RENAME TO ${quote(name)}`],
    risks: ["breaks-old-code"],
    why: `the declaration says that the table was renamed to ${name}`,
  });
  const columns = renamesInOrder(renames).map(([from, to]) =>
    planned({
      phase: "rename columns",
      kind: "rename column",
      ...subjectOf(declared.schema, name),
      name: from,
      sql: [
        `ALTER TABLE ${tableName(declared.schema, name, grammar)} RENAME COLUMN ${quote(from)} TO ${quote(to)}`,
      ],
      risks: ["breaks-old-code"],
      why: `the declaration says that the column was renamed to ${to}`,
    }),
  );
  return actual.name === name ? columns : [table, ...columns];
}
