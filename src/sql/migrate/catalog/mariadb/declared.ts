/** Reads declared tables on MariaDB: each is created as a temporary one, read, and dropped again. */
import { createOf, withoutReferences } from "../../text/create-text.js";
import type { CatalogForeignKey, CatalogTable } from "../../words/catalog.js";
import type { Runs } from "../../words/reading.js";
import type { DeclaredTexts } from "../declared-table.js";
import { showMariadbTable } from "./catalog.js";

/** Reads tables; a temporary table ends no transaction. */
export async function readDeclaredOnMariadb(
  texts: readonly DeclaredTexts[],
  runs: Runs,
  views: () => Promise<void>,
): Promise<CatalogTable[]> {
  await views();
  const catalogs: CatalogTable[] = [];
  for (const { table, scratch } of texts) {
    const name = `\`${table.name.replaceAll("`", "``")}\``;
    // A separate statement for an index would end the transaction.
    const indexes = scratch.indexes.map((sql) => sql.replace(/^CREATE /, "").replace(` ON ${name} (`, " ("));
    try {
      const items = [...withoutReferences(scratch.create), ...indexes];
      await runs.sql(createOf(scratch.create, items, "TEMPORARY")).exec();
      catalogs.push((await showMariadbTable(runs, table.name, null)).table);
    } finally {
      await runs.sql(`DROP TEMPORARY TABLE IF EXISTS ${name}`).exec();
    }
  }
  return catalogs;
}

/** RESTRICT and NO ACTION are the same on MariaDB. */
export function withoutRestrict(key: CatalogForeignKey): CatalogForeignKey {
  const { onDelete, onUpdate } = key;
  return {
    ...key,
    onDelete: onDelete === "restrict" ? "no action" : onDelete,
    onUpdate: onUpdate === "restrict" ? "no action" : onUpdate,
  };
}
