/** How schemas of SQLite are changed. */
import * as z from "zod";
import { sqliteCatalog } from "../../catalog/sqlite/dialect.js";
import { createTables, dropTables } from "../create-steps.js";
import type { WriteDialect } from "../dialect.js";
import { standardColumn } from "../written-column.js";
import { changeTable } from "./steps.js";
import { touchedOnSqlite } from "./touched.js";

export const sqliteWrite: WriteDialect = {
  ...sqliteCatalog,
  writer: async (_, { runs }) => {
    const [found] = await runs.sql("SELECT sqlite_version() AS version", Version).exec();
    const version = found?.version ?? "";
    return {
      change: (delta, context) => changeTable(delta, context, version),
      create: createTables,
      drop: dropTables,
      touched: (deltas) => deltas.flatMap((delta) => touchedOnSqlite(delta, version)),
    };
  },
  renameTable: (from, { name }) => `ALTER TABLE ${from} RENAME TO ${name}`,
  // References between dropped tables would only determine the order.
  dropReference: undefined,
  written: { column: standardColumn(sqliteCatalog.grammar, inParentheses), namesPrimaryKey: true },
  readViews: async (views) => views.map(({ query }) => query),
  views: { keepReaders: true, block: true },
};

const Version = z.object({ version: z.string() });

// A literal needs no parentheses, anything else does.
function inParentheses(expression: string): string {
  return /^(?:'(?:[^']|'')*'|[-+]?\d[\w.]*|null|true|false|x'[0-9a-f]*'|\(.*\))$/is.test(expression)
    ? expression
    : `(${expression})`;
}
