/** How schemas of PostgreSQL are changed. */
import { postgresCatalog } from "../../catalog/postgres/dialect.js";
import { createTables, dropTables } from "../create-steps.js";
import type { WriteDialect } from "../dialect.js";
import { standardColumn } from "../written-column.js";
import { askPostgres } from "./context.js";
import { withRecomputed } from "./recomputed.js";
import { changeTable } from "./steps.js";
import { touchedOnPostgres } from "./touched.js";
import { readViewsOnPostgres } from "./views.js";

export const postgresWrite: WriteDialect = {
  ...postgresCatalog,
  writer: async (deltas, asked) => {
    const facts = await askPostgres(deltas, asked);
    return {
      change: (delta, context) => changeTable(delta, { ...context, ...facts }),
      create: createTables,
      drop: dropTables,
      touched: touchedOnPostgres,
    };
  },
  completed: withRecomputed,
  renameTable: (from, { name }) => `ALTER TABLE ${from} RENAME TO ${name}`,
  dropReference: (table, name) => `ALTER TABLE ${table} DROP CONSTRAINT ${name}`,
  written: {
    column: standardColumn(postgresCatalog.grammar, (expression) => expression),
    namesPrimaryKey: true,
    method: (using) => ({ word: "", clause: ` USING ${using}` }),
  },
  readViews: readViewsOnPostgres,
  views: { keepReaders: false, block: true },
};
