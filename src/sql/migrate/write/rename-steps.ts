/** The steps that rename tables and their columns, each before another takes its name. */
import type { Grammar } from "../../dialect/grammar/grammar.js";
import type { DeclaredTable } from "../catalog/declared-table.js";
import { nameIn, type TableDelta } from "../diff/compare.js";
import type { CatalogTable } from "../words/catalog.js";
import { type Planned, planned, renamesInOrder, subjectOf, tableName } from "./plan.js";

/** Renames the tables whose names differ. */
export function renameTables(
  pairs: readonly (readonly [CatalogTable, DeclaredTable])[],
  grammar: Grammar,
): Planned[] {
  const { dialect, quote } = grammar;
  return [...new Set(pairs.map(([{ schema }]) => schema))].flatMap((schema) => {
    const renames = pairs.flatMap(([actual, { catalog }]) =>
      actual.schema === schema && actual.name !== catalog.name ? [[actual.name, catalog.name] as const] : [],
    );
    return renamesInOrder(new Map(renames), nameIn(grammar)).map(([from, to]) => {
      const before = tableName(schema, from, grammar);
      return planned({
        phase: "rename tables",
        kind: "rename table",
        ...subjectOf(schema, from),
        sql: [
          dialect === "mariadb"
            ? `RENAME TABLE ${before} WAIT 3 TO ${tableName(schema, to, grammar)}`
            : `ALTER TABLE ${before} RENAME TO ${quote(to)}`,
        ],
        transaction: dialect !== "mariadb",
        risks: ["breaks-old-code"],
        why: `the declaration says that the table was renamed to ${to}`,
      });
    });
  });
}

/** Renames the columns of a table, in the form of PostgreSQL and SQLite. */
export function renameColumns({ declared, renames }: TableDelta, grammar: Grammar): Planned[] {
  const { quote } = grammar;
  const { name } = declared.catalog;
  return renamesInOrder(renames, nameIn(grammar)).map(([from, to]) =>
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
}
