/** The steps that rename tables and their columns, each before another takes its name. */
import type { Grammar } from "../../dialect/grammar/grammar.js";
import type { DeclaredTable } from "../catalog/declared-table.js";
import type { TableDelta } from "../diff/compare.js";
import type { CatalogTable } from "../words/catalog.js";
import type { WriteDialect } from "./dialect.js";
import { type Planned, placesOf, planned, renamesInOrder, subjectOf, tableName } from "./plan.js";

/** Renames the tables whose names differ. */
export function renameTables(
  pairs: readonly (readonly [CatalogTable, DeclaredTable])[],
  { grammar, renameTable, undoesDdl }: WriteDialect,
  nameOfTable: (name: string) => string,
): Planned[] {
  return [...new Set(pairs.map(([{ schema }]) => schema))].flatMap((schema) => {
    const renames = pairs.flatMap(([actual, { catalog }]) =>
      actual.schema === schema && nameOfTable(actual.name) !== nameOfTable(catalog.name)
        ? [[actual.name, catalog.name] as const]
        : [],
    );
    return renamesInOrder(new Map(renames), nameOfTable).map(([from, to]) => {
      const named = { name: grammar.quote(to), qualified: tableName(schema, to, grammar) };
      return planned({
        phase: "rename tables",
        kind: "rename table",
        ...subjectOf(schema, from),
        sql: [renameTable(tableName(schema, from, grammar), named)],
        transaction: undoesDdl,
        risks: ["breaks-old-code"],
        why: `the declaration says that the table was renamed to ${to}`,
      });
    });
  });
}

/** Renames a column of a table, in the form of standard SQL. */
export function renameColumn(delta: TableDelta, grammar: Grammar): (from: string, to: string) => Planned {
  const { quote } = grammar;
  const { now, after } = placesOf(delta, grammar);
  return (from, to) =>
    planned({
      phase: "rename columns",
      kind: "rename column",
      ...now,
      name: from,
      sql: [`ALTER TABLE ${after} RENAME COLUMN ${quote(from)} TO ${quote(to)}`],
      risks: ["breaks-old-code"],
      why: `the declaration says that the column was renamed to ${to}`,
    });
}
