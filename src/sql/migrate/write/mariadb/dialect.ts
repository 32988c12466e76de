/** How schemas of MariaDB are changed. */
import { ownIndexesOf } from "../../catalog/mariadb/catalog.js";
import { mariadbCatalog } from "../../catalog/mariadb/dialect.js";
import { createTables, dropTables } from "../create-steps.js";
import type { WriteDialect } from "../dialect.js";
import type { Planned } from "../plan.js";
import { definitionOf, textOf } from "./columns.js";
import { changeTable } from "./steps.js";
import { touchedOnMariadb } from "./touched.js";
import { readViewsOnMariadb } from "./views.js";

export const mariadbWrite: WriteDialect = {
  ...mariadbCatalog,
  writer: async (deltas, { runs }) => {
    const tables = deltas.map(({ actual }) => actual);
    const own = await ownIndexesOf(tables, runs);
    return {
      change: (delta, context) =>
        changeTable(delta, { ...context, ownIndexes: (table) => own.get(table) ?? [] }),
      create: (tables, context) => createTables(tables, context).map(alone),
      drop: (tables, context) => dropTables(tables, context).map(alone),
      touched: (deltas) => deltas.flatMap(touchedOnMariadb),
    };
  },
  renameTable: (from, { qualified }) => `RENAME TABLE ${from} WAIT 3 TO ${qualified}`,
  dropReference: (table, name) => `ALTER TABLE ${table} DROP FOREIGN KEY ${name}`,
  written: {
    column: definitionOf,
    namesPrimaryKey: false,
    tail: ({ comment }) => (comment === null ? "" : ` COMMENT ${textOf(comment)}`),
    method: (using) => ({
      word: /^(?:fulltext|spatial)$/.test(using) ? `${using.toUpperCase()} ` : "",
      clause: "",
    }),
  },
  readViews: readViewsOnMariadb,
  views: { keepReaders: false, block: false },
};

// A change of the schema ends every transaction.
function alone(step: Planned): Planned {
  return { ...step, transaction: false };
}
